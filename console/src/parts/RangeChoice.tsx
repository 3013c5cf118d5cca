import { SegmentedControl } from "@mantine/core";
import { RANGES, type Range } from "~/online";
import { text } from "./text";

/** A day, a week or a month. */
export function RangeChoice({ range, onRange }: { range: Range; onRange: (to: Range) => void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={text.range.label}
      value={range}
      data={RANGES.map((one) => ({ value: one, label: text.range[one] }))}
      onChange={(chosen) => onRange(RANGES.find((one) => one === chosen) ?? "day")}
    />
  );
}
