import { RANGES } from "~/online";
import { countOf, oneOf, optional, type Raw } from "~/search";

export const STATES = ["waiting", "delivered", "done", "failed", "expired"] as const;

/** What the address of this screen holds: how far back the curve goes, and which commands. */
export function search(raw: Raw) {
  return optional({
    range: oneOf(raw.range, RANGES),
    state: oneOf(raw.state, STATES),
    page: countOf(raw.page),
    /** Of the players on it, from 1. */
    players: countOf(raw.players),
  });
}
