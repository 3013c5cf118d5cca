import { expect, test } from "vitest";
import { createdPieces, EMPTY_WORK, newItem, workOf } from "./work";

const POTION = { ...newItem([]), item: "potion", quantity: 3 };

test("a letter needs a subject, and may have items", () => {
  expect(workOf(EMPTY_WORK)).toBeNull();
  const letter = { ...EMPTY_WORK, subject: " Sorry ", expires: 7 };
  expect(workOf(letter)).toEqual({ kind: "letter", subject: "Sorry", expiresindays: 7 });
  expect(workOf({ ...letter, items: [POTION] })).toMatchObject({
    items: [{ itemid: "potion", quantity: 3 }],
  });
});

test("an item without a name or a quantity is not complete", () => {
  const letter = { ...EMPTY_WORK, subject: "Sorry" };
  expect(workOf({ ...letter, items: [newItem([])] })).toBeNull();
  expect(workOf({ ...letter, items: [{ ...POTION, quantity: "" }] })).toBeNull();
});

test("a gift has exactly one item, and only a gift can go to the bank", () => {
  const gift = { ...EMPTY_WORK, kind: "give" as const, items: [POTION], toBank: true };
  expect(workOf(gift)).toEqual({
    kind: "give",
    items: [{ itemid: "potion", quantity: 3 }],
    overflowtobank: true,
  });
  expect(workOf({ ...gift, kind: "take" })).not.toHaveProperty("overflowtobank");
  expect(workOf({ ...gift, items: [POTION, newItem([POTION])] })).toBeNull();
});

test("a variable can be set to no and to the empty text", () => {
  const draft = { ...EMPTY_WORK, kind: "variable" as const, variable: "v" };
  expect(workOf(draft)).toBeNull();
  expect(workOf({ ...draft, value: false })).toEqual({ kind: "variable", id: "v", value: false });
  expect(workOf({ ...draft, value: "" })).toEqual({ kind: "variable", id: "v", value: "" });
});

test("a message is a text", () => {
  const draft = { ...EMPTY_WORK, kind: "message" as const };
  expect(workOf({ ...draft, message: " " })).toBeNull();
  expect(workOf({ ...draft, message: " Hi " })).toEqual({ kind: "message", text: "Hi" });
});

test("only gifts create pieces", () => {
  const items = [{ ItemId: "potion", Quantity: 3 }];
  expect(createdPieces({ Kind: "give", Items: items }, 10)).toEqual([
    { item: "potion", count: 30 },
  ]);
  expect(createdPieces({ Kind: "take", Items: items }, 10)).toEqual([]);
});
