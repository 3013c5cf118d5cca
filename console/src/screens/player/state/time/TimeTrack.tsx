import { useMergedRef, useMove } from "@mantine/hooks";
import { clsx } from "clsx";
import { type CSSProperties, type KeyboardEvent, useRef } from "react";
import { time as clock, day, dayOfMonth, exact } from "~/format";
import { factsOf } from "~/parts/actions/kinds";
import { useTimeZone } from "~/preferences";
import { text } from "../text";
import { rounded, type Step, stepAt } from "./moments";
import classes from "./TimeBar.module.css";

interface TimeTrackProps {
  steps: Step[];
  begin: number;
  now: number;
  /** Absent: now. */
  time: number | undefined;
  onTime: (time: number | undefined) => void;
  /** One change back or forth. */
  onStep: (direction: -1 | 1) => void;
}

const SNAP_PX = 6;
const DAY = 86_400_000;
const MARKS = 160;

/** The slider itself: time from left to right, a mark for each change, now at the right end. */
export function TimeTrack({ steps, begin, now, time, onTime, onStep }: TimeTrackProps) {
  const [zone] = useTimeZone();
  const width = useRef<HTMLDivElement>(null);
  const { ref } = useMove(({ x }) => onTime(snapped(x)));
  const merged = useMergedRef(width, ref);
  const span = now - begin;
  const place = time === undefined ? 1 : Math.min(1, Math.max(0, (time - begin) / span));
  const said =
    time === undefined ? text.time.now : exact(rounded(new Date(time).toISOString()), zone);

  /** The instant at a point; a mark that is close enough holds it. */
  function snapped(x: number): number | undefined {
    const pixel = span / (width.current?.clientWidth || 1);
    if (x > 1 - SNAP_PX / (width.current?.clientWidth || 1)) return undefined;
    const wanted = begin + x * span;
    const before = stepAt(steps, wanted);
    const near = [steps[before], steps[before + 1]]
      .filter((step) => step !== undefined)
      .filter((step) => Math.abs(step.time - wanted) < SNAP_PX * pixel)
      .sort((a, b) => Math.abs(a.time - wanted) - Math.abs(b.time - wanted));
    return near[0]?.time ?? wanted;
  }

  function press(event: KeyboardEvent) {
    const from = time ?? now;
    const moves = new Map([
      ["ArrowLeft", () => onStep(-1)],
      ["ArrowDown", () => onStep(-1)],
      ["ArrowRight", () => onStep(1)],
      ["ArrowUp", () => onStep(1)],
      ["PageDown", () => onTime(Math.max(begin, from - DAY))],
      ["PageUp", () => onTime(from + DAY >= now ? undefined : from + DAY)],
      ["Home", () => onTime(steps[0]?.time ?? begin)],
      ["End", () => onTime(undefined)],
    ]);
    const move = moves.get(event.key);
    if (!move) return;
    event.preventDefault();
    move();
  }

  return (
    <div className={classes.trackArea}>
      <div ref={merged} className={classes.track}>
        <div className={classes.line} />
        {marksOf(steps, begin, span).map((mark) => (
          <span
            key={mark.place}
            className={clsx(classes.mark, classes[mark.tone])}
            style={
              { "--at": `${mark.place * 100}%`, "--tall": `${mark.height}px` } as CSSProperties
            }
          />
        ))}
        <div
          className={clsx(classes.thumb, time !== undefined && classes.past)}
          style={{ "--at": `${place * 100}%` } as CSSProperties}
          role="slider"
          tabIndex={0}
          aria-label={text.time.slider}
          aria-valuemin={0}
          aria-valuemax={Math.round(span / 1000)}
          aria-valuenow={Math.round((place * span) / 1000)}
          aria-valuetext={said}
          onKeyDown={press}
        />
      </div>
      <div className={classes.axis} aria-hidden="true">
        {[0, 0.25, 0.5, 0.75].map((part) => (
          <span key={part} style={{ "--at": `${part * 100}%` } as CSSProperties}>
            {label(begin + part * span)}
          </span>
        ))}
        <span className={classes.end}>{text.time.now}</span>
      </div>
    </div>
  );

  function label(at: number): string {
    const instant = new Date(at);
    if (span <= DAY) return clock(instant, zone).slice(0, 5);
    const year = span > 180 * DAY ? ` ${day(instant, zone).slice(0, 4)}` : "";
    return dayOfMonth(instant, zone) + year;
  }
}

type Tone = "gain" | "loss" | "other";

interface TrackMark {
  place: number;
  height: number;
  tone: Tone;
}

/** Marks that would lie on each other are one, taller. */
function marksOf(steps: readonly Step[], begin: number, span: number): TrackMark[] {
  const found = new Map<number, { count: number; tones: Set<Tone> }>();
  for (const step of steps) {
    const place = Math.round(((step.time - begin) / span) * MARKS) / MARKS;
    if (place < 0 || place > 1) continue;
    const here = found.get(place) ?? { count: 0, tones: new Set<Tone>() };
    here.count += 1;
    for (const kind of step.kinds) here.tones.add(toneOf(kind));
    found.set(place, here);
  }
  return [...found].map(([place, { count, tones }]) => ({
    place,
    height: Math.min(26, 12 + 3 * Math.log2(count)),
    tone: tones.has("loss") ? "loss" : tones.has("gain") ? "gain" : "other",
  }));
}

function toneOf(kind: string): Tone {
  const { tone } = factsOf(kind);
  return tone === "loss" || tone === "gain" ? tone : "other";
}
