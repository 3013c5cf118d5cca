import { expect, test } from "vitest";
import { levelOf, monthsOf, weeksOf } from "./days";

const PLAYED = [{ Day: "2026-11-14", Seconds: 7_200, Sessions: 2 }];

test("weeks begin on Monday and hold every day once", () => {
  const weeks = weeksOf("2026-11-11", "2026-11-17", PLAYED);
  expect(weeks.map((week) => week.map((day) => day?.day.slice(8) ?? ""))).toEqual([
    ["", "", "11", "12", "13", "14", "15"],
    ["16", "17", "", "", "", "", ""],
  ]);
  expect(weeks[0]?.[5]).toEqual({ day: "2026-11-14", seconds: 7_200, sessions: 2, level: 3 });
});

test("a year that ends on a Sunday has no empty week", () => {
  const weeks = weeksOf("2025-11-17", "2026-11-15", []);
  expect(weeks).toHaveLength(52);
  expect(weeks.flat()).not.toContain(null);
});

test("a month stands above the week in which it begins", () => {
  const weeks = weeksOf("2026-09-28", "2026-11-15", []);
  expect(monthsOf(weeks)).toEqual([
    { week: 0, name: "Oct" },
    { week: 4, name: "Nov" },
  ]);
});

test.each([
  [0, 0],
  [60, 1],
  [3_600, 2],
  [10_000, 3],
  [40_000, 4],
])("%i seconds have level %i", (seconds, level) => {
  expect(levelOf(seconds)).toBe(level);
});
