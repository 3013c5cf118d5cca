import { Text } from "@mantine/core";
import { grouped } from "~/format";
import type { TimeZone } from "~/preferences";
import classes from "./Charts.module.css";
import { Swatch } from "./Swatch";
import { type ChartData, instantOf, marksAt, numberOf } from "./series";

interface ReadingProps {
  data: ChartData;
  index: number;
  zone: TimeZone;
  left: number;
  width: number;
}

/** All series at one instant, beside the cursor. The keys' user hears it elsewhere. */
export function Reading({ data, index, zone, left, width }: ReadingProps) {
  const there = data.series
    .map((one, place) => ({ ...one, place, value: one.values[index] ?? null }))
    .filter((one) => data.series.length === 1 || (one.value !== null && one.value !== 0));
  return (
    <div
      className={classes.read}
      data-side={left > width / 2 ? "left" : "right"}
      style={{ left }}
      aria-hidden="true"
    >
      <Text size="xs" c="dimmed" mb={4}>
        {instantOf(data.at[index] ?? 0, data.span, zone)}
      </Text>
      {there.map((one) => (
        <div key={one.key} className={classes.readLine}>
          <Swatch index={one.place} /> {one.label} <b>{numberOf(one.value)}</b>
        </div>
      ))}
      {there.length === 0 && grouped(0)}
      {marksAt(data, index).map((mark) => (
        <div key={mark.label} className={classes.readMark}>
          ▼ {mark.label}
        </div>
      ))}
    </div>
  );
}
