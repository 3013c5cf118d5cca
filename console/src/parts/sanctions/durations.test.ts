import { describe, expect, it } from "vitest";
import { durationInWords, ordinal, parseDuration } from "./durations";

describe("parseDuration", () => {
  it.each([
    ["7 days", 604_800],
    ["7d", 604_800],
    ["for 2 weeks", 1_209_600],
    ["a day", 86_400],
    ["an hour", 3_600],
    ["1 h 30 min", 5_400],
    ["1 day and 6 hours", 108_000],
    ["1 day, 6 hours", 108_000],
    ["1.5 hours", 5_400],
    ["1,5 hours", 5_400],
    ["3 Months", 7_776_000],
    ["90m", 5_400],
  ])("understands %s", (typed, seconds) => {
    expect(parseDuration(typed)).toBe(seconds);
  });

  it.each(["for good", "forever", "for ever", "Permanent", "without end"])(
    "takes %s as without end",
    (typed) => {
      expect(parseDuration(typed)).toBeNull();
    },
  );

  it.each(["", "7", "soon", "7 apples", "0 days", "-1 day", "1 day x", "0.2 s"])(
    "does not guess at %j",
    (typed) => {
      expect(parseDuration(typed)).toBeUndefined();
    },
  );
});

it("says durations in two words at most", () => {
  expect(durationInWords(604_800)).toBe("7 days");
  expect(durationInWords(86_400)).toBe("1 day");
  expect(durationInWords(108_000)).toBe("1 day 6 hours");
  expect(durationInWords(90_061)).toBe("1 day 1 hour");
  expect(durationInWords(45)).toBe("45 seconds");
});

it("is read back as it is said", () => {
  for (const seconds of [1, 60, 5_400, 86_400, 108_000, 2_592_000]) {
    expect(parseDuration(durationInWords(seconds))).toBe(seconds);
  }
});

it("counts times", () => {
  const said = [1, 3, 9, 11, 12, 13, 21, 22, 111].map(ordinal);
  expect(said).toEqual(["First", "Third", "9th", "11th", "12th", "13th", "21st", "22nd", "111th"]);
});
