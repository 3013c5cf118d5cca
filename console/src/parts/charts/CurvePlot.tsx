import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useEffectEvent, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { compact } from "~/format";
import { type TimeZone, useTimeZone } from "~/preferences";
import type { PlotProps } from "./PlotArea";
import { dashOf } from "./palette";
import { BOTTOM, LEFT, RIGHT, TOP } from "./place";
import { type ChartData, endsOf, tickOf, ticks } from "./series";

/** The curve itself, on a canvas. */
export default function CurvePlot(props: PlotProps & { isStacked: boolean }) {
  const { data, width, height, cursor, onCursor, isStacked } = props;
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const scheme = useComputedColorScheme();
  const [zone] = useTimeZone();
  const tell = useEffectEvent((index: number | null) => onCursor(index));

  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme is in the CSS variables
  useEffect(() => {
    if (!box.current) return;
    const look = getComputedStyle(box.current);
    const options = optionsOf({ data, width, height, isStacked, zone, look, tell });
    const made = new uPlot(options, alignedOf(data, isStacked), box.current);
    plot.current = made;
    return () => made.destroy();
  }, [data, width, height, isStacked, zone, scheme]);

  useEffect(() => {
    const at = cursor === null ? undefined : data.at[cursor];
    const left = at === undefined ? -10 : (plot.current?.valToPos(at / 1000, "x") ?? -10);
    plot.current?.setCursor({ left, top: 0 }, false);
  }, [cursor, data]);

  return <div ref={box} aria-hidden="true" />;
}

function alignedOf({ at, series }: ChartData, isStacked: boolean): uPlot.AlignedData {
  const x = at.map((one) => one / 1000);
  if (!isStacked) return [x, ...series.map((one) => one.values)];
  const sums = at.map(() => 0);
  const upon = series.map((one) =>
    one.values.map((value, index) => {
      sums[index] = (sums[index] ?? 0) + (value ?? 0);
      return sums[index];
    }),
  );
  return [x, ...upon];
}

interface Making {
  data: ChartData;
  width: number;
  height: number;
  isStacked: boolean;
  zone: TimeZone;
  look: CSSStyleDeclaration;
  tell: (index: number | null) => void;
}

function optionsOf({ data, width, height, isStacked, zone, look, tell }: Making): uPlot.Options {
  const color = (name: string) => look.getPropertyValue(name).trim();
  const axis = {
    stroke: color("--mantine-color-dimmed"),
    font: `11px ${look.fontFamily}`,
    ticks: { show: false },
  };
  const grid = { stroke: color("--gk-chart-grid"), width: 1 };
  const count = data.series.length;
  return {
    width,
    height,
    padding: [TOP, RIGHT, 0, 0],
    legend: { show: false },
    tzDate: (seconds) =>
      zone === "utc" || data.span === "day"
        ? uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC")
        : new Date(seconds * 1000),
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
    scales: {
      x: { range: () => endsOf(data) },
      y: { range: (_, __, most) => rangeOf(data, isStacked, most) },
    },
    axes: [
      {
        ...axis,
        size: BOTTOM,
        space: 72,
        grid: { show: false },
        values: (_, at) => at.map((one) => tickOf(one * 1000, data.span, zone)),
      },
      {
        ...axis,
        size: LEFT,
        grid,
        splits: (_, __, low, high) => ticks(low, high),
        values: (_, values) => values.map(compact),
      },
    ],
    series: [
      {},
      ...data.series.map((one, index): uPlot.Series => {
        const stroke = color(`--gk-series-${(index % 7) + 1}`);
        const fills = isStacked ? index === 0 : count === 1;
        return {
          label: one.label,
          stroke,
          width: 1.75,
          dash: isStacked ? [] : dashOf(index),
          points: { show: data.at.length < 3 },
          ...(fills && { fill: `${stroke}${isStacked ? "66" : "22"}` }),
        };
      }),
    ],
    bands: isStacked
      ? data.series.slice(1).map((_, index) => ({
          series: [index + 2, index + 1] as [number, number],
          fill: `${color(`--gk-series-${((index + 1) % 7) + 1}`)}66`,
        }))
      : [],
    hooks: {
      setCursor: [(made) => tell(made.cursor.idx ?? null)],
      draw: [(made) => drawMarks(made, data, color("--gk-changed"))],
    },
  };
}

/** Up to a round number, and down to zero: a curve that begins at 90 % would lie. */
function rangeOf(data: ChartData, isStacked: boolean, most: number | null): [number, number] {
  const low = isStacked ? 0 : Math.min(0, ...data.series.flatMap((one) => one.values.map(Number)));
  const values = ticks(low, most ?? 1);
  return [values[0] ?? 0, values.at(-1) ?? 1];
}

function drawMarks({ ctx, bbox, valToPos }: uPlot, data: ChartData, color: string) {
  const unit = devicePixelRatio;
  ctx.save();
  ctx.fillStyle = color;
  for (const { index } of data.marks ?? []) {
    const x = valToPos((data.at[index] ?? 0) / 1000, "x", true);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top + 4 * unit);
    ctx.lineTo(x - 5 * unit, bbox.top - 4 * unit);
    ctx.lineTo(x + 5 * unit, bbox.top - 4 * unit);
    ctx.fill();
  }
  ctx.restore();
}
