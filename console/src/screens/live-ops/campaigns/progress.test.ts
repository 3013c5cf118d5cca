import { expect, test } from "vitest";
import { percentOf, progressOf, rateOf, readEvery, secondsLeft } from "./progress";

const COUNTS = {
  Recipients: 10,
  Done: 4,
  Skipped: 1,
  Refused: 1,
  Reversed: 0,
  Kept: 0,
  MaxRecipients: null,
};

test("work counts everybody who had their turn, whatever became of them", () => {
  const progress = progressOf({ ...COUNTS, State: "running" });
  expect(progress).toEqual({ handled: 6, total: 10 });
  expect(percentOf(progress)).toBe(60);
});

test("a reversal counts only those whose work was done", () => {
  const counts = { ...COUNTS, Reversed: 2, Kept: 1 };
  expect(progressOf({ ...counts, State: "reversing" })).toEqual({ handled: 3, total: 4 });
});

test("letters on joining count towards their bound, and a reversal towards the letters", () => {
  const counts = { ...COUNTS, Recipients: 5, Skipped: 0, MaxRecipients: 1000 };
  expect(progressOf({ ...counts, State: "running" })).toEqual({ handled: 4, total: 1000 });
  const reversing = { ...counts, Reversed: 3, State: "reversing" } as const;
  expect(progressOf(reversing)).toEqual({ handled: 3, total: 4 });
});

test("a campaign without recipients is done, and 99.9 percent are not yet all", () => {
  expect(percentOf({ handled: 0, total: 0 })).toBe(100);
  expect(percentOf({ handled: 999, total: 1000 })).toBe(99);
});

test("the rate needs two readings, and gives the time that is left", () => {
  expect(rateOf([])).toBeNull();
  expect(rateOf([{ at: 1000, handled: 5 }])).toBeNull();
  const rate = rateOf([
    { at: 1000, handled: 0 },
    { at: 2000, handled: 30 },
    { at: 3000, handled: 100 },
  ]);
  expect(rate).toBe(50);
  expect(secondsLeft({ handled: 100, total: 175 }, rate)).toBe(2);
  expect(secondsLeft({ handled: 100, total: 175 }, 0)).toBeNull();
});

test("a campaign is read often while the worker is at it, and else only without events", () => {
  expect(readEvery("running", true, 2_000)).toBe(2_000);
  expect(readEvery("ready", true, 2_000)).toBe(false);
  expect(readEvery("ready", false, 2_000)).toBe(10_000);
  expect(readEvery("reversed", false, 2_000)).toBe(false);
});
