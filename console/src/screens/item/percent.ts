export function percent(part: number, whole: number): string {
  return `${whole > 0 ? Math.round((1000 * part) / whole) / 10 : 0}%`;
}
