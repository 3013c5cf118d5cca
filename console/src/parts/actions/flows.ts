import type { Entry } from "./entry";
import { numberAt, type State, stateOf, statesAt, textAt } from "./read";

/** So many of an item came (or went, if negative). */
export interface Flow {
  item: string;
  name?: string | undefined;
  quantity: number;
}

/** What came and what went by an action, item by item; what only changed its place is neither. */
export function flowsOf(entry: Entry): Flow[] {
  if (entry.Postings?.length) return summed(entry);
  if (entry.Items?.length) {
    return entry.Items.map(({ ItemId, ItemName, Quantity }) => ({
      item: ItemId,
      name: ItemName,
      quantity: Quantity,
    }));
  }
  const [before, after] = [stateOf(entry.Before), stateOf(entry.After)];
  const listed = statesAt(after, "items");
  if (listed.length > 0) return compared(statesAt(before, "items"), listed);
  if (!entry.ItemId) return [];
  const quantity = (numberAt(after, "total") ?? 0) - (numberAt(before, "total") ?? 0);
  const name = entry.ItemName ?? undefined;
  return quantity === 0 ? [] : [{ item: entry.ItemId, name, quantity }];
}

/** The items that an action touched without making them more or fewer. */
export function movedOf(entry: Entry): Flow[] {
  const changed = new Set(flowsOf(entry).map((flow) => flow.item));
  const moved = new Map<string, Flow>();
  for (const posting of entry.Postings ?? []) {
    if (posting.Quantity <= 0 || changed.has(posting.ItemId)) continue;
    const before = moved.get(posting.ItemId)?.quantity ?? 0;
    moved.set(posting.ItemId, {
      item: posting.ItemId,
      name: posting.ItemName,
      quantity: before + posting.Quantity,
    });
  }
  return [...moved.values()];
}

function summed(entry: Entry): Flow[] {
  const sums = new Map<string, Flow>();
  for (const { ItemId, ItemName, Quantity } of entry.Postings ?? []) {
    const before = sums.get(ItemId)?.quantity ?? 0;
    sums.set(ItemId, { item: ItemId, name: ItemName, quantity: before + Quantity });
  }
  return [...sums.values()].filter((flow) => flow.quantity !== 0);
}

function compared(before: State[], after: State[]): Flow[] {
  const had = new Map(before.map((one) => [textAt(one, "item_id"), numberAt(one, "total") ?? 0]));
  return after
    .map((one) => {
      const item = textAt(one, "item_id") ?? "";
      return { item, quantity: (numberAt(one, "total") ?? 0) - (had.get(item) ?? 0) };
    })
    .filter((flow) => flow.quantity !== 0);
}
