import { expect, test } from "vitest";
import { statementOf } from "./statement";

test("a list of ids alone is enough", () => {
  expect(statementOf("WS-1\r\n\nWS-2\n")).toEqual({
    orders: [{ orderid: "WS-1" }, { orderid: "WS-2" }],
    skipped: 0,
  });
});

test("amounts, currencies and refunds are known by their form", () => {
  const { orders } = statementOf("Order ID,Total,Status\nWS-1, 14.97, EUR\nWS-2,EUR,4.99,Refunded");
  expect(orders).toEqual([
    { orderid: "WS-1", amount: "14.97", currency: "EUR" },
    { orderid: "WS-2", amount: "4.99", currency: "EUR", refunded: true },
  ]);
});

test("a column of quantities is not the amount", () => {
  expect(statementOf("WS-1, 3, 14.97, EUR").orders).toEqual([
    { orderid: "WS-1", amount: "14.97", currency: "EUR" },
  ]);
});

test("exports of spreadsheets have tabs, semicolons, quotes and decimal commas", () => {
  expect(statementOf('"WS-1";"14,97";"EUR"\nWS-2\t4,99\tEUR').orders).toEqual([
    { orderid: "WS-1", amount: "14.97", currency: "EUR" },
    { orderid: "WS-2", amount: "4.99", currency: "EUR" },
  ]);
});

test("an order that is listed twice counts once, and other lines are counted", () => {
  const { orders, skipped } = statementOf("WS-1\nWS-1, 5\nall of March\n");
  expect(orders).toEqual([{ orderid: "WS-1", amount: "5" }]);
  expect(skipped).toBe(1);
});
