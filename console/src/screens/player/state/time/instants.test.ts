import { describe, expect, test } from "vitest";
import { parseInstant } from "./instants";

/** A Monday. */
const NOW = new Date("2026-11-16T14:30:15Z");

function parsed(typed: string): string | undefined {
  return parseInstant(typed, NOW, "utc")?.toISOString().replace(".000Z", "Z");
}

describe("an instant that somebody typed", () => {
  test.each([
    ["now", "2026-11-16T14:30:15Z"],
    ["2 h ago", "2026-11-16T12:30:15Z"],
    ["2h", "2026-11-16T12:30:15Z"],
    ["90 minutes ago", "2026-11-16T13:00:15Z"],
    ["an hour ago", "2026-11-16T13:30:15Z"],
    ["1.5 hours ago", "2026-11-16T13:00:15Z"],
    ["3 days ago", "2026-11-13T14:30:15Z"],
    ["a week ago", "2026-11-09T14:30:15Z"],
    ["Yesterday 18:00", "2026-11-15T18:00:00Z"],
    ["yesterday at 6pm", "2026-11-15T18:00:00Z"],
    ["yesterday", "2026-11-15T14:30:15Z"],
    ["today", "2026-11-16T00:00:00Z"],
    ["today 9:05", "2026-11-16T09:05:00Z"],
    ["9:05", "2026-11-16T09:05:00Z"],
    ["18:00", "2026-11-15T18:00:00Z"],
    ["12 am", "2026-11-16T00:00:00Z"],
    ["friday 20:15", "2026-11-13T20:15:00Z"],
    ["last monday 8:00", "2026-11-09T08:00:00Z"],
    ["2026-11-14 18:00", "2026-11-14T18:00:00Z"],
    ["2026-11-14", "2026-11-14T00:00:00Z"],
    ["2026-11-14T18:00:05", "2026-11-14T18:00:05Z"],
    ["2026-11-14T18:00:05+02:00", "2026-11-14T16:00:05Z"],
  ])("%s", (typed, expected) => {
    expect(parsed(typed)).toBe(expected);
  });

  test.each([
    "",
    "soon",
    "5",
    "25:00",
    "yesterday 9:75",
    "2026-02-31",
    "2026-13-01",
    "2 parsecs ago",
  ])("%s is none", (typed) => {
    expect(parseInstant(typed, NOW, "utc")).toBeNull();
  });

  test("a day and a time are those of the zone on the screen", () => {
    const local = parseInstant("2026-11-14 18:00", NOW, "local");
    expect(local).toEqual(new Date(2026, 10, 14, 18));
  });

  test("crosses the end of a month", () => {
    const first = new Date("2026-03-01T01:00:00Z");
    expect(parseInstant("yesterday 23:00", first, "utc")).toEqual(new Date("2026-02-28T23:00:00Z"));
  });
});
