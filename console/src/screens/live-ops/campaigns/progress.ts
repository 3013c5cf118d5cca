import type { Campaign } from "@gamekeeper/client";

/** How many recipients had their turn, of how many. */
export interface Progress {
  handled: number;
  total: number;
}

type Counts = Pick<
  Campaign,
  "State" | "Recipients" | "Done" | "Skipped" | "Refused" | "Reversed" | "Kept" | "MaxRecipients"
>;

/** How far the work is; of a reversal, how far that is. */
export function progressOf(campaign: Counts): Progress {
  const { State, Recipients, Done, Skipped, Refused, Reversed, Kept } = campaign;
  if (State === "reversing" || State === "reversed") {
    // Only those whose work was done are reversed; they still count as done.
    return { handled: Reversed + Kept, total: Done };
  }
  // On joining: how many join is not known, only how many get the letter at most.
  if (campaign.MaxRecipients !== null) return { handled: Done, total: campaign.MaxRecipients };
  return { handled: Done + Skipped + Refused, total: Recipients };
}

/** In percent; nothing to do is everything done. */
export function percentOf({ handled, total }: Progress): number {
  return total === 0 ? 100 : Math.floor((100 * handled) / total);
}

/** Whether the worker is at it now, so that the figures change without an event. */
export function isAtWork(state: Campaign["State"]): boolean {
  return state === "preparing" || state === "running" || state === "reversing";
}

/** Milliseconds between two reads where events do not arrive. */
const SELDOM = 10_000;

/**
 * How often to read again: the worker's progress has no events, and a start or a pause of
 * somebody else has one. False: nothing changes any more, or an event tells.
 */
export function readEvery(state: Campaign["State"], isLive: boolean, often: number) {
  if (isAtWork(state)) return often;
  return isLive || state === "reversed" ? false : SELDOM;
}

/** What was read at an instant, in milliseconds. */
export interface Reading {
  at: number;
  handled: number;
}

/** Recipients a second between the first reading and the last; null: not known yet. */
export function rateOf(readings: readonly Reading[]): number | null {
  const [first, last] = [readings[0], readings.at(-1)];
  if (!first || !last || last.at <= first.at) return null;
  return ((last.handled - first.handled) * 1000) / (last.at - first.at);
}

/** Seconds until the last recipient had their turn; null: not known. */
export function secondsLeft({ handled, total }: Progress, rate: number | null): number | null {
  return rate === null || rate <= 0 ? null : Math.ceil((total - handled) / rate);
}
