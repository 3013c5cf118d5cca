import { grouped } from "~/format";

export const text = {
  title: "Economy",
  changes: "Biggest supply changes",
  changesSince: "since yesterday 00:00 UTC",
  jumped: "spike",
  ofAll: (share: number) => `${share < 1 ? "under 1" : Math.round(share)} % of the total`,
  search: "Find item",
  items: "Items",
  columns: {
    name: "Item",
    total: "Total",
    where: "Location",
    inventories: "In inventories",
    banks: "In banks",
    bags: "In bags",
    change: "Since yesterday",
  },
  where: (inventories: number, banks: number, bags: number, guilds: number) =>
    `${grouped(inventories)} in inventories, ${grouped(banks)} in banks, ${grouped(bags)} in bags` +
    (guilds ? `, ${grouped(guilds)} in guild banks` : ""),
  little: "Not among the ten biggest changes",
  sortBy: (column: string) => `Sort by ${column}`,
  sorted: { down: "sorted, largest first", up: "sorted, smallest first" },
  none: "No results",
  noneHint: "Try part of the name.",
  noItems: "No items yet",
  noItemsHint: "Import the catalog to see all items and their supply.",
  catalog: "Open catalog",
};
