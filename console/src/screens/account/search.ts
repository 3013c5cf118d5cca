import { oneOf, optional, type Raw } from "~/search";

export const TABS = [
  "characters",
  "rights",
  "sign-ins",
  "linked",
  "identities",
  "orders",
  "sanctions",
  "notes",
] as const;

/** What the address of this screen holds. */
export function search(raw: Raw) {
  return optional({ tab: oneOf(raw.tab, TABS) });
}
