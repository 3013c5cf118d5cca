import type { Player } from "@gamekeeper/client";

/** The server that a character plays on now, for a sheet that is open. */
export function useServerOf(player: Player, isWanted: boolean): string | null {
  return isWanted ? (player.ServerName ?? null) : null;
}
