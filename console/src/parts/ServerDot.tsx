import { IconCircleCheckFilled, IconCircleX } from "@tabler/icons-react";
import { text } from "./text";

/** Whether a game server's lease lives: a colour and a shape. */
export function ServerDot({ isAlive }: { isAlive: boolean }) {
  const Icon = isAlive ? IconCircleCheckFilled : IconCircleX;
  const color = isAlive ? "var(--gk-gain)" : "var(--mantine-color-dimmed)";
  return (
    <Icon
      size={18}
      color={color}
      role="img"
      aria-label={isAlive ? text.server.alive : text.server.dead}
    />
  );
}
