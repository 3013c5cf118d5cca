/** Whether a count is a whole number from 1 to the most that the API takes. */
export function isWhole(count: number, most: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= most;
}
