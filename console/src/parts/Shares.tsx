import { Tooltip } from "@mantine/core";
import { useId } from "react";
import { Patterns } from "./charts/Swatch";
import "./charts/charts.css";

interface SharesProps {
  values: number[];
  /** What they are, in words. */
  label: string;
  width: number;
}

/** The parts of a whole as one bar. */
export function Shares({ values, label, width }: SharesProps) {
  const id = useId();
  const whole = values.reduce((sum, value) => sum + value, 0);
  let from = 0;
  return (
    <Tooltip label={label}>
      <svg width={width} height={10} role="img" aria-label={label}>
        <Patterns id={id} count={values.length} />
        <rect width={width} height={10} rx={3} fill="var(--gk-chart-grid)" />
        {values.map((value, index) => {
          const x = from;
          from += whole ? (value / whole) * width : 0;
          const fill = `url(#${id}-${index})`;
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what it is
          return <rect key={index} x={x} width={from - x} height={10} fill={fill} />;
        })}
      </svg>
    </Tooltip>
  );
}
