import { Tooltip } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import classes from "./Frame.module.css";
import { isOn, type Screen } from "./screens";
import { WaitingBadge } from "./WaitingBadge";

interface ScreenLinkProps {
  screen: Screen;
  collapsed?: boolean;
  /** Its parts are below it while it is open, with what waits. */
  hasParts?: boolean;
  onClick?: () => void;
}

/** A screen in the menu. */
export function ScreenLink({
  screen,
  collapsed = false,
  hasParts = false,
  onClick,
}: ScreenLinkProps) {
  const { pathname } = useLocation();
  const isHere = isOn(screen, pathname);
  return (
    <Tooltip label={screen.label} position="right" disabled={!collapsed}>
      <Link
        to={screen.to}
        search={{}}
        className={classes.link}
        data-parts={hasParts}
        aria-current={isHere ? "page" : undefined}
        aria-label={collapsed ? screen.label : undefined}
        onClick={onClick}
      >
        <screen.icon size={20} stroke={1.75} aria-hidden="true" />
        {!collapsed && screen.label}
        {!(isHere && hasParts) && <WaitingBadge on={[screen]} />}
      </Link>
    </Tooltip>
  );
}
