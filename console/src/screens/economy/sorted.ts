import type { ItemSupply, SupplyChange } from "@gamekeeper/client";
import type { Sort } from "./search";

/** A change since yesterday by this much of what there was before deserves a look. */
const JUMP = 0.25;
const FEWEST = 10;

export interface Supply extends ItemSupply {
  /** Since the beginning of yesterday; null: less than that of the ten that changed most. */
  Change: number | null;
}

export function withChanges(items: ItemSupply[], changes: SupplyChange[]): Supply[] {
  const known = new Map(changes.map((one) => [one.ItemId, one.Change]));
  return items.map((item) => ({ ...item, Change: known.get(item.Id) ?? null }));
}

export function isJump(change: number, total: number): boolean {
  return change >= FEWEST && change > JUMP * (total - change);
}

const VALUES: Record<Exclude<Sort, "name">, (item: Supply) => number> = {
  total: (item) => item.Total,
  inventories: (item) => item.Inventories,
  banks: (item) => item.Banks,
  bags: (item) => item.Bags,
  change: (item) => Math.abs(item.Change ?? 0),
};

/** The items whose names have all the words, in an order; names from A, numbers from the most. */
export function found(items: Supply[], words: string, sort: Sort, isReverse: boolean): Supply[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = items.filter(({ Name }) =>
    wanted.every((word) => Name.toLowerCase().includes(word)),
  );
  const sign = isReverse ? -1 : 1;
  return matching.sort((one, other) => {
    const names = one.Name.localeCompare(other.Name);
    if (sort === "name") return sign * names;
    return sign * (VALUES[sort](other) - VALUES[sort](one)) || names;
  });
}
