import { expect, test } from "vitest";
import { NO_LIMITS } from "./limits";
import { limitNotice } from "./usage";

const NONE = { HandedOut: [], Value: 0, Undos: 0, ResetsAt: "2026-03-15T00:00:00Z" };
const USED = { ...NONE, HandedOut: [{ ItemId: "potion", Pieces: 8 }], Value: 80, Undos: 2 };
const tenEach = () => 10;
const gift = (count: number, item = "potion") => ({ pieces: [{ item, count }] });

test("without limits there is nothing to say", () => {
  expect(limitNotice(NO_LIMITS, USED, { ...gift(1000), undos: 9 }, tenEach)).toEqual({
    isBeyond: false,
    lines: [],
  });
});

test("pieces of one item in a day are counted with those of earlier changes", () => {
  const limits = { ...NO_LIMITS, PiecesPerDay: 10 };
  expect(limitNotice(limits, USED, gift(2), tenEach)).toEqual({
    isBeyond: false,
    lines: ["Left of your limit for this item today: 2 of 10."],
  });
  expect(limitNotice(limits, USED, gift(3), tenEach)).toEqual({
    isBeyond: true,
    lines: [
      "More than your limit of 10 per day for this item, of which 8 are used: another member of staff has to approve.",
    ],
  });
  expect(limitNotice(limits, USED, gift(10, "sword"), tenEach).isBeyond).toBe(false);
  expect(limitNotice(limits, NONE, gift(11), tenEach).lines).toEqual([
    "More than your limit of 10 per day for this item: another member of staff has to approve.",
  ]);
});

test("two lines of a change about one item count together", () => {
  const limits = { ...NO_LIMITS, PiecesPerDay: 5 };
  const pieces = [...gift(3).pieces, ...gift(3).pieces];
  expect(limitNotice(limits, NONE, { pieces }, tenEach).isBeyond).toBe(true);
});

test("the largest gift is of one change and of all its items, whatever was given before", () => {
  const limits = { ...NO_LIMITS, LargestGift: 5 };
  expect(limitNotice(limits, USED, gift(5), tenEach).isBeyond).toBe(false);
  const pieces = [...gift(3).pieces, ...gift(3, "sword").pieces];
  expect(limitNotice(limits, NONE, { pieces }, tenEach).isBeyond).toBe(true);
});

test("the value is that of all pieces; without one an item is worth nothing", () => {
  const limits = { ...NO_LIMITS, ValuePerDay: 100 };
  expect(limitNotice(limits, USED, gift(2), tenEach).isBeyond).toBe(false);
  expect(limitNotice(limits, USED, gift(3), tenEach).isBeyond).toBe(true);
  expect(limitNotice(limits, USED, gift(3), () => 0)).toEqual({ isBeyond: false, lines: [] });
});

test("undos count, and a limit that was lowered below what is used leaves nothing", () => {
  const limits = { ...NO_LIMITS, UndosPerDay: 3 };
  expect(limitNotice(limits, USED, { undos: 1 }, tenEach)).toEqual({
    isBeyond: false,
    lines: ["Undos left today: 1 of 3."],
  });
  expect(limitNotice(limits, USED, { undos: 2 }, tenEach).isBeyond).toBe(true);
  expect(limitNotice({ ...limits, UndosPerDay: 0 }, NONE, { undos: 1 }, tenEach).isBeyond).toBe(
    true,
  );
});
