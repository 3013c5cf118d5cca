import { expect, test } from "vitest";
import { fromLocal, toLocal } from "./instants";

test("a field for date and time speaks the zone that the person chose", () => {
  expect(toLocal("2026-03-14T18:22:05Z", "utc")).toBe("2026-03-14T18:22");
  expect(fromLocal("2026-03-14T18:22", "utc")).toBe("2026-03-14T18:22:00.000Z");
});

test.each(["utc", "local"] as const)("what is shown is read back, in %s", (zone) => {
  expect(fromLocal(toLocal("2026-07-01T00:30:00Z", zone), zone)).toBe("2026-07-01T00:30:00.000Z");
});

test("what is no date is no instant", () => {
  expect(toLocal(undefined, "utc")).toBe("");
  expect(fromLocal("", "utc")).toBeUndefined();
  expect(fromLocal("yesterday", "local")).toBeUndefined();
});
