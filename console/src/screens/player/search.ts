import { chatSearch } from "~/parts/chat/filter";
import { flagOf, oneOf, optional, type Raw, textOf } from "~/search";

export const TABS = [
  "timeline",
  "items",
  "spells",
  "variables",
  "mailbox",
  "sessions",
  "chat",
  "sanctions",
  "notes",
] as const;
export type Tab = (typeof TABS)[number];

/** The tabs that show what the character is and has, now or at an instant. */
export type StateTabName = Extract<Tab, "items" | "spells" | "variables" | "sessions">;

/** What the address of this screen holds. */
export function search(raw: Raw) {
  return optional({
    tab: oneOf(raw.tab, TABS),
    /** The instant that the time slider shows; absent: now. */
    at: textOf(raw.at),
    /** Of the timeline: a group of kinds, and who did it. */
    kinds: textOf(raw.kinds),
    actor: textOf(raw.actor),
    /** Of the timeline: repeats of the game one by one. */
    all: flagOf(raw.all),
    /** Of the mailbox: letters that expired, or were withdrawn or deleted. */
    ended: flagOf(raw.ended),
    /** Of the chat. */
    ...chatSearch(raw),
  });
}
