import { expect, test } from "vitest";
import type { Entry } from "./entry";
import { fieldsOf } from "./fields";
import { flowsOf } from "./flows";

const empty: Entry = {
  Id: "1",
  At: "2026-03-14T18:00:00Z",
  Kind: "items.give",
  Actor: "user:7",
  ActorName: "Tomas",
  PlayerId: "p",
  UserId: null,
  ItemId: null,
  Before: null,
  After: null,
  Reason: null,
  RequestId: "",
  Address: null,
  Undoes: null,
  UndoneBy: null,
  ApprovedBy: null,
  ApprovedByName: null,
};

test("a gift is told by what was held before and after", () => {
  const gift = {
    ...empty,
    ItemId: "i",
    ItemName: "Sword",
    Before: { total: 2 },
    After: { total: 7 },
  };
  expect(flowsOf(gift)).toEqual([{ item: "i", name: "Sword", quantity: 5 }]);
});

test("what is restored is told item by item, without what stayed the same", () => {
  const before = {
    items: [
      { item_id: "a", total: 1 },
      { item_id: "b", total: 4 },
    ],
  };
  const after = {
    items: [
      { item_id: "a", total: 3 },
      { item_id: "b", total: 4 },
    ],
  };
  const restored = { ...empty, Before: before, After: after };
  expect(flowsOf(restored)).toEqual([{ item: "a", quantity: 2 }]);
});

test("what only moves from slot to slot neither came nor went", () => {
  const slot = {
    Seq: 1,
    Place: "inventory" as const,
    Inside: null,
    Slot: 0,
    ItemId: "i",
    Against: "move",
    HeldBefore: 0,
    HeldAfter: 0,
    StatBuffs: [],
    BagId: null,
    Counterparties: [],
  };
  const moved = {
    ...empty,
    Postings: [
      { ...slot, Quantity: -3 },
      { ...slot, Quantity: 3 },
    ],
  };
  expect(flowsOf(moved)).toEqual([]);
});

test("only what differs is shown, by its path", () => {
  const before = { sheet: { x: 1, vitals: [5, 5] }, transaction: "t" };
  const after = { sheet: { x: 1, vitals: [5, 9] } };
  expect(fieldsOf(before, after)).toEqual([{ path: "sheet.vitals", was: [5, 5], is: [5, 9] }]);
});

test("the log has no slots, but what came and what went", () => {
  const trade = {
    ...empty,
    Kind: "items.move",
    Items: [
      { ItemId: "i", ItemName: "Sword", Quantity: -1 },
      { ItemId: "c", ItemName: "Coin", Quantity: 50 },
    ],
  };
  expect(flowsOf(trade)).toEqual([
    { item: "i", name: "Sword", quantity: -1 },
    { item: "c", name: "Coin", quantity: 50 },
  ]);
});
