import { describe, expect, test } from "vitest";
import { batchOf, codesIn, EMPTY_BATCH, leftOf, mostOf, stateOf, wrongIn } from "./batch";

const DRAFT = {
  ...EMPTY_BATCH,
  name: " Newsletter ",
  campaign: "spring-2026",
  subject: "A gift",
  items: [{ key: 1, item: "potion", quantity: 5 }],
};

describe("a batch as the API takes it", () => {
  test("empty fields are left out", () => {
    expect(batchOf(DRAFT)).toEqual({
      name: "Newsletter",
      campaign: "spring-2026",
      codes: 1_000,
      uses: 1,
      subject: "A gift",
      expiresindays: 30,
      items: [{ itemid: "potion", quantity: 5 }],
    });
  });

  test.each([
    { name: " " },
    { subject: "" },
    { campaign: "" },
    { campaign: "Spring 2026" },
    { campaign: "-spring" },
    { startsAt: "2026-12-02T00:00:00.000Z", endsAt: "2026-12-02T00:00:00.000Z" },
    { codes: 0 },
    { codes: 1_000_001 },
    { uses: 1.5 },
    { expires: 366 },
    { prefix: "SPRING-" },
    { items: [{ key: 1, item: null, quantity: 1 }] },
  ])("something is missing or out of range: %o", (parts) => {
    expect(batchOf({ ...DRAFT, ...parts })).toBeNull();
  });
});

test("a field says what is wrong with it, once something is typed", () => {
  const none = { campaign: false, prefix: false, endsAt: false };
  expect(wrongIn(EMPTY_BATCH)).toEqual(none);
  expect(wrongIn({ ...DRAFT, prefix: "SPRING", startsAt: "2026-12-02T00:00:00.000Z" })).toEqual(
    none,
  );
  expect(
    wrongIn({
      ...DRAFT,
      campaign: "spring 2026",
      prefix: "SPRING-",
      startsAt: "2026-12-02T00:00:00.000Z",
      endsAt: "2026-12-01T00:00:00.000Z",
    }),
  ).toEqual({ campaign: true, prefix: true, endsAt: true });
});

describe("an active batch", () => {
  const active = { State: "active", StartsAt: null, ExpiresAt: null } as const;
  const [early, now, late] = ["2026-11-19", "2026-11-20", "2026-11-21"].map(
    (day) => new Date(`${day}T12:00:00Z`),
  ) as [Date, Date, Date];
  const counts = { Codes: 2, Uses: 3, Redeemed: 1 };

  test("can be redeemed between its dates", () => {
    const batch = { ...active, StartsAt: early.toISOString(), ExpiresAt: late.toISOString() };
    expect([stateOf(active, now), stateOf(batch, now)]).toEqual(["active", "active"]);
    expect(leftOf({ ...batch, ...counts }, now)).toBe(5);
  });

  test("has not started, or has expired", () => {
    const upcoming = { ...active, ...counts, StartsAt: late.toISOString() };
    expect([stateOf(upcoming, now), leftOf(upcoming, now)]).toEqual(["upcoming", 5]);
    const expired = { ...active, ...counts, ExpiresAt: now.toISOString() };
    expect([stateOf(expired, now), leftOf(expired, now)]).toEqual(["expired", 0]);
    expect(stateOf({ ...expired, State: "revoked" }, now)).toBe("revoked");
  });
});

test("a file has a heading and a line for each code", () => {
  expect(codesIn("code\r\nAAAA-BBBB\r\nCCCC-DDDD\r\n")).toBe(2);
  expect(mostOf({ Codes: 2, Uses: 30 })).toBe(60);
});
