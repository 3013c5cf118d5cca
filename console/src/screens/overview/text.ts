import { grouped } from "~/format";
import type { Series } from "~/parts/actions/kinds.generated";
import { plural } from "~/plural";

export const text = {
  title: "Overview",
  summary: {
    online: (count: number) =>
      plural(count, { one: "# player is online", other: "# players are online" }),
    nobody: "No players are online",
    servers: (alive: number, total: number) =>
      alive === total
        ? `on ${plural(total, { one: "# server", other: "# servers" })}`
        : `on ${alive} of ${total} servers`,
    down: (total: number) =>
      plural(total, { one: "and the server is down", other: "and all # servers are down" }),
    stopped: "and all servers are stopped",
    noServers: "and no game server has registered yet",
    more: (count: number) => `${grouped(count)} more than at this time yesterday`,
    fewer: (count: number) => `${grouped(count)} fewer than at this time yesterday`,
    same: "the same as at this time yesterday",
    well: "No warnings.",
  },
  warnings: "Needs attention",
  mend: {
    webhook: "Open webhooks",
    server: "Open server",
    chain: "Open actions",
    worker: "Open settings",
  },
  since: "since",
  numbers: "Key figures",
  online: "Online now",
  peak: (most: number) => `peak ${grouped(most)} in 24 hours`,
  servers: "Servers up",
  ofServers: (total: number) => `of ${grouped(total)}`,
  characters: "New characters",
  accounts: "New accounts",
  actions: "Actions",
  lastDay: "in 24 hours",
  week: (count: number) => `${grouped(count)} in 7 days`,
  countedUntil: "Updated",
  curve: "Players online",
  curves: { online: "Online", others: "Other or unknown server", gone: "Removed server" },
  sampled: "Updated",
  noCurve: "No data yet",
  noCurveHint: "The number of online players is recorded every minute. The chart appears soon.",
  perHour: "Actions per hour",
  noActions: "No actions in the last 24 hours.",
  allActions: "All actions",
  supply: "Biggest supply changes",
  supplySince: "Since yesterday 00:00 UTC",
  noSupply: "No supply changes since yesterday.",
  allItems: "All items",
  serverList: "Servers",
  noServers: "No game server has registered yet.",
  allServers: "All servers",
  players: (count: number) => plural(count, { one: "# player", other: "# players" }),
  leaseEnds: "Lease until",
  leaseNever: "Always on",
  leaseLost: "Offline since",
  staff: "Recent staff actions",
  noStaff: "No staff actions in the last 30 days.",
  families: {
    moves: "Trades and moves",
    gifts: "Items given and taken",
    progress: "Levels, spells, variables",
    people: "Accounts and characters",
    moderation: "Moderation",
    other: "Staff and servers",
    undo: "Undos",
  } satisfies Record<Series, string>,
};
