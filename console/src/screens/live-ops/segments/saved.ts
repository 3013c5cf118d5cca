import type { Segment } from "@gamekeeper/client";
import { gk } from "~/api";
import { type ChangeInit, carryOut } from "~/change";
import { bodyOf, type Draft, draftOf } from "./definition";

/** Names of segments and of lists. */
export const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;

interface Wanted {
  name: string;
  draft: Draft;
  description: string;
}

/** Create a segment, or replace the one with this name. */
export function putSegment({ name, draft, description }: Wanted, reason: string, init: ChangeInit) {
  return gk.put("/api/v1/segments/{name}", {
    params: { path: { name } },
    body: { ...conditionsOf(draft), description, ...(reason && { reason }) },
    ...init,
  });
}

/** Save a segment as it was. */
export function restoreSegment(segment: Segment): Promise<unknown> {
  const { Name: name, Description: description } = segment;
  return carryOut((init) => putSegment({ name, draft: draftOf(segment), description }, "", init));
}

export function removeSegment(name: string, reason: string, { headers }: ChangeInit) {
  return gk.delete("/api/v1/segments/{name}", {
    params: { path: { name } },
    headers: { ...headers, ...(reason && { "X-Reason": reason }) },
  });
}

/** The conditions of a draft that is complete. */
function conditionsOf(draft: Draft) {
  const conditions = bodyOf(draft);
  if (!conditions) throw new Error("A condition is not complete.");
  return conditions;
}
