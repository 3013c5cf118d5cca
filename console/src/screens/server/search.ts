import { RANGES } from "~/online";
import { chatSearch } from "~/parts/chat/filter";
import { countOf, oneOf, optional, type Raw } from "~/search";

export const TABS = ["status", "chat"] as const;
export const STATES = ["waiting", "delivered", "done", "failed", "expired"] as const;

/** What the address of this screen holds. */
export function search(raw: Raw) {
  const { channel, said, moment } = chatSearch(raw);
  return optional({
    tab: oneOf(raw.tab, TABS),
    /** How far back the curve goes. */
    range: oneOf(raw.range, RANGES),
    /** Of the commands. */
    state: oneOf(raw.state, STATES),
    page: countOf(raw.page),
    /** Of the players on it, from 1. */
    players: countOf(raw.players),
    /** Of the chat. */
    channel,
    said,
    moment,
  });
}
