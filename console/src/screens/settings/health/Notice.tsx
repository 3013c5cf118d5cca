import { Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleX } from "@tabler/icons-react";
import classes from "./Health.module.css";

interface NoticeProps {
  title: string;
  /** What to do. */
  hint: string;
  isFault?: boolean;
}

/** What is wrong, and what to do; a mark of a colour and a shape, text that everyone can read. */
export function Notice({ title, hint, isFault = false }: NoticeProps) {
  const Icon = isFault ? IconCircleX : IconAlertTriangle;
  const color = isFault ? "var(--gk-loss)" : "var(--gk-changed)";
  return (
    <div className={classes.row}>
      <Icon size={18} color={color} className={classes.icon} aria-hidden="true" />
      <div className={classes.words}>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      </div>
    </div>
  );
}
