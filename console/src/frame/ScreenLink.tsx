import { Badge, Tooltip } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import { text } from "~/text";
import { useWaitingApprovals } from "~/waiting";
import classes from "./Frame.module.css";
import type { Screen } from "./screens";

/** How many requests wait for me, beside where they are decided. */
function WaitingBadge() {
  const waiting = useWaitingApprovals();
  if (waiting === 0) return null;
  return (
    <Badge
      size="sm"
      ml="auto"
      c="var(--gk-on-accent)"
      circle={waiting < 10}
      aria-label={text.approvalsWaiting(waiting)}
      role="img"
    >
      {waiting}
    </Badge>
  );
}

interface ScreenLinkProps {
  screen: Screen;
  collapsed?: boolean;
  onClick?: () => void;
}

/** A screen in the menu. */
export function ScreenLink({ screen, collapsed = false, onClick }: ScreenLinkProps) {
  const { pathname } = useLocation();
  const isHere = screen.to === "/" ? pathname === "/" : pathname.startsWith(screen.to);
  return (
    <Tooltip label={screen.label} position="right" disabled={!collapsed}>
      <Link
        to={screen.to}
        search={{}}
        className={classes.link}
        aria-current={isHere ? "page" : undefined}
        aria-label={collapsed ? screen.label : undefined}
        onClick={onClick}
      >
        <screen.icon size={20} stroke={1.75} aria-hidden="true" />
        {!collapsed && screen.label}
        {screen.to === "/settings" && <WaitingBadge />}
      </Link>
    </Tooltip>
  );
}
