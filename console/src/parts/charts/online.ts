import type { OnlineHistory } from "@gamekeeper/client";
import type { ChartData, Series, Span } from "./series";

/** More than these are drawn as one: nobody could tell them apart. */
const MOST = 6;

interface Labels {
  online: string;
  /** Everybody who is in no curve of a server. */
  others: string;
  /** A server that is gone. */
  gone: string;
}

/**
 * How many were online, by server if the history tells; `step` points are drawn as one, their
 * average.
 */
export function onlineChart(history: OnlineHistory, step: number, labels: Labels): ChartData {
  const { Values, Servers = [], Span } = history;
  const span: Span = Span;
  const at = every(Values, step).map((part) => new Date(part[0]?.At ?? 0).getTime());
  const averages = (values: number[]) => every(values, step).map(mean);
  const known = Servers.filter((one) => one.ServerId !== null);
  if (known.length < 2) {
    const values = averages(Values.map((one) => one.Average));
    return { at, span, series: [{ key: "online", label: labels.online, values }] };
  }
  const largest = [...known].sort((one, other) => sum(other.Averages) - sum(one.Averages));
  const series: Series[] = largest.slice(0, MOST).map((one) => ({
    key: one.ServerId ?? "",
    label: one.ServerName ?? labels.gone,
    values: averages(one.Averages),
  }));
  // The rest: small servers, and what was counted before servers were counted one by one.
  const shown = largest.slice(0, MOST).map((one) => one.Averages);
  const rest = Values.map((one, index) =>
    Math.max(0, one.Average - sum(shown.map((averages) => averages[index] ?? 0))),
  );
  if (rest.some((value) => value > 0.5)) {
    series.push({ key: "others", label: labels.others, values: averages(rest) });
  }
  return { at, span, series };
}

/** The curve of one server alone; unknown where somebody played, but not where is told. */
export function serverChart(history: OnlineHistory, id: string, step: number, label: string) {
  const curve = history.Servers?.find((one) => one.ServerId === id);
  const all = history.Servers ?? [];
  const values = history.Values.map(({ Average }, index) => {
    const isTold = Average === 0 || all.some((one) => (one.Averages[index] ?? 0) > 0);
    return isTold ? (curve?.Averages[index] ?? 0) : null;
  });
  const data: ChartData = {
    at: every(history.Values, step).map((part) => new Date(part[0]?.At ?? 0).getTime()),
    span: history.Span,
    series: [
      {
        key: id,
        label,
        values: every(values, step).map((part) => {
          const told = part.filter((value) => value !== null);
          return told.length > 0 ? mean(told) : null;
        }),
      },
    ],
  };
  return data;
}

function every<T>(values: T[], step: number): T[][] {
  return Array.from({ length: Math.ceil(values.length / step) }, (_, index) =>
    values.slice(index * step, (index + 1) * step),
  );
}

function sum(values: number[]): number {
  return values.reduce((one, other) => one + other, 0);
}

function mean(values: number[]): number {
  return values.length ? Math.round((10 * sum(values)) / values.length) / 10 : 0;
}
