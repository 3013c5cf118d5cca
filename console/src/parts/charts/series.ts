import { day, dayOfMonth, grouped, time } from "~/format";
import type { TimeZone } from "~/preferences";

/** Values of one thing over time, one for each instant of the chart; null: not known. */
export interface Series {
  key: string;
  label: string;
  values: (number | null)[];
}

/** How long each value of a chart is for. Days are those of UTC, as the service counts them. */
export type Span = "minute" | "hour" | "day";

/** An instant that stands out. */
export interface Mark {
  /** The place among the chart's instants. */
  index: number;
  label: string;
}

/** What every chart shows; `at` has the instants in milliseconds, oldest first. */
export interface ChartData {
  at: number[];
  span: Span;
  series: Series[];
  marks?: Mark[] | undefined;
}

const SECONDS: Record<Span, number> = { minute: 60, hour: 3_600, day: 86_400 };
/** How many spans an axis has before a single instant; left alone, it would show years. */
const BEFORE = 60;

/** The ends of the axis of time, in seconds. */
export function endsOf({ at, span }: ChartData): [number, number] {
  const first = (at[0] ?? 0) / 1000;
  const last = (at.at(-1) ?? 0) / 1000;
  return last > first ? [first, last] : [first - BEFORE * SECONDS[span], last];
}

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** An instant in full: "Sat 2026-03-14 18:00". */
export function instantOf(at: number, span: Span, zone: TimeZone): string {
  const date = new Date(at);
  const inUtc = span === "day" || zone === "utc";
  const weekday = WEEKDAYS[inUtc ? date.getUTCDay() : date.getDay()];
  const shown: TimeZone = inUtc ? "utc" : "local";
  const hour = span === "day" ? "" : ` ${time(date, shown).slice(0, 5)}`;
  return `${weekday} ${day(date, shown)}${hour}`;
}

/** An instant for an axis: "18:00", or "14 Mar" at midnight and of a day. */
export function tickOf(at: number, span: Span, zone: TimeZone): string {
  const date = new Date(at);
  const inUtc = span === "day" || zone === "utc";
  const clock = inUtc ? date.toISOString().slice(11, 16) : time(date, zone).slice(0, 5);
  if (span !== "day" && clock !== "00:00") return clock;
  return dayOfMonth(date, inUtc ? "utc" : zone);
}

/** Everything the chart says about one instant, in a sentence. */
export function readout(data: ChartData, index: number, zone: TimeZone): string {
  const values = data.series.map((one) => `${one.label} ${numberOf(one.values[index])}`);
  const marks = marksAt(data, index).map((mark) => mark.label);
  return [
    `${instantOf(data.at[index] ?? 0, data.span, zone)}: ${values.join(", ")}`,
    ...marks,
  ].join(". ");
}

export function marksAt(data: ChartData, index: number): Mark[] {
  return (data.marks ?? []).filter((mark) => mark.index === index);
}

export function numberOf(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  return grouped(Math.abs(value) < 10 ? Math.round(value * 10) / 10 : Math.round(value));
}

/** Round numbers between which the values lie, with zero among them. */
export function ticks(lowest: number, highest: number, wanted = 4): number[] {
  const from = Math.min(0, lowest);
  const to = Math.max(0, highest) || (from === 0 ? 1 : 0);
  const raw = (to - from) / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const factor = [1, 2, 5, 10].find((one) => one * power >= raw) ?? 10;
  // Nothing is counted in parts.
  const step = Math.max(1, factor * power);
  const found: number[] = [];
  for (let at = Math.floor(from / step); at <= Math.ceil(to / step); at++) found.push(at * step);
  return found;
}

/** Where each value begins and ends when they stand on each other: up if positive, else down. */
export function stacked(series: Series[], index: number): { from: number; to: number }[] {
  let [up, down] = [0, 0];
  return series.map(({ values }) => {
    const value = values[index] ?? 0;
    const from = value >= 0 ? up : down;
    if (value >= 0) up += value;
    else down += value;
    return { from, to: from + value };
  });
}
