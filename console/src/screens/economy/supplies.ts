import type { ItemSupply } from "@gamekeeper/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get, gk } from "~/api";
import type { Sort } from "./search";
import { found, withChanges } from "./sorted";

export const PAGE_SIZE = 25;
const MOST = 100;

interface Wanted {
  words: string;
  sort: Sort;
  isReverse: boolean;
  page: number;
}

/**
 * A page of the items. The service sorts by number only: for another order, or to look for a
 * name, all items are loaded once and kept for a minute.
 */
export function useSupplies({ words, sort, isReverse, page }: Wanted) {
  const needsAll = words !== "" || sort !== "total" || isReverse;
  const some = useQuery({
    ...get("/api/v1/economy/items", { params: { query: { page, pageSize: PAGE_SIZE } } }),
    enabled: !needsAll,
    placeholderData: keepPreviousData,
  });
  const all = useQuery({
    queryKey: ["economy", "all"],
    queryFn: ({ signal }) => loadAll(signal),
    staleTime: 60_000,
    enabled: needsAll,
  });
  const overview = useQuery(get("/api/v1/overview"));
  const changes = overview.data?.Supply.Values ?? [];
  if (!needsAll) {
    const rows = some.data && withChanges(some.data.Values, changes);
    return { query: some, rows, total: some.data?.Total ?? 0 };
  }
  const matching = all.data && found(withChanges(all.data, changes), words, sort, isReverse);
  const rows = matching?.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
  return { query: all, rows, total: matching?.length ?? 0 };
}

async function loadAll(signal: AbortSignal): Promise<ItemSupply[]> {
  const items: ItemSupply[] = [];
  for (let page = 0; ; page++) {
    const query = { page, pageSize: MOST };
    const answer = await gk.get("/api/v1/economy/items", { params: { query }, signal });
    items.push(...answer.Values);
    if (items.length >= answer.Total || answer.Count === 0) return items;
  }
}
