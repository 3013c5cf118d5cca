import { countOf, flagOf, oneOf, optional, type Raw, textOf } from "~/search";

const SORTS = ["total", "name", "inventories", "banks", "bags", "change"] as const;
export const TABS = ["items", "findings", "rules"] as const;
export type Sort = (typeof SORTS)[number];

/** What the address of this screen holds; the most numerous first if it does not say. */
export function search(raw: Raw) {
  return optional({
    tab: oneOf(raw.tab, TABS),
    /** Which findings; the open ones if it is not there. */
    state: oneOf(raw.state, ["all"] as const),
    search: textOf(raw.search),
    sort: oneOf(raw.sort, SORTS),
    reverse: flagOf(raw.reverse),
    page: countOf(raw.page),
  });
}
