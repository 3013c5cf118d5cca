/**
 * Colours that the colour-blind tell apart, and beside each a dash and a pattern of its own.
 * The colours are in charts.css, for both themes.
 */
const MOST = 7;

export function colorOf(index: number): string {
  return `var(--gk-series-${(index % MOST) + 1})`;
}

const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 5], [1, 4], [14, 4]];

export function dashOf(index: number): number[] {
  return DASHES[index % MOST] ?? [];
}

/** The lines over the colour, in a tile of 6 × 6. */
const PATTERNS = [
  "",
  "M0 6 6 0M-1 1 1-1M5 7 7 5",
  "M0 3H6",
  "M3 0V6",
  "M0 0 6 6M-1 5 1 7M5-1 7 1",
  "M0 3H6M3 0V6",
  "M1.5 1.5h1M4.5 4.5h1",
];

export function patternOf(index: number): string {
  return PATTERNS[index % MOST] ?? "";
}
