import type { AuditLogEntry, Posting } from "@gamekeeper/client";
import { stateOf, textAt } from "./read";

/** An action of the log; in a character's history with every slot that changed. */
export type Entry = AuditLogEntry & { Postings?: Posting[] };

type Told = Pick<Entry, "Kind" | "Before" | "After">;

/** The trade, or other transaction, that the action is a part of. */
export function transactionOf(entry: Told): string | undefined {
  return (
    textAt(stateOf(entry.After), "transaction") ?? textAt(stateOf(entry.Before), "transaction")
  );
}

/** Kinds whose items only moved, if they are part of a transaction. */
const MOVES = new Set(["items.move", "mail.claim", "mail.expire", "mail.withdraw"]);
/** Senders of letters whose items are not new: a character, or the return of a letter. */
const MOVERS = new Set(["player", "system"]);

/**
 * Whether it can only be undone together with the other side: items were moved, not made
 * or removed.
 */
export function isShared(entry: Told): boolean {
  if (transactionOf(entry) === undefined) return false;
  const sender = textAt(stateOf(entry.After), "sender") ?? "";
  return MOVES.has(entry.Kind) || (entry.Kind === "mail.send" && MOVERS.has(sender));
}
