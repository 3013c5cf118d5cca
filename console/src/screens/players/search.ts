import { countOf, flagOf, oneOf, optional, type Raw, textOf } from "~/search";

export const SORTS = ["name", "rank", "seen"] as const;

/** What the address of this screen holds. */
export function search(raw: Raw) {
  return optional({
    search: textOf(raw.search),
    sort: oneOf(raw.sort, SORTS),
    /** From 1, as people count. */
    page: countOf(raw.page),
    online: flagOf(raw.online),
  });
}
