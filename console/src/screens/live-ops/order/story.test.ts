import type { AuditLogEntry, Order, OrderLine } from "@gamekeeper/client";
import { expect, test } from "vitest";
import { storyOf } from "./story";

const LINE: OrderLine = {
  Number: 1,
  Product: "pack",
  Quantity: 1,
  Items: [],
  State: "delivered",
  Reason: null,
  Delivered: [],
  PlayerId: "p",
  PlayerName: "Ana",
  LetterId: "l",
  DeliveredAt: "2026-03-14T18:02:00Z",
  ClaimedAt: "2026-03-14T19:00:00Z",
  EndedAt: null,
};
const ORDER: Order = {
  Id: "o",
  Shop: "webshop",
  OrderId: "1",
  State: "delivered",
  UserId: "u",
  UserName: "ana",
  PlayerId: null,
  PlayerName: null,
  BuyerId: null,
  BuyerName: null,
  Receiver: "ana",
  Amount: "4.99",
  Currency: "EUR",
  Dispute: null,
  IsRefunded: false,
  Lines: [LINE],
  ClaimCode: null,
  PaidAt: "2026-03-14T18:00:00Z",
  CreatedAt: "2026-03-14T18:01:00Z",
};
const told = (order: Order, entries: AuditLogEntry[] = []) =>
  storyOf(order, entries).map(({ what, line }) => [what, line]);

test("an order is told in the order of time", () => {
  expect(told(ORDER)).toEqual([
    ["Paid", undefined],
    ["Received from the shop", undefined],
    ["Delivered", undefined],
    ["Claimed by the player", undefined],
  ]);
});

test("of several lines each is named", () => {
  const lost = { ...LINE, Number: 2, State: "lost" as const, EndedAt: "2026-03-15T18:00:00Z" };
  const last = told({ ...ORDER, Lines: [LINE, lost] }).at(-1);
  expect(last).toEqual(["Refunded, items no longer there", 2]);
});

test("a dispute has its time from the audit log, of this order alone", () => {
  const entry = (order: string) =>
    ({
      At: "2026-03-14T18:30:00Z",
      ActorName: "shop stripe",
      After: { order, dispute: "open" },
    }) as unknown as AuditLogEntry;
  const disputed = { ...ORDER, Dispute: "open" as const };
  expect(told(disputed, [entry("another"), entry("o")])[3]).toEqual(["Dispute opened", undefined]);
  expect(storyOf(disputed, []).at(-1)).toMatchObject({ at: null, what: "Dispute opened" });
});
