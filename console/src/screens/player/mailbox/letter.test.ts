import type { Letter } from "@gamekeeper/client";
import { expect, test } from "vitest";
import { changesOf, expires, isReturned, piecesOf } from "./letter";

const LETTER: Letter = {
  Id: "l",
  PlayerId: "p",
  State: "open",
  Sender: { Kind: "staff", Id: null, Name: "Kjell" },
  Subject: "Prize",
  Text: "",
  Items: [
    { ItemId: "bag", Quantity: 1, StatBuffs: [] },
    { ItemId: "cake", Quantity: 5, StatBuffs: [] },
    { ItemId: "bag", Quantity: 1, StatBuffs: [] },
  ],
  SentAt: "2026-03-14T18:22:05Z",
  ExpiresAt: "2026-04-13T18:22:05Z",
  OnExpiry: "destroy",
  ReadAt: null,
  EndedAt: null,
};

test("only changes that the service accepts are offered", () => {
  expect(changesOf(LETTER)).toEqual(["claim", "withdraw"]);
  expect(changesOf({ ...LETTER, Items: [] })).toEqual(["withdraw", "delete"]);
  expect(changesOf({ ...LETTER, State: "claimed" })).toEqual(["delete"]);
  expect(changesOf({ ...LETTER, State: "expired" })).toEqual([]);
});

test("bags of one kind are counted together", () => {
  expect(piecesOf(LETTER)).toEqual([
    ["bag", 2],
    ["cake", 5],
  ]);
});

test("a letter of a century does not expire", () => {
  expect(expires(LETTER)).toBe(true);
  expect(expires({ ...LETTER, ExpiresAt: "2126-02-18T18:22:05Z" })).toBe(false);
});

test("only the service returns letters", () => {
  expect(isReturned(LETTER)).toBe(false);
  expect(isReturned({ ...LETTER, Sender: { Kind: "system", Id: null, Name: "mailbox" } })).toBe(
    true,
  );
});
