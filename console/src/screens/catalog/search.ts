import { countOf, oneOf, optional, type Raw, textOf } from "~/search";

export const TABS = ["items", "spells", "classes", "variables"] as const;
export type Tab = (typeof TABS)[number];

/** What the address of this screen holds. */
export function search(raw: Raw) {
  return optional({
    tab: oneOf(raw.tab, TABS),
    search: textOf(raw.search),
    page: countOf(raw.page),
  });
}
