import type { Slot } from "@gamekeeper/client";
import { describe, expect, test } from "vitest";
import { Balance, cellsThen } from "./difference";

const SWORD = "11111111-1111-1111-1111-111111111111";
const POTION = "22222222-2222-2222-2222-222222222222";
const NOTHING = "00000000-0000-0000-0000-000000000000";

function slot(Slot: number, ItemId = NOTHING, Quantity = 0, attack = 0): Slot {
  return { Slot, ItemId, Quantity, BagId: null, StatBuffs: [attack, 0, 0, 0, 0] };
}

function marks(then: Slot[], now: Slot[], inBags: ConstructorParameters<typeof Balance>[2] = []) {
  return cellsThen(then, now, new Balance(then, now, inBags)).map((cell) => [
    cell.mark,
    cell.lost,
    cell.isGhost,
  ]);
}

describe("what differs from now", () => {
  test("nothing", () => {
    const same = [slot(0, SWORD, 1), slot(1)];
    expect(marks(same, same)).toEqual([
      [null, 0, false],
      [null, 0, false],
    ]);
  });

  test("a lost sword is gone", () => {
    expect(marks([slot(0, SWORD, 1)], [slot(0)])).toEqual([["gone", 1, false]]);
  });

  test("a moved sword is not", () => {
    expect(marks([slot(0, SWORD, 1), slot(1)], [slot(0), slot(1, SWORD, 1)])).toEqual([
      ["moved", 0, false],
      ["moved", 0, true],
    ]);
  });

  test("nor is one that went into a bag", () => {
    const inBag = { ItemId: SWORD, Place: "bag" as const, Before: 0, After: 1, Change: 1 };
    expect(marks([slot(0, SWORD, 1)], [slot(0)], [inBag])).toEqual([["moved", 0, false]]);
  });

  test("a sword with other buffs is another sword", () => {
    expect(marks([slot(0, SWORD, 1, 5), slot(1)], [slot(0), slot(1, SWORD, 1)])).toEqual([
      ["gone", 1, false],
      ["new", 0, true],
    ]);
  });

  test("a smaller stack has lost the rest", () => {
    expect(marks([slot(0, POTION, 20)], [slot(0, POTION, 5)])).toEqual([["changed", 15, false]]);
  });

  test("a stack that was divided has lost nothing", () => {
    const now = [slot(0, POTION, 5), slot(1, POTION, 15)];
    expect(marks([slot(0, POTION, 20), slot(1)], now)).toEqual([
      ["changed", 0, false],
      ["moved", 0, true],
    ]);
  });

  test("of two alike of which one is lost, one is gone and one has moved", () => {
    const then = [slot(0, SWORD, 1), slot(1, SWORD, 1), slot(2)];
    const now = [slot(0), slot(1), slot(2, SWORD, 1)];
    expect(marks(then, now)).toEqual([
      ["gone", 1, false],
      ["moved", 0, false],
      ["moved", 0, true],
    ]);
  });

  test("another item in its slot hides the loss of none", () => {
    expect(marks([slot(0, SWORD, 1)], [slot(0, POTION, 3)])).toEqual([["gone", 1, false]]);
  });
});
