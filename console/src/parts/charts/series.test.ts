import { expect, test } from "vitest";
import { type ChartData, endsOf, instantOf, readout, stacked, tickOf, ticks } from "./series";

const NOON = Date.UTC(2026, 2, 14, 12);

test("ticks are round, have zero among them and cover everything", () => {
  expect(ticks(0, 187)).toEqual([0, 50, 100, 150, 200]);
  expect(ticks(-40, 95)).toEqual([-50, 0, 50, 100]);
  expect(ticks(0, 0)).toEqual([0, 1]);
  expect(ticks(0, 2)).toEqual([0, 1, 2]);
});

test("a single instant is shown with the hour before it, and not with years", () => {
  const ends = (...at: number[]) => endsOf({ at, span: "minute", series: [] });
  expect(ends(NOON, NOON + 60_000)).toEqual([NOON / 1000, NOON / 1000 + 60]);
  expect(ends(NOON)).toEqual([NOON / 1000 - 3600, NOON / 1000]);
});

test("what comes stands upon each other, what goes hangs below", () => {
  const series = [
    { key: "a", label: "A", values: [3] },
    { key: "b", label: "B", values: [-2] },
    { key: "c", label: "C", values: [4] },
    { key: "d", label: "D", values: [null] },
  ];
  expect(stacked(series, 0)).toEqual([
    { from: 0, to: 3 },
    { from: 0, to: -2 },
    { from: 3, to: 7 },
    { from: 7, to: 7 },
  ]);
});

test("an instant reads out all series and what stands out there", () => {
  const data: ChartData = {
    at: [NOON],
    span: "hour",
    series: [
      { key: "a", label: "Highgarden", values: [1204] },
      { key: "b", label: "Ravenmoor", values: [null] },
    ],
    marks: [{ index: 0, label: "9 times the usual" }],
  };
  expect(readout(data, 0, "utc")).toBe(
    "Sat 2026-03-14 12:00: Highgarden 1,204, Ravenmoor –. 9 times the usual",
  );
});

test("days are those of UTC in every time zone", () => {
  const midnight = Date.UTC(2026, 2, 14);
  expect(instantOf(midnight, "day", "local")).toBe("Sat 2026-03-14");
  expect(tickOf(midnight, "day", "local")).toBe("14 Mar");
  expect(tickOf(midnight, "hour", "utc")).toBe("14 Mar");
  expect(tickOf(NOON, "hour", "utc")).toBe("12:00");
});
