import type { Player } from "@gamekeeper/client";
import { useQuery } from "@tanstack/react-query";
import { get } from "~/api";

/** The server that a character plays on now; asked for when a sheet opens. */
export function useServerOf(player: Player, isWanted: boolean): string | null {
  const { data } = useQuery({
    ...get("/api/v1/players/{key}/sessions", {
      params: { path: { key: player.Id }, query: { limit: 1 } },
    }),
    enabled: isWanted && player.Online,
  });
  const last = data?.Values[0];
  return last && last.LeftAt === null ? last.ServerName : null;
}
