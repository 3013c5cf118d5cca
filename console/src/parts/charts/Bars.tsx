import { type ReactNode, useId } from "react";
import { compact } from "~/format";
import { useTimeZone } from "~/preferences";
import { ChartFrame } from "./ChartFrame";
import classes from "./Charts.module.css";
import type { PlotProps } from "./PlotArea";
import { BOTTOM, LEFT, placeOf, RIGHT, TOP } from "./place";
import { Patterns } from "./Swatch";
import { type ChartData, stacked, tickOf, ticks } from "./series";

interface BarsProps {
  title: string;
  beside?: ReactNode;
  note?: ReactNode;
  data: ChartData;
  height?: number;
  /** Opens an instant: by a click on its bar, or by Enter. */
  onOpen?: ((index: number) => void) | undefined;
}

/** Bars that stand on each other; what is negative hangs below zero. */
export function Bars({ onOpen, ...props }: BarsProps) {
  return (
    <ChartFrame
      {...props}
      isBars
      onOpen={onOpen}
      plot={(plot) => <BarsPlot {...plot} onOpen={onOpen} />}
    />
  );
}

function BarsPlot(props: PlotProps & { onOpen?: BarsProps["onOpen"] }) {
  const { data, width, height, cursor, onCursor, onOpen } = props;
  const id = useId();
  const [zone] = useTimeZone();
  const count = data.at.length;
  const columns = data.at.map((_, index) => stacked(data.series, index));
  const ends = columns.flat().map((one) => one.to);
  const values = ticks(Math.min(0, ...ends), Math.max(0, ...ends));
  const [low, high] = [values[0] ?? 0, values.at(-1) ?? 1];
  const room = height - TOP - BOTTOM;
  const y = (value: number) => TOP + ((high - value) / (high - low)) * room;
  const place = (width - LEFT - RIGHT) / Math.max(1, count);
  const thick = Math.max(1, Math.min(40, place * 0.72));
  const every = Math.max(1, Math.ceil(64 / place));

  function under(clientX: number, box: DOMRect): number | null {
    const index = Math.floor((clientX - box.left - LEFT) / place);
    return index >= 0 && index < count ? index : null;
  }

  return (
    <svg
      className={classes.svg}
      width={width}
      height={height}
      aria-hidden="true"
      style={{ cursor: onOpen ? "pointer" : undefined }}
      onPointerMove={(event) =>
        onCursor(under(event.clientX, event.currentTarget.getBoundingClientRect()))
      }
      onPointerLeave={() => onCursor(null)}
      onClick={(event) => {
        const index = under(event.clientX, event.currentTarget.getBoundingClientRect());
        if (index !== null) onOpen?.(index);
      }}
    >
      <Patterns id={id} count={data.series.length} />
      <rect width={width} height={height} fill="transparent" />
      {cursor !== null && (
        <rect
          className={classes.here}
          x={LEFT + cursor * place}
          y={TOP}
          width={place}
          height={room}
        />
      )}
      {values.map((value) => (
        <g key={value}>
          <line
            className={value === 0 ? classes.zero : classes.grid}
            x1={LEFT}
            x2={width - RIGHT}
            y1={y(value)}
            y2={y(value)}
          />
          <text className={classes.tick} x={LEFT - 8} y={y(value) + 4} textAnchor="end">
            {compact(value)}
          </text>
        </g>
      ))}
      {columns.map((column, index) => (
        <g key={data.at[index]}>
          {column.map(({ from, to }, at) => (
            <rect
              key={data.series[at]?.key}
              x={placeOf(data, index, width, true) - thick / 2}
              y={Math.min(y(from), y(to))}
              width={thick}
              height={Math.abs(y(from) - y(to))}
              fill={`url(#${id}-${at})`}
            />
          ))}
          {(count - 1 - index) % every === 0 && (
            <text
              className={classes.tick}
              x={placeOf(data, index, width, true)}
              y={height - 6}
              textAnchor="middle"
            >
              {tickOf(data.at[index] ?? 0, data.span, zone)}
            </text>
          )}
        </g>
      ))}
      {(data.marks ?? []).map((mark) => {
        const top = y(Math.max(0, ...(columns[mark.index] ?? []).map((one) => one.to))) - 4;
        const x = placeOf(data, mark.index, width, true);
        return <path key={mark.index} className={classes.mark} d={`M${x} ${top}l-5-8h10z`} />;
      })}
    </svg>
  );
}
