import type { PlayedDay } from "@gamekeeper/client";

export interface HeatDay {
  /** 2026-11-14, of UTC. */
  day: string;
  seconds: number;
  sessions: number;
  /** 0: not played, to 4: much. */
  level: number;
}

const DAY = 86_400_000;
const HOUR = 3_600;
/** Up to how many hours a day has which level; more is 4. */
const LEVELS = [0.5, 1.5, 3];

/**
 * The days from `from` to `to` as weeks that begin on Monday; days outside are null.
 */
export function weeksOf(
  from: string,
  to: string,
  played: readonly PlayedDay[],
): (HeatDay | null)[][] {
  const known = new Map(played.map((one) => [one.Day, one]));
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const weekday = (new Date(first).getUTCDay() + 6) % 7;
  const weeks: (HeatDay | null)[][] = [];
  for (let monday = first - weekday * DAY; monday <= last; monday += 7 * DAY) {
    weeks.push(
      Array.from({ length: 7 }, (_, index) => {
        const time = monday + index * DAY;
        if (time < first || time > last) return null;
        const day = new Date(time).toISOString().slice(0, 10);
        const { Seconds = 0, Sessions = 0 } = known.get(day) ?? {};
        return { day, seconds: Seconds, sessions: Sessions, level: levelOf(Seconds) };
      }),
    );
  }
  return weeks;
}

export function levelOf(seconds: number): number {
  if (seconds <= 0) return 0;
  const level = LEVELS.findIndex((hours) => seconds <= hours * HOUR);
  return level === -1 ? 4 : level + 1;
}

const MONTHS = new Intl.DateTimeFormat("en", { month: "short", timeZone: "UTC" });

/** Above which weeks the name of a month stands: those in which it begins. */
export function monthsOf(weeks: readonly (HeatDay | null)[][]): { week: number; name: string }[] {
  const names: { week: number; name: string }[] = [];
  weeks.forEach((week, index) => {
    const first = week.find((day) => day?.day.endsWith("-01"));
    if (first) names.push({ week: index, name: MONTHS.format(new Date(first.day)) });
  });
  return names;
}
