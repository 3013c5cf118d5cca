import { type Answer, connect, GamekeeperError, type Init, type Path } from "@gamekeeper/client";
import { QueryClient, queryOptions } from "@tanstack/react-query";
import { config } from "~/config";

export const gk = connect({ url: config.root });

/**
 * A read of the API for `useQuery`: the same path and parameters are asked for once.
 *
 *     const player = useQuery(get("/api/v1/players/{key}", { params: { path: { key } } }));
 */
export function get<P extends Path<"get">>(path: P, ...init: Init<"get", P>) {
  const call = gk.get as (path: P, init: object) => Promise<Answer<"get", P>>;
  const [about] = init as [{ params?: unknown }?];
  return queryOptions({
    queryKey: [path, about?.params ?? {}] as const,
    queryFn: ({ signal }) => call(path, { ...about, signal }),
  });
}

/** Whether to ask again: not what was refused, which would only be refused again. */
function worthRetry(failures: number, error: Error): boolean {
  return error instanceof GamekeeperError && (error.status === 0 || error.status >= 500)
    ? failures < 2
    : false;
}

export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5_000, retry: worthRetry, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});
