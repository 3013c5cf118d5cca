import { oneOf, optional, type Raw, textOf } from "~/search";

export const SPANS = ["30", "90", "365"] as const;

/** What the address of this screen holds: how many days, and the day that is looked at. */
export function search(raw: Raw) {
  const day = textOf(raw.day);
  return optional({
    days: oneOf(String(raw.days), SPANS),
    day: day && /^\d{4}-\d\d-\d\d$/.test(day) ? day : undefined,
  });
}
