import { oneOf, type Raw, textOf } from "~/search";

export const CHANNELS = ["local", "party", "global", "guild", "admin", "pm"] as const;
export type Channel = (typeof CHANNELS)[number];

/** What the address of a screen with a chat log holds. */
export interface ChatSearch {
  channel?: Channel | undefined;
  /** A part of the messages. */
  said?: string | undefined;
  /** An instant: five minutes before and after are shown. */
  moment?: string | undefined;
  /** With a moment: everyone on this server, not only the player. */
  server?: string | undefined;
}

export function chatSearch(raw: Raw) {
  return {
    channel: oneOf(raw.channel, CHANNELS),
    said: textOf(raw.said),
    moment: textOf(raw.moment),
    server: textOf(raw.server),
  };
}

/** What the log is asked for. */
export interface ChatFilter {
  player?: string;
  server?: string;
  guild?: string;
  channel?: Channel;
  search?: string;
  at?: string;
}

const SHORTEST_SEARCH = 2;

/** The filter of an address, on the page of a player, guild or server. */
export function filterOf(
  about: Pick<ChatFilter, "player" | "guild" | "server">,
  { channel, said, moment, server }: ChatSearch,
): ChatFilter {
  return {
    ...(server ? { server } : about),
    ...(channel && { channel }),
    ...(said && said.length >= SHORTEST_SEARCH && { search: said }),
    ...(moment && !Number.isNaN(Date.parse(moment)) && { at: moment }),
  };
}
