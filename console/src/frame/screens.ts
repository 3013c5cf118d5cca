import {
  IconChartLine,
  IconGavel,
  IconGift,
  IconHistory,
  IconLayoutDashboard,
  IconPackage,
  IconPlug,
  IconServer2,
  IconSettings,
  IconShield,
  IconSwords,
  IconUsers,
} from "@tabler/icons-react";
import { TABS as LIVE_OPS } from "~/screens/live-ops/tabs";
import { SCOPES as MODERATION } from "~/screens/moderation/search";
import { text } from "~/text";

/**
 * The screens of the menu: their keys after `g`, and the scope without which one is useless. Of
 * several scopes, one is enough.
 */
export const SCREENS = [
  { to: "/", key: "o", label: text.nav.overview, icon: IconLayoutDashboard, scope: "players.read" },
  { to: "/players", key: "p", label: text.nav.players, icon: IconSwords, scope: "players.read" },
  { to: "/accounts", key: "c", label: text.nav.accounts, icon: IconUsers, scope: "users.query" },
  { to: "/guilds", key: "u", label: text.nav.guilds, icon: IconShield, scope: "players.read" },
  { to: "/actions", key: "a", label: text.nav.actions, icon: IconHistory, scope: "actions.read" },
  { to: "/economy", key: "e", label: text.nav.economy, icon: IconChartLine, scope: "economy.read" },
  {
    to: "/moderation",
    key: "m",
    label: text.nav.moderation,
    icon: IconGavel,
    scope: [...new Set(Object.values(MODERATION))],
  },
  {
    to: "/live-ops",
    key: "l",
    label: text.nav.liveOps,
    icon: IconGift,
    scope: LIVE_OPS.map(({ scope }) => scope),
  },
  { to: "/servers", key: "s", label: text.nav.servers, icon: IconServer2, scope: "players.read" },
  { to: "/catalog", key: "i", label: text.nav.catalog, icon: IconPackage, scope: "players.read" },
  {
    to: "/integrations",
    key: "n",
    label: text.nav.integrations,
    icon: IconPlug,
    scope: "webhooks",
  },
  { to: "/settings", key: "t", label: text.nav.settings, icon: IconSettings, scope: "staff.read" },
] as const;

export type Screen = (typeof SCREENS)[number];

/** Whether somebody with these scopes sees a screen. */
export function isSeen(screen: Pick<Screen, "scope">, scopes: readonly string[]): boolean {
  return [screen.scope].flat().some((scope) => scopes.includes(scope));
}

/** The pages of one thing that have an address of their own, by the screen that lists them. */
const PAGES: Partial<Record<Screen["to"], string[]>> = {
  "/moderation": ["/cases/"],
  "/live-ops": LIVE_OPS.map(({ tab }) => `/${tab}/`),
};

/** Whether an address is on a screen, or on a page below it. */
export function isOn(screen: Pick<Screen, "to">, pathname: string): boolean {
  if (screen.to === "/") return pathname === "/";
  const pages = PAGES[screen.to] ?? [];
  return [screen.to, ...pages].some((beginning) => pathname.startsWith(beginning));
}

const ON_PHONES = 4;

/** On a phone, the first ones that one may see but Guilds; the rest are behind More. */
export function onPhones(mine: readonly Screen[]): { bar: Screen[]; rest: Screen[] } {
  const bar: Screen[] = mine.filter((screen) => screen.to !== "/guilds").slice(0, ON_PHONES);
  return { bar, rest: mine.filter((screen) => !bar.includes(screen)) };
}
