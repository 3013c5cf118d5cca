import type { Moment } from "@gamekeeper/client";

/** Changes that happened together: one mark, one step. */
export interface Step {
  /** As the service wrote it, to the microsecond: the state after the change. */
  at: string;
  time: number;
  kinds: string[];
}

/** Actions so close to each other are one change to a person: a trade has several. */
const TOGETHER_MS = 1_000;

/** The moments of some kinds, as steps; oldest first. */
export function stepsOf(moments: readonly Moment[], concerns: (kind: string) => boolean): Step[] {
  const steps: Step[] = [];
  let began = Number.NEGATIVE_INFINITY;
  for (const moment of moments) {
    if (!concerns(moment.Kind)) continue;
    const time = Date.parse(moment.At);
    const last = steps.at(-1);
    if (last && time - began < TOGETHER_MS) {
      last.at = moment.At;
      last.time = time;
      if (!last.kinds.includes(moment.Kind)) last.kinds.push(moment.Kind);
    } else {
      began = time;
      steps.push({ at: moment.At, time, kinds: [moment.Kind] });
    }
  }
  return steps;
}

/** Which step is the last that had happened at this time; -1: none had. */
export function stepAt(steps: readonly Step[], time: number): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle] as Step).time <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Where one step back or forth leads: an instant; undefined: now; null: nowhere.
 * From now, back is before the last change, since what is now is after it.
 */
export function stepFrom(
  steps: readonly Step[],
  at: string | undefined,
  direction: -1 | 1,
): string | undefined | null {
  if (at === undefined && direction === 1) return null;
  const here = at === undefined ? steps.length - 1 : stepAt(steps, Date.parse(at));
  const next = here + direction;
  if (direction === 1 && next >= steps.length - 1) return undefined;
  return steps[next]?.at ?? null;
}

/** The state does not change between two steps, so all its instants are asked for as one. */
export function canonical(steps: readonly Step[], at: string): string {
  return steps[stepAt(steps, Date.parse(at))]?.at ?? at;
}

const WINDOWS = {
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_629_800_000,
};
export type Window = keyof typeof WINDOWS | "all";

/** The shortest window that shows the instant and enough of the changes to choose from. */
export function windowFor(steps: readonly Step[], time: number | undefined, now: number): Window {
  const enough = Math.min(4, steps.length);
  for (const [name, length] of Object.entries(WINDOWS) as [keyof typeof WINDOWS, number][]) {
    const begin = now - length;
    const shown = steps.length - 1 - stepAt(steps, begin);
    if (shown >= enough && (time === undefined || time >= begin)) return name;
  }
  return "all";
}

/** When a window begins; all of it a little before the first change, so that it can be left. */
export function beginOf(
  window: Window,
  steps: readonly Step[],
  created: number,
  now: number,
): number {
  if (window !== "all") return now - WINDOWS[window];
  const first = Math.min(steps[0]?.time ?? now, Math.max(created, 0) || now);
  return first - Math.max(60_000, (now - first) * 0.02);
}

/** To the second, as a person names it: just before 18:00 is 18:00. */
export function rounded(at: string): Date {
  return new Date(Math.round(Date.parse(at) / 1_000) * 1_000);
}
