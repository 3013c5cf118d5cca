import { SegmentedControl } from "@mantine/core";
import { RANGES, type Range } from "~/online";

const text = { label: "How far back", day: "24 h", week: "7 d", month: "30 d" };

/** A day, a week or a month. */
export function RangeChoice({ range, onRange }: { range: Range; onRange: (to: Range) => void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={text.label}
      value={range}
      data={RANGES.map((one) => ({ value: one, label: text[one] }))}
      onChange={(chosen) => onRange(RANGES.find((one) => one === chosen) ?? "day")}
    />
  );
}
