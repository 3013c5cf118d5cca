import { countOf, optional, type Raw } from "~/search";

/** What the address of this screen holds. */
export function search(raw: Raw) {
  return optional({ page: countOf(raw.page) });
}
