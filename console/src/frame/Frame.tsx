import { ActionIcon, Badge, Box, Button, Drawer, Kbd, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  IconDots,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconSearch,
} from "@tabler/icons-react";
import { Link, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { config } from "~/config";
import { useRailCollapsed } from "~/preferences";
import { useMe } from "~/session";
import { text } from "~/text";
import { useWaitingApprovals } from "~/waiting";
import classes from "./Frame.module.css";
import { LiveStrip } from "./LiveStrip";
import { MyMenu } from "./MyMenu";
import { Offline } from "./Offline";
import { SearchDialog } from "./SearchDialog";
import { StepUp } from "./StepUp";
import { ON_PHONES, SCREENS, type Screen } from "./screens";
import { Shortcuts, useShortcuts } from "./shortcuts";

/** What every screen has around it: menu, search, the state of the game, the person. */
export function Frame({ children }: { children: ReactNode }) {
  const [searching, search] = useDisclosure(false);
  const [helping, help] = useDisclosure(false);
  const [more, menu] = useDisclosure(false);
  const { Scopes } = useMe();
  const mine = SCREENS.filter((screen) => Scopes.includes(screen.scope));
  useShortcuts(mine, search.open, help.open);

  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#page">
        Skip to the page
      </a>
      <header className={classes.bar}>
        {config.environmentColor && (
          <Box
            className={classes.environment}
            bg={`${config.environmentColor}.6`}
            title={config.environment}
          />
        )}
        <div className={classes.barRow}>
          <Link to="/" className={classes.brand}>
            <img
              src={`${config.root}/api/docs/mark.svg`}
              alt={text.nav.overview}
              width={22}
              height={26}
            />
            <Box component="span" visibleFrom="sm">
              {config.game}
            </Box>
          </Link>
          <Button
            className={classes.searchBox}
            variant="default"
            leftSection={<IconSearch size={16} />}
            rightSection={
              <Box visibleFrom="sm" component="span">
                <Kbd size="xs">/</Kbd>
              </Box>
            }
            justify="flex-start"
            onClick={search.open}
          >
            {text.search.open}
          </Button>
          <span className={classes.spacer} />
          <LiveStrip />
          <MyMenu onKeys={help.open} />
        </div>
      </header>
      <Rail screens={mine} />
      <main className={classes.page} id="page" tabIndex={-1}>
        <div className={classes.inner}>
          <Offline />
          {children}
        </div>
      </main>
      <nav className={classes.bottom} aria-label={text.nav.label}>
        {mine.slice(0, ON_PHONES).map((screen) => (
          <ScreenLink key={screen.to} screen={screen} />
        ))}
        <button type="button" className={classes.link} onClick={menu.open}>
          <IconDots size={20} aria-hidden="true" />
          {text.nav.more}
        </button>
      </nav>
      <Drawer
        opened={more}
        onClose={menu.close}
        position="bottom"
        title={text.nav.label}
        size="auto"
      >
        {mine.slice(ON_PHONES).map((screen) => (
          <ScreenLink key={screen.to} screen={screen} onClick={menu.close} />
        ))}
      </Drawer>
      <SearchDialog opened={searching} onClose={search.close} screens={mine} />
      <Shortcuts opened={helping} onClose={help.close} screens={mine} />
      <StepUp />
    </div>
  );
}

function Rail({ screens }: { screens: Screen[] }) {
  const [collapsed, setCollapsed] = useRailCollapsed();
  const label = collapsed ? text.nav.expand : text.nav.collapse;
  const Icon = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <nav className={classes.rail} data-collapsed={collapsed} aria-label={text.nav.label}>
      {screens.map((screen) => (
        <ScreenLink key={screen.to} screen={screen} collapsed={collapsed} />
      ))}
      <span className={classes.spacer} />
      <Tooltip label={label} position="right">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={label}
          onClick={() => setCollapsed(!collapsed)}
        >
          <Icon size={18} />
        </ActionIcon>
      </Tooltip>
    </nav>
  );
}

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

function ScreenLink({ screen, collapsed = false, onClick }: ScreenLinkProps) {
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
