import type { TimeZone } from "~/preferences";

const NUMBER = new Intl.NumberFormat("en");
const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

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

/** "3 hr. ago", "yesterday", "just now". */
export function relative(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) >= length) return RELATIVE.format(Math.trunc(seconds / length), unit);
  }
  return Math.abs(seconds) < 10 ? "just now" : RELATIVE.format(Math.trunc(seconds), "second");
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
