import type { TimeZone } from "~/preferences";

const UNITS: Record<string, number> = {
  s: 1_000,
  sec: 1_000,
  second: 1_000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hr: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  w: 604_800_000,
  week: 604_800_000,
  month: 2_629_800_000,
};
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const AGO = /^-?\s*(?:(\d+(?:\.\d+)?)|an?)\s*([a-z]+?)s?(?:\s+ago)?$/;
const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[t ,]+(.+))?$/;
const CLOCK = /^(\d{1,2})(?:[:.](\d{2}))?(?:[:.](\d{2}))?\s*(am|pm)?$/;

interface Clock {
  hour: number;
  minute: number;
  second: number;
}

/**
 * The instant somebody typed: "yesterday 18:00", "2 h ago", "mon 9:30", "2026-11-14 18:00",
 * "now"; null if it is none. Days and times are those of the time zone on the screen.
 */
export function parseInstant(typed: string, now: Date, zone: TimeZone): Date | null {
  const text = typed.trim().toLowerCase().replace(/\s+/g, " ");
  if (text === "") return null;
  if (text === "now") return now;
  return ago(text, now) ?? withOffset(typed) ?? dated(text, zone) ?? relativeDay(text, now, zone);
}

function ago(text: string, now: Date): Date | null {
  const [, count = "1", unit = ""] = AGO.exec(text) ?? [];
  const length = UNITS[unit];
  return length === undefined ? null : new Date(now.getTime() - Number(count) * length);
}

/** A full instant with its offset, as addresses and logs have it. */
function withOffset(typed: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:?\d{2})$/i.test(typed.trim())) return null;
  return valid(new Date(typed.trim()));
}

function dated(text: string, zone: TimeZone): Date | null {
  const [, year, month, day, rest] = DATE.exec(text) ?? [];
  if (!year || !month || !day) return null;
  const clock = rest === undefined ? { hour: 0, minute: 0, second: 0 } : clockOf(rest);
  if (!clock) return null;
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const found = at(y, m - 1, d, clock, zone);
  // The 31st of a month of 30 days is no day.
  return dayOf(found, zone)[2] === d && m >= 1 && m <= 12 ? found : null;
}

function relativeDay(text: string, now: Date, zone: TimeZone): Date | null {
  const [first = "", ...others] = text.replace(/^last /, "").split(/ at | |, /);
  const rest = others.join(" ");
  const [year, month, day, weekday] = dayOf(now, zone);
  const back = daysBack(first, weekday);
  if (back === null) {
    const clock = clockOf(text);
    if (!clock) return null;
    // A time alone is the last one that has been.
    const today = at(year, month, day, clock, zone);
    return today <= now ? today : at(year, month, day - 1, clock, zone);
  }
  if (rest !== "") {
    const clock = clockOf(rest);
    return clock && at(year, month, day - back, clock, zone);
  }
  return back === 0
    ? at(year, month, day, { hour: 0, minute: 0, second: 0 }, zone)
    : at(year, month, day - back, clockNow(now, zone), zone);
}

function daysBack(word: string, weekday: number): number | null {
  if (word === "today") return 0;
  if (word === "yesterday") return 1;
  const named = word.length >= 3 ? DAYS.findIndex((day) => word.startsWith(day)) : -1;
  return named === -1 ? null : (weekday - named + 7) % 7 || 7;
}

function clockOf(text: string): Clock | null {
  const [, hour, minute = "0", second = "0", half] = CLOCK.exec(text.trim()) ?? [];
  // A number alone may be anything.
  if (!hour || (!half && !/[:.]/.test(text))) return null;
  const hours = half ? (Number(hour) % 12) + (half === "pm" ? 12 : 0) : Number(hour);
  const clock = { hour: hours, minute: Number(minute), second: Number(second) };
  return clock.hour < 24 && clock.minute < 60 && clock.second < 60 ? clock : null;
}

function clockNow(now: Date, zone: TimeZone): Clock {
  return zone === "utc"
    ? { hour: now.getUTCHours(), minute: now.getUTCMinutes(), second: now.getUTCSeconds() }
    : { hour: now.getHours(), minute: now.getMinutes(), second: now.getSeconds() };
}

function dayOf(instant: Date, zone: TimeZone): [number, number, number, number] {
  return zone === "utc"
    ? [instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate(), instant.getUTCDay()]
    : [instant.getFullYear(), instant.getMonth(), instant.getDate(), instant.getDay()];
}

function at(year: number, month: number, day: number, clock: Clock, zone: TimeZone): Date {
  const { hour, minute, second } = clock;
  return zone === "utc"
    ? new Date(Date.UTC(year, month, day, hour, minute, second))
    : new Date(year, month, day, hour, minute, second);
}

function valid(instant: Date): Date | null {
  return Number.isNaN(instant.getTime()) ? null : instant;
}
