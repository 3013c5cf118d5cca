import type { TimeZone } from "~/preferences";

const NUMBER = new Intl.NumberFormat("en");
const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

const HOUR = 3_600;
const DAY_MS = 86_400_000;

export function grouped(value: number): string {
  return NUMBER.format(value);
}

export function compact(value: number): string {
  return Math.abs(value) < 10_000 ? grouped(value) : COMPACT.format(value);
}

/** A number with its sign: +5, −3. */
export function signed(value: number): string {
  if (value === 0) return "0";
  return `${value > 0 ? "+" : "−"}${grouped(Math.abs(value))}`;
}

/**
 * "just now", "3 hours ago", "yesterday, 18:22", "2026-03-14 18:22": days are those of the calendar
 * in this zone, and whatever is not of today has its time, because cases are told by it.
 */
export function relative(at: Date, now: Date, zone: TimeZone): string {
  const seconds = Math.trunc((at.getTime() - now.getTime()) / 1000);
  if (Math.abs(seconds) < 10) return "just now";
  if (Math.abs(seconds) < 60) return RELATIVE.format(seconds, "second");
  if (Math.abs(seconds) < HOUR) return RELATIVE.format(Math.trunc(seconds / 60), "minute");
  const days = daysBetween(now, at, zone);
  if (days === 0) return RELATIVE.format(Math.trunc(seconds / HOUR), "hour");
  const date = Math.abs(days) === 1 ? `${RELATIVE.format(days, "day")},` : day(at, zone);
  return `${date} ${time(at, zone).slice(0, 5)}`;
}

/** "3 hours ago", "yesterday", "4 days ago": beside the exact instant. */
export function relativeDay(at: Date, now: Date, zone: TimeZone): string {
  const days = daysBetween(now, at, zone);
  return days === 0 ? relative(at, now, zone) : RELATIVE.format(days, "day");
}

/** By how many days of the calendar `to` is later: not by 24 hours, of which some days have 23. */
function daysBetween(from: Date, to: Date, zone: TimeZone): number {
  return (Date.parse(day(to, zone)) - Date.parse(day(from, zone))) / DAY_MS;
}

/** The exact instant: 2026-03-14 18:22:05. */
export function exact(at: Date, zone: TimeZone): string {
  return `${day(at, zone)} ${time(at, zone)}`;
}

export function day(at: Date, zone: TimeZone): string {
  const [year, month, date] =
    zone === "utc"
      ? [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
      : [at.getFullYear(), at.getMonth(), at.getDate()];
  return `${year}-${two(month + 1)}-${two(date)}`;
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** A day for an axis: "14 Mar". */
export function dayOfMonth(at: Date, zone: TimeZone): string {
  const [month, date] =
    zone === "utc" ? [at.getUTCMonth(), at.getUTCDate()] : [at.getMonth(), at.getDate()];
  return `${date} ${MONTHS[month]}`;
}

export function time(at: Date, zone: TimeZone): string {
  const [hour, minute, second] =
    zone === "utc"
      ? [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()]
      : [at.getHours(), at.getMinutes(), at.getSeconds()];
  return `${two(hour)}:${two(minute)}:${two(second)}`;
}

/** "2 h 5 min", "40 s". */
export function duration(seconds: number): string {
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [Math.floor(seconds) % 60, "s"],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return "0 s";
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
