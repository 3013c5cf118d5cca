import { grouped } from "~/format";
import type { Series } from "~/parts/actions/kinds.generated";

const some = (count: number, one: string, many: string) =>
  `${grouped(count)} ${count === 1 ? one : many}`;

export const text = {
  title: "Overview",
  summary: {
    online: (count: number) => some(count, "player is online", "players are online"),
    nobody: "Nobody is online",
    servers: (alive: number, total: number) =>
      alive === total
        ? `on ${some(total, "server", "servers")}`
        : `on ${alive} of ${total} servers`,
    down: (total: number) =>
      total === 1 ? "and the server is down" : `and all ${grouped(total)} servers are down`,
    stopped: "and all servers are stopped",
    noServers: "and no game server has been here yet",
    more: (count: number) => `${grouped(count)} more than at this time yesterday`,
    fewer: (count: number) => `${grouped(count)} fewer than at this time yesterday`,
    same: "as many as at this time yesterday",
    well: "Nothing needs mending.",
  },
  warnings: "Needs mending",
  mend: {
    webhook: "Open the webhooks",
    server: "Open the server",
    chain: "Open the actions",
    worker: "Open the facts",
  },
  since: "since",
  numbers: "In numbers",
  online: "Online now",
  peak: (most: number) => `at most ${grouped(most)} in 24 hours`,
  servers: "Servers up",
  ofServers: (total: number) => `of ${grouped(total)}`,
  characters: "New characters",
  accounts: "New accounts",
  actions: "Actions",
  lastDay: "in 24 hours",
  week: (count: number) => `${grouped(count)} in 7 days`,
  countedUntil: "Counted until the action of",
  curve: "Players online",
  curves: { online: "Online", others: "Others, or not known where", gone: "A server that is gone" },
  sampled: "Sampled",
  noCurve: "No curve yet",
  noCurveHint: "A worker samples every minute who is online. The first points will be here soon.",
  perHour: "Actions per hour",
  noActions: "Nothing was done in the last 24 hours.",
  allActions: "All actions",
  supply: "Items that became more or fewer",
  supplySince: "Since the beginning of yesterday (UTC)",
  noSupply: "No item became more or fewer since yesterday.",
  allItems: "The whole economy",
  serverList: "Servers",
  noServers: "No game server has registered yet.",
  allServers: "All servers",
  players: (count: number) => some(count, "player", "players"),
  leaseEnds: "lease ends",
  leaseNever: "lease never ends",
  leaseLost: "lease ended",
  staff: "What staff did last",
  noStaff: "Staff did nothing in the last 30 days.",
  families: {
    moves: "Trades and moves",
    gifts: "Items given and taken",
    progress: "Levels, spells, variables",
    people: "Accounts and characters",
    moderation: "Moderation",
    other: "Staff and servers",
    undo: "Undone",
  } satisfies Record<Series, string>,
};
