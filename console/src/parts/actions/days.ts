import { day } from "~/format";
import type { TimeZone } from "~/preferences";
import type { Entry } from "./entry";
import { text } from "./text";

const DAY = 86_400_000;

/** Actions by the day on which they happened, in the order in which they come. */
export function daysOf(entries: Entry[], zone: TimeZone): { day: string; entries: Entry[] }[] {
  const days: { day: string; entries: Entry[] }[] = [];
  for (const entry of entries) {
    const on = day(new Date(entry.At), zone);
    const last = days.at(-1);
    if (last?.day === on) last.entries.push(entry);
    else days.push({ day: on, entries: [entry] });
  }
  return days;
}

/** "Today", "Yesterday", or "Saturday, 14 March 2026". */
export function dayTitle(on: string, now: Date, zone: TimeZone): string {
  if (on === day(now, zone)) return text.row.today;
  if (on === day(new Date(now.getTime() - DAY), zone)) return text.row.yesterday;
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" }).format(
    new Date(`${on}T00:00:00Z`),
  );
}
