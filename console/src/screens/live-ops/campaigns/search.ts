import { oneOf, optional, type Raw } from "~/search";

export const RECIPIENT_STATES = [
  "waiting",
  "done",
  "skipped",
  "refused",
  "reversed",
  "kept",
] as const;

/** What the address of a campaign holds: which recipients are shown; all if it does not say. */
export function search(raw: Raw) {
  return optional({ state: oneOf(raw.state, RECIPIENT_STATES) });
}
