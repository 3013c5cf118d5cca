import { RANGES } from "~/online";
import { oneOf, optional, type Raw } from "~/search";

/** What the address of this screen holds; a day if it does not say. */
export function search(raw: Raw) {
  return optional({ range: oneOf(raw.range, RANGES) });
}
