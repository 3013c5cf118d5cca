import { isError, type UndoBlocker } from "@gamekeeper/client";
import { useMe } from "~/session";
import type { Entry } from "./entry";
import { factsOf } from "./kinds";
import { text } from "./text";

/** Whether an action can be undone by me, or why not; null: there is nothing to say about it. */
export function useUndo(entry: Entry): { allowed: boolean; why?: string } | null {
  const scopes = useMe().Scopes;
  const needed = factsOf(entry.Kind).undo;
  if (!needed || entry.UndoneBy) return null;
  const lacking = ["actions.undo", ...needed].find((scope) => !scopes.includes(scope));
  return lacking ? { allowed: false, why: text.undo.mayNot(lacking) } : { allowed: true };
}

/** What is in the way, if that is why an undo was refused; null: it was refused otherwise. */
export function blockersOf(error: unknown): UndoBlocker[] | null {
  if (!isError(error, "undo_conflict")) return null;
  const { InTheWay } = error.details;
  return Array.isArray(InTheWay) ? (InTheWay as UndoBlocker[]) : null;
}
