import type { EconomyFinding, Flow, ItemMovement } from "@gamekeeper/client";
import type { ChartData, Mark, Series } from "~/parts/charts/series";

const DAY = 86_400_000;
/** So many times the usual stands out. */
const TIMES = 4;
const FEWEST = 10;
/** Sources that say nothing of what happens in the game. */
const LOADED = new Set(["import", "demo", "move"]);

export interface Spike {
  index: number;
  /** In UTC, as the service counts them. */
  day: string;
  came: number;
  /** How many times the usual. */
  times: number;
}

/** The last `count` days in UTC, the oldest first, today last. */
export function daysUntil(now: Date, count: number): string[] {
  const today = Math.floor(now.getTime() / DAY) * DAY;
  return Array.from({ length: count }, (_, index) => dayOf(today - (count - 1 - index) * DAY));
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function instants(days: string[]): number[] {
  return days.map((day) => Date.parse(day));
}

/** How many there were at the end of each day: what there is now, less what came since. */
export function supplyCurve(total: number, flows: Flow[], days: string[], label: string) {
  const change = new Map<string, number>();
  for (const { Day, Came, Went } of flows) {
    change.set(Day, (change.get(Day) ?? 0) + Came - Went);
  }
  let now = total;
  const values = days.map(() => 0);
  for (let index = days.length - 1; index >= 0; index--) {
    values[index] = now;
    now -= change.get(days[index] ?? "") ?? 0;
  }
  const data: ChartData = {
    at: instants(days),
    span: "day",
    series: [{ key: "supply", label, values }],
  };
  return data;
}

interface Labels {
  came: (source: string) => string;
  went: (source: string) => string;
}

/** What came (above zero) and went (below), by source and day; trades change nothing. */
export function flowChart(flows: Flow[], days: string[], labels: Labels): ChartData {
  const place = new Map(days.map((day, index) => [day, index]));
  const series = new Map<string, Series>();
  function add(key: string, label: string, index: number, value: number) {
    if (value === 0) return;
    const known = series.get(key) ?? { key, label, values: days.map(() => 0) };
    known.values[index] = (known.values[index] ?? 0) + value;
    series.set(key, known);
  }
  for (const { Day, Source, Came, Went } of flows) {
    const index = place.get(Day);
    if (index === undefined || Source === "move") continue;
    add(`${Source} came`, labels.came(Source), index, Came);
    add(
      `${Source} went`,
      Source === "removal" ? labels.came(Source) : labels.went(Source),
      index,
      -Went,
    );
  }
  const all = [...series.values()].sort((one, other) => one.key.localeCompare(other.key));
  return { at: instants(days), span: "day", series: all };
}

/** Days on which many more came than is usual since the first one came. */
export function spikesOf(flows: Flow[], days: string[]): Spike[] {
  const came = days.map(() => 0);
  const first = flows.map((flow) => flow.Day).sort()[0] ?? "";
  for (const { Day, Source, Came } of flows) {
    const index = days.indexOf(Day);
    if (index >= 0 && !LOADED.has(Source)) came[index] = (came[index] ?? 0) + Came;
  }
  return days.flatMap((day, index): Spike[] => {
    const others = came.filter((_, at) => at !== index && (days[at] ?? "") >= first);
    const here = came[index] ?? 0;
    if (others.length < 3 || here < FEWEST) return [];
    const usual = median(others);
    return here > TIMES * usual ? [{ index, day, came: here, times: here / usual }] : [];
  });
}

function median(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

export function marksOf(spikes: Spike[], label: (times: number) => string): Mark[] {
  return spikes.map(({ index, times }) => ({ index, label: label(times) }));
}

/** The places of the days on which findings began. */
export function findingDays(findings: Pick<EconomyFinding, "BeganAt">[], days: string[]): number[] {
  const places = findings.map(({ BeganAt }) => days.indexOf(BeganAt.slice(0, 10)));
  return [...new Set(places)].filter((place) => place >= 0);
}

export interface Maker {
  id: string;
  name: string | null;
  came: number;
}

/** To whom an item came, most first; what only changed hands is not among it. */
export function makersOf(movements: ItemMovement[]): Maker[] {
  const makers = new Map<string, Maker>();
  for (const { PlayerId, PlayerName, Quantity, Source } of movements) {
    if (Quantity <= 0 || Source === "move") continue;
    const known = makers.get(PlayerId) ?? { id: PlayerId, name: PlayerName, came: 0 };
    makers.set(PlayerId, { ...known, came: known.came + Quantity });
  }
  return [...makers.values()].sort((one, other) => other.came - one.came);
}
