import { factsOf } from "~/parts/actions/kinds";
import type { Kind } from "~/parts/actions/kinds.generated";

/** Whether the toast after a change of this kind can offer an undo. */
export function canUndo(kind: Kind): boolean {
  return factsOf(kind).undo !== undefined;
}
