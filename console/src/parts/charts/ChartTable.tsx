import { Table } from "@mantine/core";
import type { TimeZone } from "~/preferences";
import classes from "./Charts.module.css";
import { type ChartData, instantOf, marksAt, numberOf } from "./series";
import { text } from "./text";

interface ChartTableProps {
  title: string;
  data: ChartData;
  zone: TimeZone;
}

/** What a chart shows, in numbers, newest first. */
export function ChartTable({ title, data, zone }: ChartTableProps) {
  const newest = data.at.map((at, index) => ({ at, index })).reverse();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keys must reach it
    <section className={classes.rows} tabIndex={0} aria-label={title}>
      <Table aria-label={title} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{text.when}</Table.Th>
            {data.series.map((one) => (
              <Table.Th key={one.key} scope="col" className={classes.number}>
                {one.label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {newest.map(({ at, index }) => (
            <Table.Tr key={at}>
              <Table.Th scope="row" fw={400}>
                {instantOf(at, data.span, zone)}
                {marksAt(data, index).map((mark) => (
                  <span key={mark.label} className={classes.readMark}>
                    {" "}
                    ▼ {mark.label}
                  </span>
                ))}
              </Table.Th>
              {data.series.map((one) => (
                <Table.Td key={one.key} className={classes.number}>
                  {numberOf(one.values[index])}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
