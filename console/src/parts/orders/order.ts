import type { Order, OrderLine } from "@gamekeeper/client";
import { plural } from "~/plural";

/** The amount as the shop sent it, with its currency. */
export function priceOf({ Amount, Currency }: Order): string {
  return Amount === null ? "" : `${Amount} ${Currency ?? ""}`.trim();
}

/** A line in words: its product, or how many kinds of items it names. */
export function lineInWords({ Product, Items, Quantity }: OrderLine): string {
  const what = Product ?? plural(Items.length, { one: "# item", other: "# items" });
  return `${Quantity.toLocaleString("en")} × ${what}`;
}

/** The items of a line: those delivered, otherwise those ordered, as often as it was bought. */
export function itemsOf({ Delivered, Items, Quantity }: OrderLine): [string, number][] {
  if (Delivered.length > 0) return Delivered.map((one) => [one.ItemId, one.Quantity]);
  return Items.map((one) => [one.ItemId, one.Quantity * Quantity]);
}
