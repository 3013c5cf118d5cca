import { GamekeeperError, type User } from "@gamekeeper/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { gk } from "~/api";

export const PAGE_SIZE = 50;
const MOST_HITS = 100;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface Accounts {
  users: User[];
  /** Of all; null: hits of a search, which are not counted. */
  total: number | null;
  more: boolean;
}

/** All accounts by page; or those that match a name, a part of an email, or an id. */
export function useAccounts(search: string, page: number) {
  return useQuery({
    queryKey: ["accounts", search, page],
    queryFn: ({ signal }) => find(search, page, signal),
    placeholderData: keepPreviousData,
  });
}

async function find(search: string, page: number, signal: AbortSignal): Promise<Accounts> {
  if (ID.test(search)) {
    // An id that nobody has is no error here, but a search without hits.
    const params = { path: { key: search } };
    const found = await gk
      .get("/api/v1/users/{key}", { params, signal })
      .catch((error: unknown) => {
        if (error instanceof GamekeeperError && error.status === 404) return null;
        throw error;
      });
    return { users: found ? [found] : [], total: null, more: false };
  }
  if (search.length >= 2) {
    const params = { query: { search, limit: MOST_HITS } };
    const found = await gk.get("/api/v1/users/search", { params, signal });
    return { users: found.Values, total: null, more: found.More };
  }
  const params = { query: { page, pageSize: PAGE_SIZE } };
  const found = await gk.get("/api/v1/users", { params, signal });
  return { users: found.Values, total: found.Total, more: false };
}
