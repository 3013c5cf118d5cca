import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { gk } from "~/api";
import type { OrderStateName } from "./states";

const PAGE_SIZE = 50;

export interface OrderFilter {
  order?: string | undefined;
  shop?: string | undefined;
  /** The account that receives it or paid, by name or id. */
  user?: string | undefined;
  state?: OrderStateName | undefined;
}

/** The orders that match, page after page, newest first. */
export function useOrders({ order, shop, user, state }: OrderFilter, enabled = true) {
  const query = {
    limit: PAGE_SIZE,
    ...(order && { order }),
    ...(shop && { shop }),
    ...(user && { user }),
    ...(state && { state }),
  };
  return useInfiniteQuery({
    queryKey: ["/api/v1/orders", { query }],
    queryFn: ({ pageParam, signal }) =>
      gk.get("/api/v1/orders", {
        params: { query: { ...query, ...(pageParam && { cursor: pageParam }) } },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: (last) => last.Next,
    placeholderData: keepPreviousData,
    enabled,
  });
}
