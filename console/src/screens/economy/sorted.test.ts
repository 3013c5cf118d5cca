import { expect, test } from "vitest";
import { found, isJump, withChanges } from "./sorted";

function item(Name: string, Total: number, Banks = 0) {
  return {
    Id: Name,
    Name,
    Total,
    Inventories: Total - Banks,
    Banks,
    Bags: 0,
    Guilds: 0,
    Mailboxes: 0,
  };
}

const ITEMS = withChanges(
  [item("Iron Ore", 9), item("Gold Coin", 500, 3), item("Iron Sword", 2, 2)],
  [{ ItemId: "Iron Ore", ItemName: "Iron Ore", Came: 1, Went: 9, Change: -8 }],
);

const names = (...args: Parameters<typeof found>) => found(...args).map((one) => one.Name);

test("every word is looked for, in any order and case", () => {
  expect(names(ITEMS, "iron", "total", false)).toEqual(["Iron Ore", "Iron Sword"]);
  expect(names(ITEMS, "SWORD ir", "total", false)).toEqual(["Iron Sword"]);
});

test("numbers from the most, names from A, and the other way round", () => {
  expect(names(ITEMS, "", "banks", false)).toEqual(["Gold Coin", "Iron Sword", "Iron Ore"]);
  expect(names(ITEMS, "", "name", true)).toEqual(["Iron Sword", "Iron Ore", "Gold Coin"]);
  expect(names(ITEMS, "", "change", false)[0]).toBe("Iron Ore");
});

test("a jump is large against what there was, not in itself", () => {
  expect(isJump(1000, 100_000)).toBe(false);
  expect(isJump(40, 100)).toBe(true);
  expect(isJump(3, 4)).toBe(false);
});
