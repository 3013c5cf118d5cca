import type { BulkUndoResult } from "@gamekeeper/client";
import { gk } from "~/api";
import type { ChangeInit } from "~/change";
import { added } from "./sum";
import { text } from "./text";

const MAX_CALLS = 100;

/** Whose actions are undone: those of an actor, or those by which a character lost something. */
export type Whose = { actor: string } | { player: string } | { user: string };

export interface BulkUndo {
  whose: Whose;
  from: string;
  to: string;
  /** Only for characters: whether changes by which nothing left are undone as well. */
  what?: "left" | "all" | undefined;
}

/** What would become of the actions; nothing is written. */
export function preview(undo: BulkUndo): Promise<BulkUndoResult> {
  return allCalls({ ...bodyOf(undo), dryrun: true });
}

export function execute(undo: BulkUndo, reason: string, init: ChangeInit): Promise<BulkUndoResult> {
  return allCalls({ ...bodyOf(undo), ...(reason && { reason }) }, init);
}

function bodyOf({ whose, from, to, what }: BulkUndo) {
  return { ...whose, from, to, ...(what && { what }) };
}

type Body = ReturnType<typeof bodyOf> & { dryrun?: boolean; reason?: string };

/** One call does a part; they go on until the end, and count together. */
async function allCalls(body: Body, init?: ChangeInit): Promise<BulkUndoResult> {
  let result: BulkUndoResult | null = null;
  let cursor: string | null = null;
  for (let call = 0; call < MAX_CALLS; call++) {
    const headers = init && {
      ...init.headers,
      "Idempotency-Key": `${init.headers["Idempotency-Key"]}-${call}`,
    };
    const part: BulkUndoResult = await gk.post("/api/v1/actions/undo", {
      body: { ...body, ...(cursor && { cursor }) },
      ...(headers && { headers }),
    });
    result = result ? added(result, part) : part;
    cursor = part.Next;
    if (!cursor) break;
  }
  if (!result) throw new Error(text.nothing);
  return result;
}
