import { type KeyboardEvent, type ReactNode, useState } from "react";
import { useTimeZone } from "~/preferences";
import classes from "./Charts.module.css";
import { placeOf } from "./place";
import { Reading } from "./Reading";
import { type ChartData, readout } from "./series";
import { text } from "./text";
import { useWidth } from "./width";

export interface PlotProps {
  data: ChartData;
  width: number;
  height: number;
  /** The instant that is read out, by the pointer or by the keys. */
  cursor: number | null;
  onCursor: (cursor: number | null) => void;
}

export interface PlotAreaProps {
  title: string;
  data: ChartData;
  height: number;
  /** Bars stand in the middle of their place, points on it. */
  isBars?: boolean;
  /** Opens an instant: by Enter. */
  onOpen?: ((index: number) => void) | undefined;
  plot: (props: PlotProps) => ReactNode;
}

/** A plot through which the pointer and the arrow keys walk; each instant is read out. */
export function PlotArea({ title, data, height, isBars = false, onOpen, plot }: PlotAreaProps) {
  const [cursor, setCursor] = useState<number | null>(null);
  const [zone] = useTimeZone();
  const [ref, width] = useWidth<HTMLDivElement>();
  const here = cursor !== null && cursor < data.at.length ? cursor : null;

  function walk(event: KeyboardEvent) {
    if (event.key === "Enter" && here !== null) onOpen?.(here);
    const next = step(event.key, here, data.at.length);
    if (next === undefined) return;
    event.preventDefault();
    setCursor(next);
  }

  return (
    <>
      {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex: the keys walk through it */}
      <div
        ref={ref}
        className={classes.plot}
        style={{ height }}
        role="application"
        aria-roledescription={text.chart}
        aria-label={`${title}. ${text.keys}`}
        tabIndex={0}
        onKeyDown={walk}
        onBlur={() => setCursor(null)}
      >
        {width > 0 && plot({ data, width, height, cursor: here, onCursor: setCursor })}
        {here !== null && (
          <Reading
            data={data}
            index={here}
            zone={zone}
            left={placeOf(data, here, width, isBars)}
            width={width}
          />
        )}
      </div>
      {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: until here */}
      <output className="sr-only">{here !== null && readout(data, here, zone)}</output>
    </>
  );
}

/** Where a key leads from an instant; undefined: it is not for the chart. */
function step(key: string, from: number | null, count: number): number | null | undefined {
  const last = count - 1;
  const at = from ?? last + 1;
  const page = Math.max(1, Math.round(count / 10));
  const moves: Record<string, number> = {
    ArrowLeft: at - 1,
    ArrowRight: from === null ? last : at + 1,
    PageUp: at - page,
    PageDown: at + page,
    Home: 0,
    End: last,
  };
  if (key === "Escape") return from === null ? undefined : null;
  const next = moves[key];
  return next === undefined || last < 0 ? undefined : Math.min(last, Math.max(0, next));
}
