import type { ItemEntry } from "@gamekeeper/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { gk } from "~/api";

/**
 * Items of the catalog by id. Many tiles ask at once; those of one moment are one request.
 */
const MOST = 100;

let waiting = new Map<string, (entry: ItemEntry | null) => void>();

function load(id: string): Promise<ItemEntry | null> {
  return new Promise((resolve) => {
    if (waiting.size === 0) setTimeout(send, 5);
    waiting.set(id, resolve);
  });
}

async function send() {
  const asked = [...waiting];
  waiting = new Map();
  for (let at = 0; at < asked.length; at += MOST) {
    const part = asked.slice(at, at + MOST);
    const ids = part.map(([id]) => id).join(",");
    const found = await gk
      .get("/api/v1/catalog/items", { params: { query: { ids, pageSize: MOST } } })
      .catch(() => null);
    const entries = new Map(found?.Values.map((entry) => [entry.Id, entry]));
    for (const [id, resolve] of part) resolve(entries.get(id) ?? null);
  }
}

/** The read of one item, for `useQuery`; null if the catalog has none of that id. */
export function itemQuery(id: string) {
  return queryOptions({
    queryKey: ["item", id],
    queryFn: () => load(id),
    staleTime: 10 * 60_000,
  });
}

/** The item, once it is known; null if the catalog has none of that id. */
export function useItem(id: string): ItemEntry | null | undefined {
  return useQuery(itemQuery(id)).data;
}
