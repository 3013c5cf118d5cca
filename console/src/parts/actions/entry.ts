import type { AuditLogEntry, Posting } from "@gamekeeper/client";
import { stateOf, textAt } from "./read";

/** An action of the log; in a character's history with every slot that changed. */
export type Entry = AuditLogEntry & { Postings?: Posting[] };

/** The trade, or other transaction of a game server, that the action is a part of. */
export function transactionOf(entry: Entry): string | undefined {
  return (
    textAt(stateOf(entry.After), "transaction") ?? textAt(stateOf(entry.Before), "transaction")
  );
}

/**
 * Whether it can only be undone together with the other side: items were moved, not made
 * or removed.
 */
export function isShared(entry: Entry): boolean {
  return entry.Kind === "items.move" && transactionOf(entry) !== undefined;
}
