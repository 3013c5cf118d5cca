import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { config } from "~/config";
import { Root } from "~/frame/Root";
import { Failed, Loading, NotFound } from "~/parts/states";
import { search as accountSearch } from "~/screens/account/search";
import { search as accountsSearch } from "~/screens/accounts/search";
import { search as actionsSearch } from "~/screens/actions/search";
import { search as catalogSearch } from "~/screens/catalog/search";
import { search as economySearch } from "~/screens/economy/search";
import { search as guildSearch } from "~/screens/guild/search";
import { search as guildsSearch } from "~/screens/guilds/search";
import { search as integrationsSearch } from "~/screens/integrations/search";
import { search as itemSearch } from "~/screens/item/search";
import { search as campaignSearch } from "~/screens/live-ops/campaigns/search";
import { search as liveOpsSearch } from "~/screens/live-ops/search";
import { search as moderationSearch } from "~/screens/moderation/search";
import { search as overviewSearch } from "~/screens/overview/search";
import { search as playerSearch } from "~/screens/player/search";
import { search as playersSearch } from "~/screens/players/search";
import { search as profileSearch } from "~/screens/profile/search";
import { search as serverSearch } from "~/screens/server/search";
import { search as serversSearch } from "~/screens/servers/search";
import { search as settingsSearch } from "~/screens/settings/search";
import { search as signInSearch } from "~/screens/sign-in/search";
import { signedIn } from "~/session";

const root = createRootRoute({
  component: Root,
  beforeLoad: async ({ location }) => {
    if (location.pathname !== "/sign-in" && !(await signedIn())) {
      throw redirect({ to: "/sign-in", search: { to: location.href } });
    }
  },
});

// Each screen: its address, what the address holds, and its file.
const overview = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: overviewSearch,
  component: lazyRouteComponent(() => import("~/screens/overview/Overview"), "Overview"),
});
const players = createRoute({
  getParentRoute: () => root,
  path: "/players",
  validateSearch: playersSearch,
  component: lazyRouteComponent(() => import("~/screens/players/Players"), "Players"),
});
const player = createRoute({
  getParentRoute: () => root,
  path: "/players/$key",
  validateSearch: playerSearch,
  component: lazyRouteComponent(() => import("~/screens/player/Player"), "Player"),
});
const accounts = createRoute({
  getParentRoute: () => root,
  path: "/accounts",
  validateSearch: accountsSearch,
  component: lazyRouteComponent(() => import("~/screens/accounts/Accounts"), "Accounts"),
});
const account = createRoute({
  getParentRoute: () => root,
  path: "/accounts/$key",
  validateSearch: accountSearch,
  component: lazyRouteComponent(() => import("~/screens/account/Account"), "Account"),
});
const guilds = createRoute({
  getParentRoute: () => root,
  path: "/guilds",
  validateSearch: guildsSearch,
  component: lazyRouteComponent(() => import("~/screens/guilds/Guilds"), "Guilds"),
});
const guild = createRoute({
  getParentRoute: () => root,
  path: "/guilds/$guild",
  validateSearch: guildSearch,
  component: lazyRouteComponent(() => import("~/screens/guild/Guild"), "Guild"),
});
const actions = createRoute({
  getParentRoute: () => root,
  path: "/actions",
  validateSearch: actionsSearch,
  component: lazyRouteComponent(() => import("~/screens/actions/Actions"), "Actions"),
});
const economy = createRoute({
  getParentRoute: () => root,
  path: "/economy",
  validateSearch: economySearch,
  component: lazyRouteComponent(() => import("~/screens/economy/Economy"), "Economy"),
});
const item = createRoute({
  getParentRoute: () => root,
  path: "/economy/$item",
  validateSearch: itemSearch,
  component: lazyRouteComponent(() => import("~/screens/item/Item"), "Item"),
});
const moderation = createRoute({
  getParentRoute: () => root,
  path: "/moderation",
  validateSearch: moderationSearch,
  component: lazyRouteComponent(() => import("~/screens/moderation/Moderation"), "Moderation"),
});
const moderationCase = createRoute({
  getParentRoute: () => root,
  path: "/cases/$case",
  component: lazyRouteComponent(() => import("~/screens/case/CaseScreen"), "CaseScreen"),
});
const liveOps = createRoute({
  getParentRoute: () => root,
  path: "/live-ops",
  validateSearch: liveOpsSearch,
  component: lazyRouteComponent(() => import("~/screens/live-ops/LiveOps"), "LiveOps"),
});
const campaign = createRoute({
  getParentRoute: () => root,
  path: "/campaigns/$campaign",
  validateSearch: campaignSearch,
  component: lazyRouteComponent(
    () => import("~/screens/live-ops/campaigns/CampaignScreen"),
    "CampaignScreen",
  ),
});
const segment = createRoute({
  getParentRoute: () => root,
  path: "/segments/$segment",
  component: lazyRouteComponent(
    () => import("~/screens/live-ops/segments/SegmentScreen"),
    "SegmentScreen",
  ),
});
const newSegment = createRoute({
  getParentRoute: () => root,
  path: "/live-ops/new-segment",
  component: lazyRouteComponent(
    () => import("~/screens/live-ops/segments/SegmentScreen"),
    "NewSegment",
  ),
});
const order = createRoute({
  getParentRoute: () => root,
  path: "/orders/$order",
  component: lazyRouteComponent(
    () => import("~/screens/live-ops/order/OrderScreen"),
    "OrderScreen",
  ),
});
const schedule = createRoute({
  getParentRoute: () => root,
  path: "/schedules/$schedule",
  component: lazyRouteComponent(
    () => import("~/screens/live-ops/schedules/ScheduleScreen"),
    "ScheduleScreen",
  ),
});
const batch = createRoute({
  getParentRoute: () => root,
  path: "/codes/$batch",
  component: lazyRouteComponent(
    () => import("~/screens/live-ops/codes/BatchScreen"),
    "BatchScreen",
  ),
});
const servers = createRoute({
  getParentRoute: () => root,
  path: "/servers",
  validateSearch: serversSearch,
  component: lazyRouteComponent(() => import("~/screens/servers/Servers"), "Servers"),
});
const server = createRoute({
  getParentRoute: () => root,
  path: "/servers/$server",
  validateSearch: serverSearch,
  component: lazyRouteComponent(() => import("~/screens/server/Server"), "Server"),
});
const catalog = createRoute({
  getParentRoute: () => root,
  path: "/catalog",
  validateSearch: catalogSearch,
  component: lazyRouteComponent(() => import("~/screens/catalog/Catalog"), "Catalog"),
});
const integrations = createRoute({
  getParentRoute: () => root,
  path: "/integrations",
  validateSearch: integrationsSearch,
  component: lazyRouteComponent(
    () => import("~/screens/integrations/Integrations"),
    "Integrations",
  ),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  validateSearch: settingsSearch,
  component: lazyRouteComponent(() => import("~/screens/settings/Settings"), "Settings"),
});
const profile = createRoute({
  getParentRoute: () => root,
  path: "/profile",
  validateSearch: profileSearch,
  component: lazyRouteComponent(() => import("~/screens/profile/Profile"), "Profile"),
});
const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: signInSearch,
  component: lazyRouteComponent(() => import("~/screens/sign-in/SignIn"), "SignIn"),
});

const tree = root.addChildren([
  overview,
  players,
  player,
  accounts,
  account,
  guilds,
  guild,
  actions,
  economy,
  item,
  moderation,
  moderationCase,
  liveOps,
  campaign,
  segment,
  newSegment,
  order,
  schedule,
  batch,
  servers,
  server,
  catalog,
  integrations,
  settings,
  profile,
  signIn,
]);

export const router = createRouter({
  routeTree: tree,
  basepath: `${config.root}/console`,
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: () => <Loading />,
  defaultErrorComponent: ({ error, reset }) => <Failed error={asError(error)} retry={reset} />,
  defaultNotFoundComponent: () => <NotFound />,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
