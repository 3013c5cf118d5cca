const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** "734 MB", "1.2 GB": two digits or more, in powers of a thousand as disks are sold. */
export function size(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}
