import { useQuery } from "@tanstack/react-query";
import { get } from "~/api";

const NOTHING = "00000000-0000-0000-0000-000000000000";

/** How many of each item a character holds, in the inventory and in the bank. */
export interface Held {
  inventory: number;
  bank: number;
}

/** What a character holds, item by item; not what is in its bags. */
export function useHeld(key: string, enabled: boolean) {
  const query = get("/api/v1/players/{key}/items", { params: { path: { key } } });
  return useQuery({
    ...query,
    enabled,
    select: (items) => {
      const held = new Map<string, Held>();
      for (const place of ["inventory", "bank"] as const) {
        for (const { ItemId, Quantity } of items[place]) {
          if (ItemId === NOTHING || Quantity === 0) continue;
          const before = held.get(ItemId) ?? { inventory: 0, bank: 0 };
          held.set(ItemId, { ...before, [place]: before[place] + Quantity });
        }
      }
      return held;
    },
  });
}
