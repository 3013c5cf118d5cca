import { expect, test } from "vitest";
import { dayOfMonth, relative, relativeDay } from "~/format";

const NOW = new Date("2026-11-16T18:13:00Z");

test.each([
  ["2026-11-16T18:12:55Z", "just now"],
  ["2026-11-16T18:12:20Z", "40 seconds ago"],
  ["2026-11-16T17:43:00Z", "30 minutes ago"],
  ["2026-11-16T00:00:00Z", "18 hours ago"],
  ["2026-11-15T23:59:59Z", "yesterday, 23:59"],
  ["2026-11-15T00:00:00Z", "yesterday, 00:00"],
  ["2026-11-14T23:59:59Z", "2026-11-14 23:59"],
  ["2026-11-14T18:39:00Z", "2026-11-14 18:39"],
  ["2025-01-02T03:04:05Z", "2025-01-02 03:04"],
  ["2026-11-16T20:13:00Z", "in 2 hours"],
  ["2026-11-17T08:00:00Z", "tomorrow, 08:00"],
  ["2026-12-01T08:00:00Z", "2026-12-01 08:00"],
])("%s is %s", (at, words) => {
  expect(relative(new Date(at), NOW, "utc")).toBe(words);
});

test("the last hour is counted in minutes, also across midnight", () => {
  const now = new Date("2026-11-16T00:10:00Z");
  expect(relative(new Date("2026-11-15T23:50:00Z"), now, "utc")).toBe("20 minutes ago");
});

test("a day is that of the viewer's zone", () => {
  // Local time, whatever the zone of the machine is; the first minute of a day and the last before.
  const now = new Date(2026, 10, 16, 18, 13);
  expect(relative(new Date(2026, 10, 16, 0, 0), now, "local")).toBe("18 hours ago");
  expect(relative(new Date(2026, 10, 15, 23, 59), now, "local")).toBe("yesterday, 23:59");
  expect(relative(new Date(2026, 10, 14, 23, 59), now, "local")).toBe("2026-11-14 23:59");
});

test("a day of an axis has the name of its month", () => {
  expect(dayOfMonth(new Date("2026-11-09T23:30:00Z"), "utc")).toBe("9 Nov");
  expect(dayOfMonth(new Date(2026, 10, 9), "local")).toBe("9 Nov");
});

test("beside an exact instant the day is enough", () => {
  expect(relativeDay(new Date("2026-11-16T10:13:00Z"), NOW, "utc")).toBe("8 hours ago");
  expect(relativeDay(new Date("2026-11-15T23:59:00Z"), NOW, "utc")).toBe("yesterday");
  expect(relativeDay(new Date("2026-11-12T23:59:00Z"), NOW, "utc")).toBe("4 days ago");
});
