import type { ChartData } from "./series";

/** The plot's edges: the axis of values on the left, half a label on the right. */
export const LEFT = 48;
export const RIGHT = 12;
export const TOP = 12;
export const BOTTOM = 24;

/** Where an instant is, from the left. */
export function placeOf(data: ChartData, index: number, width: number, isBars: boolean): number {
  const room = width - LEFT - RIGHT;
  if (isBars) return LEFT + ((index + 0.5) / data.at.length) * room;
  const [first, last] = [data.at[0] ?? 0, data.at.at(-1) ?? 1];
  return LEFT + (((data.at[index] ?? 0) - first) / (last - first || 1)) * room;
}
