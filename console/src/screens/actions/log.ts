import { useInfiniteQuery } from "@tanstack/react-query";
import { gk } from "~/api";
import type { LogFilter } from "./filter";

const LIMIT = 50;

/** The log, newest first; `every`: asked for again after so many milliseconds. */
export function useLog(filter: LogFilter, enabled: boolean, every: number | false) {
  return useInfiniteQuery({
    queryKey: ["/api/v1/actions", { query: filter }, "pages"],
    queryFn: ({ pageParam, signal }) =>
      gk.get("/api/v1/actions", {
        params: {
          query: {
            ...filter,
            limit: LIMIT,
            names: true,
            items: true,
            ...(pageParam && { cursor: pageParam }),
          },
        },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: (last) => last.Next ?? undefined,
    enabled,
    refetchInterval: every,
  });
}
