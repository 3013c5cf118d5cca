import { grouped } from "~/format";

export const text = {
  title: "Economy",
  changes: "Changed most",
  changesSince: "since the beginning of yesterday (UTC)",
  jumped: "jumped",
  ofAll: (share: number) => `${share < 1 ? "under 1" : Math.round(share)} % of all`,
  search: "Find an item",
  items: "Items",
  columns: {
    name: "Item",
    total: "Exist",
    where: "Where",
    inventories: "Carried",
    banks: "In banks",
    bags: "In bags",
    change: "Since yesterday",
  },
  where: (inventories: number, banks: number, bags: number, guilds: number) =>
    `${grouped(inventories)} carried, ${grouped(banks)} in banks, ${grouped(bags)} in bags` +
    (guilds ? `, ${grouped(guilds)} in guild banks` : ""),
  little: "Not among the ten that changed most",
  sortBy: (column: string) => `Sort by ${column}`,
  sorted: { down: "sorted, largest first", up: "sorted, smallest first" },
  none: "No item matches",
  noneHint: "Look for a part of its name.",
  noItems: "There are no items yet",
  noItemsHint: "Import the game's catalog: then each item and its supply will be here.",
  catalog: "Open the catalog",
};
