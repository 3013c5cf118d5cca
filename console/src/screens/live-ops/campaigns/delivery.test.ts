import { expect, test } from "vitest";
import { AT_START, boundOf, deliveryOf } from "./delivery";

const ON_JOIN = { onJoin: true, endsAt: "2026-12-01T00:00:00.000Z", most: 500 };

test("a delivery on joining needs an end and a bound", () => {
  expect(deliveryOf(ON_JOIN, "letter")).toEqual({
    onjoin: true,
    endsat: "2026-12-01T00:00:00.000Z",
    maxrecipients: 500,
  });
  expect(deliveryOf({ ...ON_JOIN, endsAt: undefined }, "letter")).toBeNull();
  expect(deliveryOf({ ...ON_JOIN, most: "" }, "letter")).toBeNull();
  expect(deliveryOf({ ...ON_JOIN, most: 10_000_001 }, "letter")).toBeNull();
});

test("at the start, and for other work than letters, there is nothing to send", () => {
  expect(deliveryOf(AT_START, "letter")).toEqual({});
  expect(deliveryOf(ON_JOIN, "give")).toEqual({});
});

test("limits count the bound of a campaign whose recipients are not known", () => {
  expect(boundOf({ OnJoin: true, MaxRecipients: 500, Recipients: 3 })).toBe(500);
  expect(boundOf({ OnJoin: false, MaxRecipients: null, Recipients: 3 })).toBe(3);
});
