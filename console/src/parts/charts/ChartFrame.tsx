import { Group, SegmentedControl, Text, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTimeZone } from "~/preferences";
import classes from "./Charts.module.css";
import { ChartTable } from "./ChartTable";
import { PlotArea, type PlotAreaProps } from "./PlotArea";
import { Swatch } from "./Swatch";
import type { ChartData } from "./series";
import { text } from "./text";
import "./charts.css";

interface ChartFrameProps extends Omit<PlotAreaProps, "height"> {
  /** Beside the title, such as a choice of how far back. */
  beside?: ReactNode;
  /** Under the chart: from when the numbers are. */
  note?: ReactNode;
  height?: number;
}

/** What every chart has: a title, a legend, its values read out, and the same as a table. */
export function ChartFrame({ beside, note, height = 220, ...area }: ChartFrameProps) {
  const { title, data } = area;
  const [view, setView] = useState<"chart" | "table">("chart");
  const [zone] = useTimeZone();
  return (
    <section aria-label={title}>
      <div className={classes.head}>
        <Title order={2}>{title}</Title>
        <Group gap="sm">
          {beside}
          <SegmentedControl
            size="xs"
            aria-label={text.view(title)}
            value={view}
            onChange={(chosen) => setView(chosen === "table" ? "table" : "chart")}
            data={[
              { value: "chart", label: text.chart },
              { value: "table", label: text.table },
            ]}
          />
        </Group>
      </div>
      {view === "table" ? (
        <ChartTable title={title} data={data} zone={zone} />
      ) : (
        <>
          {data.series.length > 1 && <Legend data={data} />}
          <PlotArea {...area} height={height} />
        </>
      )}
      <Group justify="space-between" gap="sm" mt={4}>
        <Text size="xs" c="dimmed" component="div">
          {note}
        </Text>
        <Text size="xs" c="dimmed">
          {data.span === "day" ? text.days : zone === "utc" ? text.utc : text.local}
        </Text>
      </Group>
    </section>
  );
}

function Legend({ data }: { data: ChartData }) {
  return (
    <ul className={classes.legend}>
      {data.series.map((one, index) => (
        <li key={one.key} className={classes.entry}>
          <Swatch index={index} /> {one.label}
        </li>
      ))}
    </ul>
  );
}
