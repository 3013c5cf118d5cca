import { ActionIcon, Box, Button, Kbd, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  IconDots,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconSearch,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Fragment, lazy, type ReactNode, Suspense, useEffect } from "react";
import { config } from "~/config";
import { useRailCollapsed } from "~/preferences";
import { useMe } from "~/session";
import { text } from "~/text";
import classes from "./Frame.module.css";
import { LiveOpsParts } from "./LiveOpsParts";
import { ModerationParts } from "./ModerationParts";
import { MyAvatar } from "./MyAvatar";
import { Offline } from "./Offline";
import { onSearch } from "./palette";
import { ScreenLink } from "./ScreenLink";
import { isSeen, onPhones, SCREENS, type Screen } from "./screens";
import { useShortcuts } from "./useShortcuts";
import { WaitingBadge } from "./WaitingBadge";
import "./question";

// Nothing of these is open on the first screen: they load beside it, not before it.
const Dialogs = lazy(() => import("./Dialogs"));
const LiveStrip = lazy(() => import("./LiveStrip"));
const MyMenu = lazy(() => import("./MyMenu"));

/** The screens whose parts are in the menu, too. */
const PARTS: Partial<Record<Screen["to"], () => ReactNode>> = {
  "/moderation": ModerationParts,
  "/live-ops": LiveOpsParts,
};

/** What every screen has around it: menu, search, the state of the game, the person. */
export function Frame({ children }: { children: ReactNode }) {
  const [searching, search] = useDisclosure(false);
  const [helping, help] = useDisclosure(false);
  const [more, menu] = useDisclosure(false);
  const { Scopes } = useMe();
  const mine = SCREENS.filter((screen) => isSeen(screen, Scopes));
  const { bar, rest } = onPhones(mine);
  useShortcuts(mine, search.open, help.open);
  useEffect(() => onSearch(search.open), [search.open]);

  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#page">
        {text.nav.skip}
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
          <Suspense fallback={null}>
            <LiveStrip />
          </Suspense>
          <Suspense fallback={<MyAvatar />}>
            <MyMenu onKeys={help.open} />
          </Suspense>
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
        {bar.map((screen) => (
          <ScreenLink key={screen.to} screen={screen} />
        ))}
        <button type="button" className={classes.link} onClick={menu.open}>
          <IconDots size={20} aria-hidden="true" />
          {text.nav.more}
          <WaitingBadge on={rest} />
        </button>
      </nav>
      <Suspense fallback={null}>
        <Dialogs
          screens={mine}
          rest={rest}
          searching={searching}
          helping={helping}
          more={more}
          onClose={() => {
            search.close();
            help.close();
            menu.close();
          }}
        />
      </Suspense>
    </div>
  );
}

function Rail({ screens }: { screens: Screen[] }) {
  const [collapsed, setCollapsed] = useRailCollapsed();
  const label = collapsed ? text.nav.expand : text.nav.collapse;
  const Icon = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <nav className={classes.rail} data-collapsed={collapsed} aria-label={text.nav.label}>
      {screens.map((screen) => {
        const Parts = collapsed ? undefined : PARTS[screen.to];
        return (
          <Fragment key={screen.to}>
            <ScreenLink screen={screen} collapsed={collapsed} hasParts={Parts !== undefined} />
            {Parts && <Parts />}
          </Fragment>
        );
      })}
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
