import { day, time } from "~/format";
import type { TimeZone } from "~/preferences";

/** Between the address, which has instants, and the browser's own field for date and time. */
export function toLocal(at: string | undefined, zone: TimeZone): string {
  const instant = new Date(at ?? "");
  if (Number.isNaN(instant.getTime())) return "";
  return `${day(instant, zone)}T${time(instant, zone).slice(0, 5)}`;
}

export function fromLocal(typed: string, zone: TimeZone): string | undefined {
  const instant = new Date(zone === "utc" ? `${typed}Z` : typed);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}
