import { describe, expect, test } from "vitest";
import {
  canEnd,
  described,
  emptyPlan,
  endsTooEarly,
  localOf,
  nextOf,
  offsetOf,
  planOf,
  resumedRun,
} from "./plan";

const WEEKLY = { ...emptyPlan("Europe/Berlin"), repeat: "weekly" as const };
const ONCE = { ...emptyPlan("UTC"), startsAt: "2026-11-20T17:00:00.000Z" };
const CRON = { ...emptyPlan("UTC"), repeat: "cron" as const, cron: "0 18 * * FRI" };

describe("a plan as the API takes it", () => {
  test("once, with an end", () => {
    expect(planOf(ONCE, "optional")).toEqual({ startsat: ONCE.startsAt, timezone: "UTC" });
    const endsAt = "2026-11-23T08:00:00.000Z";
    expect(planOf({ ...ONCE, endsAt }, "optional")).toHaveProperty("endsat", endsAt);
    expect(planOf({ ...ONCE, endsAt: ONCE.startsAt }, "optional")).toBeNull();
    expect(planOf(emptyPlan("UTC"), "optional")).toBeNull();
    expect(endsTooEarly({ ...ONCE, endsAt })).toBe(false);
    expect(endsTooEarly({ ...ONCE, endsAt: "2026-11-20T16:00:00.000Z" })).toBe(true);
  });

  test("every week, in the order of the days", () => {
    const draft = { ...WEEKLY, days: ["SUN", "FRI"], time: "18:05", endDay: "MON" };
    expect(planOf(draft, "optional")).toEqual({
      cron: "5 18 * * FRI,SUN",
      endscron: "0 9 * * MON",
      timezone: "Europe/Berlin",
    });
    expect(planOf({ ...draft, days: [] }, "optional")).toBeNull();
    expect(planOf({ ...draft, endTime: "" }, "optional")).toBeNull();
  });

  test("a cron expression has five fields", () => {
    expect(planOf(CRON, "optional")).toEqual({ cron: "0 18 * * FRI", timezone: "UTC" });
    expect(planOf({ ...CRON, cron: "0 18 * *" }, "optional")).toBeNull();
    expect(planOf({ ...CRON, endsCron: "0 9" }, "optional")).toBeNull();
  });

  test("a letter on joining needs an end, and a message has none", () => {
    expect(planOf(CRON, "required")).toBeNull();
    const ended = { ...CRON, endsCron: "0 0 * * *" };
    expect(planOf(ended, "required")).toHaveProperty("endscron", "0 0 * * *");
    expect(planOf(ended, "none")).toEqual({ cron: "0 18 * * FRI", timezone: "UTC" });
    expect([canEnd("letter"), canEnd("announcement")]).toEqual([true, false]);
  });
});

describe("a plan in words", () => {
  test.each([
    ["0 18 * * FRI", "Friday at 18:00"],
    ["5 9 * * MON,WED", "Monday, Wednesday at 09:05"],
    ["0 0 * * *", "Daily at 00:00"],
    ["*/30 * * * *", "*/30 * * * *"],
    ["0 18 1 * FRI", "0 18 1 * FRI"],
  ])("%s", (expression, words) => {
    expect(described(expression)).toBe(words);
  });

  test("a local time has its offset, which changes with the clock", () => {
    expect(localOf("2026-11-20T18:00:00+01:00")).toBe("2026-11-20 18:00 +01:00");
    expect(offsetOf("2026-06-20T18:00:00+02:00")).toBe("+02:00");
    // An instant that a program chose may have fractions of a second.
    expect(localOf("2026-11-20T18:00:00.250000-03:30")).toBe("2026-11-20 18:00 -03:30");
  });
});

describe("the next run", () => {
  const now = new Date("2026-11-20T12:00:00Z");
  const once = { Cron: null, NextAt: "2026-11-20T11:30:00Z", EndsAt: null, GraceMinutes: 60 };

  test("is not planned while the schedule is paused", () => {
    expect(nextOf({ State: "active", NextAt: once.NextAt })).toBe(once.NextAt);
    expect(nextOf({ State: "paused", NextAt: once.NextAt })).toBeNull();
  });

  test("is a later one of a schedule that repeats", () => {
    expect(resumedRun({ ...once, Cron: "0 18 * * FRI" }, now)).toBe("repeated");
  });

  test("of a single instant is planned, due or too late", () => {
    expect(resumedRun({ ...once, NextAt: "2026-11-20T12:00:01Z" }, now)).toBe("planned");
    expect(resumedRun(once, now)).toBe("due");
    expect(resumedRun({ ...once, GraceMinutes: 29 }, now)).toBe("missed");
    expect(resumedRun({ ...once, EndsAt: "2026-11-20T12:00:00Z" }, now)).toBe("missed");
  });
});
