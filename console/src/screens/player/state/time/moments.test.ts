import { describe, expect, test } from "vitest";
import { canonical, rounded, stepAt, stepFrom, stepsOf, windowFor } from "./moments";

function moment(At: string, Kind = "items.give") {
  return { At, Kind, ActionId: At };
}

const steps = stepsOf(
  [
    moment("2026-11-14T10:00:00.100001Z"),
    moment("2026-11-14T10:00:00.400002Z", "items.take"),
    moment("2026-11-14T10:00:00.500003Z", "spells.teach"),
    moment("2026-11-14T12:00:00Z"),
    moment("2026-11-15T12:00:00Z", "items.take"),
  ],
  (kind) => kind.startsWith("items."),
);

describe("steps", () => {
  test("join what happened together, and leave out what does not concern", () => {
    expect(steps.map((step) => step.at)).toEqual([
      "2026-11-14T10:00:00.400002Z",
      "2026-11-14T12:00:00Z",
      "2026-11-15T12:00:00Z",
    ]);
    expect(steps[0]?.kinds).toEqual(["items.give", "items.take"]);
  });

  test("a long run of changes is not one step", () => {
    const run = Array.from({ length: 40 }, (_, i) =>
      moment(new Date(Date.UTC(2026, 0, 1) + i * 500).toISOString()),
    );
    expect(stepsOf(run, () => true)).toHaveLength(20);
  });

  test("are found by time", () => {
    expect(stepAt(steps, Date.parse("2026-11-14T09:00:00Z"))).toBe(-1);
    expect(stepAt(steps, Date.parse("2026-11-14T12:00:00Z"))).toBe(1);
    expect(stepAt(steps, Date.parse("2027-01-01T00:00:00Z"))).toBe(2);
  });

  test("back from now is before the last change", () => {
    expect(stepFrom(steps, undefined, -1)).toBe("2026-11-14T12:00:00Z");
    expect(stepFrom(steps, "2026-11-14T12:00:00Z", -1)).toBe("2026-11-14T10:00:00.400002Z");
    expect(stepFrom(steps, "2026-11-14T10:00:01Z", -1)).toBeNull();
  });

  test("forth ends with now", () => {
    expect(stepFrom(steps, "2026-11-14T11:00:00Z", 1)).toBe("2026-11-14T12:00:00Z");
    expect(stepFrom(steps, "2026-11-14T13:00:00Z", 1)).toBeUndefined();
    expect(stepFrom(steps, undefined, 1)).toBeNull();
    expect(stepFrom([], undefined, -1)).toBeNull();
  });

  test("all instants between two steps are asked for as one", () => {
    expect(canonical(steps, "2026-11-14T18:00:00Z")).toBe("2026-11-14T12:00:00Z");
    expect(canonical(steps, "2026-11-14T08:00:00Z")).toBe("2026-11-14T08:00:00Z");
  });
});

test("the window shows the instant and some changes", () => {
  const now = Date.parse("2026-11-15T12:30:00Z");
  expect(windowFor(steps, undefined, now)).toBe("week");
  expect(windowFor(steps.slice(2), undefined, now)).toBe("hour");
  expect(windowFor(steps.slice(2), now - 7_200_000, now)).toBe("day");
  expect(windowFor([], undefined, now)).toBe("hour");
});

test("just before a full minute is told as the minute", () => {
  expect(rounded("2026-11-15T17:59:59.999Z").toISOString()).toBe("2026-11-15T18:00:00.000Z");
});
