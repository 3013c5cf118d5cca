import { lazyRouteComponent } from "@tanstack/react-router";
import { text } from "~/text";

/** The tabs in their order; each is shown with its scope, and loads its own file. */
export const TABS = [
  {
    tab: "campaigns",
    scope: "campaigns.read",
    label: text.nav.campaigns,
    panel: lazyRouteComponent(() => import("./campaigns/CampaignsTab"), "CampaignsTab"),
  },
  {
    tab: "segments",
    scope: "segments.read",
    label: text.nav.segments,
    panel: lazyRouteComponent(() => import("./segments/SegmentsTab"), "SegmentsTab"),
  },
  {
    tab: "schedules",
    scope: "campaigns.read",
    label: text.nav.schedules,
    panel: lazyRouteComponent(() => import("./schedules/SchedulesTab"), "SchedulesTab"),
  },
  {
    tab: "orders",
    scope: "orders.read",
    label: text.nav.orders,
    panel: lazyRouteComponent(() => import("./orders/OrdersTab"), "OrdersTab"),
  },
  {
    tab: "codes",
    scope: "codes.read",
    label: text.nav.codes,
    panel: lazyRouteComponent(() => import("./codes/CodesTab"), "CodesTab"),
  },
] as const;

export type Tab = (typeof TABS)[number]["tab"];

/** The tab of an address; without one, the first that the person may see. */
export function tabOf(tab: Tab | undefined, scopes: readonly string[]): Tab {
  return tab ?? TABS.find(({ scope }) => scopes.includes(scope))?.tab ?? "campaigns";
}
