/** Messages in the order in which they were said. */
export function inOrder<Line extends { SaidAt: string }>(lines: Line[]): Line[] {
  return lines.toSorted((one, other) => one.SaidAt.localeCompare(other.SaidAt));
}
