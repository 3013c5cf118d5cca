import type { Player } from "@gamekeeper/client";
import { useQuery } from "@tanstack/react-query";
import { gk } from "~/api";

const MAP_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isMapId = (typed: string) => MAP_ID.test(typed);

/** The names of the maps of the catalog, and of those that these characters are on, by id. */
export function useMaps(enabled: boolean, on: (Player | null)[]): Map<string, string> {
  const maps = useQuery({
    queryKey: ["maps"],
    queryFn: ({ signal }) =>
      gk.post("/api/v1/gameobjects/{object_type}/names", {
        params: { path: { object_type: "map" } },
        signal,
      }),
    enabled,
    staleTime: 60_000,
  });
  const known = Object.entries(maps.data ?? {});
  const here = on.flatMap((one) =>
    one?.MapName ? [[one.MapId, one.MapName] as [string, string]] : [],
  );
  return new Map([...here, ...known].sort(([, a], [, b]) => a.localeCompare(b)));
}
