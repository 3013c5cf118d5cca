import type { PlayedDays } from "@gamekeeper/client";
import { Group, Text } from "@mantine/core";
import { clsx } from "clsx";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { duration } from "~/format";
import { text } from "../text";
import { type HeatDay, monthsOf, weeksOf } from "./days";
import classes from "./Sessions.module.css";

interface HeatMapProps {
  played: PlayedDays;
  /** The day up to which the table below shows sessions. */
  chosen: string | undefined;
  onDay: (day: string) => void;
}

/** A year, a square for each day: the darker, the longer it was played. Arrow keys walk in it. */
export function HeatMap({ played, chosen, onDay }: HeatMapProps) {
  const weeks = useMemo(() => weeksOf(played.From, played.To, played.Values), [played]);
  const months = useMemo(() => monthsOf(weeks), [weeks]);
  const [current, setCurrent] = useState(played.To);
  const [hovered, setHovered] = useState<HeatDay | null>(null);
  const root = useRef<HTMLTableElement>(null);

  function walk(event: KeyboardEvent) {
    const steps = new Map([
      ["ArrowUp", -1],
      ["ArrowDown", 1],
      ["ArrowLeft", -7],
      ["ArrowRight", 7],
    ]);
    const step = steps.get(event.key);
    if (step === undefined) return;
    event.preventDefault();
    const next = new Date(Date.parse(current) + step * 86_400_000).toISOString().slice(0, 10);
    if (next < played.From || next > played.To) return;
    setCurrent(next);
    root.current?.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus();
  }

  return (
    <div>
      <div className={classes.scroll}>
        <table
          ref={root}
          className={classes.map}
          aria-label={text.sessions.heatMap}
          onKeyDown={walk}
        >
          <thead aria-hidden="true">
            <tr>
              <td />
              {weeks.map((week, index) => (
                <td key={week.find(Boolean)?.day} className={classes.month}>
                  <span>{months.find((month) => month.week === index)?.name}</span>
                </td>
              ))}
            </tr>
          </thead>
          <tbody>
            {text.sessions.weekdays.map((name, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the days of a week stay in their order
              <tr key={row}>
                <td className={classes.weekday} aria-hidden="true">
                  {name}
                </td>
                {weeks.map((week) => {
                  const day = week[row];
                  if (!day) return <td key={week.find(Boolean)?.day} />;
                  return (
                    <td key={day.day}>
                      <button
                        type="button"
                        data-day={day.day}
                        tabIndex={day.day === current ? 0 : -1}
                        aria-label={told(day)}
                        aria-pressed={day.day === chosen}
                        className={clsx(classes.day, classes[`level${day.level}`])}
                        onFocus={() => {
                          setCurrent(day.day);
                          setHovered(day);
                        }}
                        onMouseEnter={() => setHovered(day)}
                        onClick={() => onDay(day.day)}
                      />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Group justify="space-between" mt="xs">
        <Text size="sm" c={hovered ? undefined : "dimmed"}>
          {hovered ? told(hovered) : text.sessions.utc}
        </Text>
        <Group gap={4} aria-hidden="true">
          <Text size="xs" c="dimmed">
            {text.sessions.less}
          </Text>
          {[0, 1, 2, 3, 4].map((level) => (
            <span key={level} className={clsx(classes.day, classes[`level${level}`])} />
          ))}
          <Text size="xs" c="dimmed">
            {text.sessions.more}
          </Text>
        </Group>
      </Group>
    </div>
  );
}

function told({ day, seconds, sessions }: HeatDay): string {
  return text.sessions.day(day, duration(seconds), sessions);
}
