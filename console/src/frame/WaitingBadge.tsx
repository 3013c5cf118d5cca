import { Badge } from "@mantine/core";
import { text } from "~/text";
import { useWaiting } from "~/waiting";
import classes from "./Frame.module.css";
import type { Screen } from "./screens";

/** How much waits for me on these screens, beside where it is decided. */
export function WaitingBadge({ on }: { on: readonly Screen[] }) {
  const { approvals, appeals, cases } = useWaiting();
  const parts: [Screen["to"], number, string][] = [
    ["/moderation", cases, text.casesWaiting(cases)],
    ["/moderation", appeals, text.appealsWaiting(appeals)],
    ["/settings", approvals, text.approvalsWaiting(approvals)],
  ];
  const here = parts.filter(([to, count]) => count > 0 && on.some((screen) => screen.to === to));
  return (
    <CountBadge
      count={here.reduce((sum, [, count]) => sum + count, 0)}
      label={here.map(([, , words]) => words).join(", ")}
    />
  );
}

export function CountBadge({ count, label }: { count: number; label: string }) {
  if (count === 0) return null;
  return (
    <Badge
      size="sm"
      className={classes.waiting}
      c="var(--gk-on-accent)"
      circle={count < 10}
      aria-label={label}
      role="img"
    >
      {count}
    </Badge>
  );
}
