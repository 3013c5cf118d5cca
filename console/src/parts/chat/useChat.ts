import type { ChatLine, ChatLines } from "@gamekeeper/client";
import { useEffect, useRef, useState } from "react";
import { gk } from "~/api";
import type { ChatFilter } from "./filter";

const LIMIT = 50;
const NOTHING: ChatLines = { Values: [], Older: null, Newer: null, SearchedTo: null };

/** What is loaded of the log, oldest first. */
interface Loaded {
  lines: ChatLine[];
  older: string | null;
  newer: string | null;
  /** How far back an unfinished search came. */
  searchedTo: string | null;
}

type State =
  | { status: "loading" }
  | { status: "failed"; error: Error }
  | ({ status: "ready"; busy: "older" | "newer" | null } & Loaded);

type Cursor = { older: string } | { newer: string };

/**
 * The chat log from the newest message, or around a moment, and on in both directions.
 *
 * With a reason it has private messages. Not a `useQuery`: that reads again when the window gets
 * the focus or something else changes, and each read of private messages is recorded.
 */
export function useChat(filter: ChatFilter, reason: string | null) {
  const wanted = JSON.stringify([filter, reason]);
  const [state, setState] = useState<State>({ status: "loading" });
  const [attempt, setAttempt] = useState(0);
  const current = useRef<AbortController>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks for the same
  useEffect(() => {
    const [about, because] = JSON.parse(wanted) as [ChatFilter, string | null];
    const stop = new AbortController();
    current.current = stop;
    setState({ status: "loading" });
    ask(about, because, null, stop.signal).then(
      (page) => stop.signal.aborted || setState({ status: "ready", busy: null, ...loaded(page) }),
      (error: Error) => stop.signal.aborted || setState({ status: "failed", error }),
    );
    return () => stop.abort();
  }, [wanted, attempt]);

  async function more(direction: "older" | "newer") {
    const stop = current.current;
    if (state.status !== "ready" || state.busy || !stop) return;
    const place = state[direction];
    if (!place) return;
    setState({ ...state, busy: direction });
    const { at: _, ...about } = filter;
    const cursor = direction === "older" ? { older: place } : { newer: place };
    try {
      const page = await ask(about, reason, cursor, stop.signal);
      if (!stop.signal.aborted) {
        setState({ status: "ready", busy: null, ...joined(state, page, direction) });
      }
    } catch (error) {
      if (!stop.signal.aborted) setState({ status: "failed", error: error as Error });
    }
  }

  return { state, more, retry: () => setAttempt(attempt + 1) };
}

function ask(
  { at, channel, ...about }: ChatFilter,
  reason: string | null,
  cursor: Cursor | null,
  signal: AbortSignal,
): Promise<ChatLines> {
  const place = cursor ?? (at ? { at } : {});
  const wanted = { ...about, ...place, limit: LIMIT };
  if (reason !== null) {
    const body = { ...wanted, ...(channel && { channel }), reason };
    return gk.post("/api/v1/chat/messages/private", { body, signal });
  }
  // Without private messages their channel is empty; the filter explains it.
  if (channel === "pm") return Promise.resolve(NOTHING);
  return gk.get("/api/v1/chat/messages", {
    params: { query: { ...wanted, ...(channel && { channel }) } },
    signal,
  });
}

function loaded(page: ChatLines): Loaded {
  return {
    lines: page.Values.toReversed(),
    older: page.Older ?? null,
    newer: page.Newer ?? null,
    searchedTo: page.SearchedTo ?? null,
  };
}

function joined(before: Loaded, page: ChatLines, direction: "older" | "newer"): Loaded {
  const next = loaded(page);
  return direction === "older"
    ? { ...next, lines: [...next.lines, ...before.lines], newer: before.newer }
    : { ...before, lines: [...before.lines, ...next.lines], newer: next.newer };
}
