import type { AuditLogEntry } from "@gamekeeper/client";
import { expect, test } from "vitest";
import { partOf } from "./parts";

function entry(Kind: string, about: Partial<AuditLogEntry> = {}) {
  return { Kind, ItemId: null, PlayerId: null, ...about } as AuditLogEntry;
}

test("deposits and withdrawals are about the bank", () => {
  expect(partOf(entry("guilds.deposit", { ItemId: "i", PlayerId: "p" }))).toBe("bank");
  expect(partOf(entry("guilds.withdraw", { ItemId: "i", PlayerId: "p" }))).toBe("bank");
});

test("who belongs to it is about members, its name and its end about the guild", () => {
  expect(partOf(entry("guilds.rank", { PlayerId: "p" }))).toBe("members");
  expect(partOf(entry("guilds.rename"))).toBe("guild");
  expect(partOf(entry("guilds.create", { PlayerId: "p" }))).toBe("guild");
});

test("an undo is about what it undid", () => {
  expect(partOf(entry("undo", { ItemId: "i", PlayerId: "p" }))).toBe("bank");
  expect(partOf(entry("undo", { PlayerId: "p" }))).toBe("members");
  expect(partOf(entry("undo"))).toBe("guild");
});
