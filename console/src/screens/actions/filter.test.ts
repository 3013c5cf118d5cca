import type { AuditLogEntry } from "@gamekeeper/client";
import { expect, test } from "vitest";
import { filterOf, matches } from "./filter";

const gift: AuditLogEntry = {
  Id: "1",
  At: "2026-03-14T18:00:00Z",
  Kind: "items.give",
  Actor: "user:7",
  ActorName: "Tomas",
  PlayerId: "p",
  PlayerName: "Ana Lyra",
  UserId: null,
  ItemId: "i",
  Before: null,
  After: null,
  Reason: "Quest bug #812",
  RequestId: "",
  Address: null,
  Undoes: null,
  UndoneBy: null,
  ApprovedBy: null,
  ApprovedByName: null,
};

test("an event is in the log that its filter shows", () => {
  expect(matches(gift, {})).toBe(true);
  expect(matches(gift, { actor: "tomas", player: "ana lyra", reason: "quest" })).toBe(true);
  expect(matches(gift, { actor: "user:7", from: "2026-03-14T18:00:00Z" })).toBe(true);
});

test("an event is not in the log of another filter", () => {
  expect(matches(gift, { actor: "Maren" })).toBe(false);
  expect(matches(gift, { kind: "items.take" })).toBe(false);
  expect(matches(gift, { user: "ana" })).toBe(false);
  expect(matches(gift, { to: "2026-03-14T17:59:59Z" })).toBe(false);
});

test("a filter is only what filters", () => {
  expect(filterOf({ actor: "Tomas", ...{ live: true, id: "1" } })).toEqual({ actor: "Tomas" });
});
