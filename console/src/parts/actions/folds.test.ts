import { expect, test } from "vitest";
import type { Entry } from "./entry";
import { foldsOf, isFold } from "./folds";

let number = 0;

function kill(about: Partial<Entry> = {}, gold = 2): Entry {
  number += 1;
  return {
    Id: `a${number}`,
    At: "2026-03-14T18:00:00Z",
    Kind: "items.exchange",
    Actor: "key:7",
    ActorName: "Ravenmoor",
    PlayerId: "p",
    UserId: null,
    ItemId: null,
    Before: null,
    After: { transaction: `t${number}` },
    Reason: "killed: slime",
    RequestId: "",
    Address: null,
    Undoes: null,
    UndoneBy: null,
    ApprovedBy: null,
    ApprovedByName: null,
    Postings: [posting(gold)],
    ...about,
  };
}

function posting(Quantity: number) {
  return {
    Seq: 1,
    Place: "inventory" as const,
    Inside: null,
    Slot: 0,
    ItemId: "gold",
    ItemName: "Gold Coin",
    Quantity,
    Against: "grant",
    HeldBefore: 0,
    HeldAfter: 0,
    StatBuffs: [],
    BagId: null,
    Counterparties: [],
  };
}

test("repeats of the game are one line with what they add up to", () => {
  const [fold, ...rest] = foldsOf([kill({}, 2), kill({}, 5), kill({}, 3)]);
  expect(rest).toEqual([]);
  expect(fold && isFold(fold) && [fold.times, fold.reason, fold.flows]).toEqual([
    3,
    "killed: slime",
    [{ item: "gold", name: "Gold Coin", quantity: 10 }],
  ]);
});

test("two are not a row, and another reason ends it", () => {
  const entries = [kill(), kill(), kill({ Reason: "quest" }), kill(), kill()];
  expect(foldsOf(entries)).toEqual(entries);
});

test("several actions of one transaction are one time", () => {
  const After = { transaction: "t" };
  const entries = [kill({ After }), kill({ After, Kind: "players.progress" }), kill({ After })];
  expect(foldsOf(entries)).toEqual(entries);
});

test("what staff did, what was undone and trades are never folded", () => {
  for (const about of [{ Actor: "user:1" }, { UndoneBy: "u" }, { Kind: "items.move" }]) {
    const entries = [kill(about), kill(about), kill(about)];
    expect(foldsOf(entries)).toEqual(entries);
  }
});

test("position saves are folded, and a change of the sheet is not", () => {
  const save = (sheet: object) =>
    kill({ Kind: "players.sheet", Reason: null, Postings: [], After: { sheet } });
  const [fold] = foldsOf([save({ x: 1, y: 2 }), save({ x: 3 }), save({ map_id: "m" })]);
  expect(fold && isFold(fold) && [fold.times, fold.reason]).toEqual([3, undefined]);
  const others = [save({ sprite: "a" }), save({ sprite: "b" }), save({ sprite: "c" })];
  expect(foldsOf(others)).toEqual(others);
});
