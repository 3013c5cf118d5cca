import type { EventEntry } from "@gamekeeper/client";
import type { Query } from "@tanstack/react-query";
import type { Family } from "~/parts/actions/kinds.generated";

/** What an event says that matters to which reads are out of date. */
export type Event = Pick<
  EventEntry,
  "Kind" | "Actor" | "PlayerId" | "PlayerName" | "UserId" | "UserName" | "ItemId"
>;

/** The reads that each family of kinds touches, by the beginning of their paths. */
const FAMILIES: Record<string, string[]> = {
  servers: ["/api/v1/servers", "/api/v1/players/online"],
  commands: ["/api/v1/servers/{server_id}/commands", "/api/v1/commands"],
  sanctions: ["/api/v1/sanctions"],
  appeals: ["/api/v1/sanctions", "/api/v1/appeals"],
  cases: ["/api/v1/cases"],
  templates: ["/api/v1/sanctions"],
  // A run of a schedule starts with its campaign, and has the campaign's events.
  campaigns: ["/api/v1/campaigns", "/api/v1/schedules"],
  schedules: ["/api/v1/schedules"],
  codes: ["/api/v1/codes"],
  segments: ["/api/v1/segments"],
  segment_lists: ["/api/v1/segment-lists"],
  orders: ["/api/v1/orders"],
  approvals: ["/api/v1/approvals"],
  roles: ["/api/v1/roles", "/api/v1/staff"],
  staff: ["/api/v1/staff", "/api/v1/roles"],
  keys: ["/api/v1/keys"],
  webhooks: ["/api/v1/webhooks"],
  catalog: ["/api/v1/catalog"],
} satisfies Partial<Record<Family, string[]>>;

const OVERVIEW = "/api/v1/overview";

/** The reads about one thing, and which of their path's parameters names it. */
const ABOUT = [
  { path: "/api/v1/players/{key}", parameter: "key" },
  { path: "/api/v1/users/{key}", parameter: "key" },
  { path: "/api/v1/economy/items/{item_id}", parameter: "item_id" },
] as const;

/**
 * What the events since the last look have touched.
 *
 * The log of actions is not among it: a list must not move under the hand of who reads it.
 */
export class Touched {
  readonly #paths = new Set<string>();
  readonly #things = new Set<string>();

  add(event: Event): void {
    const family = event.Kind.split(".")[0] ?? "";
    for (const path of FAMILIES[family] ?? []) this.#paths.add(path);
    // What staff do is on the overview; what the game does there is counted, and may wait.
    if (event.Actor.startsWith("user:") || family in FAMILIES) this.#paths.add(OVERVIEW);
    const { PlayerId, PlayerName, UserId, UserName, ItemId } = event;
    for (const name of [PlayerId, PlayerName, UserId, UserName, ItemId]) {
      if (name) this.#things.add(name.toLowerCase());
    }
  }

  get isEmpty(): boolean {
    return this.#paths.size === 0 && this.#things.size === 0;
  }

  has({ queryKey }: Pick<Query, "queryKey">): boolean {
    const [path, parameters] = queryKey;
    if (typeof path !== "string") return false;
    if ([...this.#paths].some((one) => path.startsWith(one))) return true;
    const about = ABOUT.find((one) => path.startsWith(one.path));
    if (!about) return false;
    const named = (parameters as { path?: Record<string, unknown> } | undefined)?.path;
    return this.#things.has(String(named?.[about.parameter]).toLowerCase());
  }
}
