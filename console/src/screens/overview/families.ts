import type { ActionHours } from "@gamekeeper/client";
import { factsOf } from "~/parts/actions/kinds";
import { SERIES, type Series } from "~/parts/actions/kinds.generated";
import type { ChartData } from "~/parts/charts/series";

const HOUR = 3_600_000;

/** Actions by hour and series, hours without any included; series without any left out. */
export function perHour(
  { Since, Values }: Pick<ActionHours, "Since" | "Values">,
  until: Date,
  labels: Record<Series, string>,
): ChartData {
  const first = Math.floor(new Date(Since).getTime() / HOUR) * HOUR;
  const count = Math.max(1, Math.floor((until.getTime() - first) / HOUR) + 1);
  const at = Array.from({ length: count }, (_, index) => first + index * HOUR);
  const sums = new Map<Series, number[]>();
  for (const { Hour, Kind, Count } of Values) {
    const index = Math.round((new Date(Hour).getTime() - first) / HOUR);
    if (index < 0 || index >= count) continue;
    const { series } = factsOf(Kind);
    const values = sums.get(series) ?? at.map(() => 0);
    values[index] = (values[index] ?? 0) + Count;
    sums.set(series, values);
  }
  const series = SERIES.filter((one) => sums.has(one)).map((one) => ({
    key: one,
    label: labels[one],
    values: sums.get(one) ?? [],
  }));
  return { at, span: "hour", series };
}
