import type { AuditLogEntry, EventEntry } from "@gamekeeper/client";

/** What the log is filtered by. */
export interface LogFilter {
  actor?: string;
  kind?: string;
  player?: string;
  user?: string;
  item?: string;
  reason?: string;
  from?: string;
  to?: string;
}

const FILTERS = [
  "actor",
  "kind",
  "player",
  "user",
  "item",
  "reason",
  "from",
  "to",
] as const satisfies readonly (keyof LogFilter)[];

/** The filter within an address. */
export function filterOf(search: LogFilter): LogFilter {
  const there = FILTERS.flatMap((name) => (search[name] ? [[name, search[name]] as const] : []));
  return Object.fromEntries(there);
}

/** Whether an event would be in the filtered log. */
export function matches(event: EventEntry | AuditLogEntry, filter: LogFilter): boolean {
  const { actor, kind, player, user, item, reason, from, to } = filter;
  return (
    isOne(actor, event.Actor, event.ActorName) &&
    isOne(kind, event.Kind) &&
    isOne(player, event.PlayerId, event.PlayerName) &&
    isOne(user, event.UserId, event.UserName) &&
    isOne(item, event.ItemId) &&
    (!reason || (event.Reason ?? "").toLowerCase().includes(reason.toLowerCase())) &&
    (!from || Date.parse(event.At) >= Date.parse(from)) &&
    (!to || Date.parse(event.At) <= Date.parse(to))
  );
}

function isOne(wanted: string | undefined, ...values: (string | null | undefined)[]): boolean {
  if (!wanted) return true;
  return values.some((value) => value?.toLowerCase() === wanted.toLowerCase());
}
