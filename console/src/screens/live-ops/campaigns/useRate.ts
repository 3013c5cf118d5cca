import { useState } from "react";
import { type Reading, rateOf } from "./progress";

/** Milliseconds over which the rate is measured. */
const SPAN = 20_000;

/** Recipients a second of late, from what was read; null: not known yet. */
export function useRate(handled: number, readAt: number): number | null {
  const [readings, setReadings] = useState<readonly Reading[]>([]);
  if (readings.at(-1)?.at !== readAt) {
    const recent = readings.filter(({ at }) => at >= readAt - SPAN);
    setReadings([...recent, { at: readAt, handled }]);
  }
  return rateOf(readings);
}
