import { optional, type Raw } from "~/search";

/** The address of this screen holds nothing. */
export function search(_raw: Raw) {
  return optional({});
}
