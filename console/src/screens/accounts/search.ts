import { countOf, optional, type Raw, textOf } from "~/search";

/** What the address of this screen holds. */
export function search(raw: Raw) {
  return optional({ search: textOf(raw.search), page: countOf(raw.page) || undefined });
}
