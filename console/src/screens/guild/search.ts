import { chatSearch } from "~/parts/chat/filter";
import { oneOf, optional, type Raw, textOf } from "~/search";

export const TABS = ["members", "bank", "activity", "chat", "variables"] as const;
export type Tab = (typeof TABS)[number];

export const PARTS = ["bank", "members", "guild"] as const;

/** What the address of this screen holds. */
export function search(raw: Raw) {
  return optional({
    tab: oneOf(raw.tab, TABS),
    /** Of the bank: the instant that the time slider shows; absent: now. */
    at: textOf(raw.at),
    /** Of the activity: what it is about. */
    about: oneOf(raw.about, PARTS),
    /** Of the chat. */
    ...chatSearch(raw),
  });
}
