import { type EventEntry, events } from "@gamekeeper/client";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { gk, queries } from "~/api";
import { config } from "~/config";
import { Touched } from "~/touched";

/**
 * What happens in the game, as it happens: one stream for all tabs of the browser.
 *
 * One tab, the leader, holds a lock and follows the events; it tells the others through a
 * BroadcastChannel. When it is closed, the next one gets the lock and goes on after the last
 * event it heard of. A browser without locks (they need https) has a stream for each tab.
 */
const NAME = `gamekeeper-live${config.root}`;
/** How often the leader says that it is there. A hidden tab's clock may stretch it to a minute. */
const PULSE = 10_000;
const SILENCE = 75_000;
/** Reads that events touch load anew at most this often. */
const REFRESH = 3_000;

type Message =
  | { about: "event"; event: EventEntry }
  | { about: "state"; isLive: boolean; seq: number | null }
  | { about: "question" };

type Listener = (event: EventEntry) => void;

const listeners = new Set<Listener>();
const watchers = new Set<() => void>();
let isLive = false;
let last: number | null = null;
let users = 0;
let stop: (() => void) | null = null;

/**
 * Called with every event from now on, of these kinds if some are given (`items.give`, or
 * `items` for all of that family). Only while the component is there.
 */
export function useLive(kinds: readonly string[] | undefined, onEvent: Listener): void {
  const hear = useEffectEvent((event: EventEntry) => {
    const family = event.Kind.split(".")[0] ?? "";
    if (!kinds || kinds.includes(event.Kind) || kinds.includes(family)) onEvent(event);
  });
  useEffect(() => {
    const listener: Listener = (event) => hear(event);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
}

/** Milliseconds between two reads where events do not arrive. */
const SELDOM = 30_000;

/** How often to read again what events touch; false: they arrive. */
export function usePolling(): number | false {
  return useIsLive() ? false : SELDOM;
}

/** Whether events arrive at once; if not, what is shown is asked for again and again. */
export function useIsLive(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => isLive,
  );
}

/** Follows the events while the frame is there; `enabled`: the person may. */
export function useFollow(enabled: boolean): void {
  useEffect(() => {
    if (!enabled) return;
    if (++users === 1) stop = follow();
    return () => {
      if (--users > 0) return;
      stop?.();
      stop = null;
    };
  }, [enabled]);
}

function follow(): () => void {
  const end = new AbortController();
  const refresher = refresh();
  const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(NAME) : null;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let leads = false;

  function tell(message: Message) {
    channel?.postMessage(message);
  }
  function hear(event: EventEntry) {
    if (last !== null && event.Seq <= last) return;
    last = event.Seq;
    refresher.add(event);
    for (const listener of listeners) listener(event);
  }
  function tellState() {
    tell({ about: "state", isLive, seq: last });
  }

  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.about === "question") {
        if (leads) tellState();
        return;
      }
      if (leads) return;
      clearTimeout(silence);
      silence = setTimeout(() => setLive(false), SILENCE);
      if (data.about === "event") hear(data.event);
      else {
        last ??= data.seq;
        setLive(data.isLive);
      }
    };
  }

  async function lead() {
    leads = true;
    clearTimeout(silence);
    const pulse = setInterval(tellState, PULSE);
    try {
      const heard = events(gk, {
        after: last ?? "latest",
        names: true,
        signal: end.signal,
        onConnection: (there) => {
          setLive(there);
          tellState();
        },
        onGap: () => void queries.invalidateQueries(),
      });
      for await (const event of heard) {
        hear(event);
        tell({ about: "event", event });
      }
    } catch {
      // Refused, or the end: the reads are then repeated by the clock, as without events.
    } finally {
      clearInterval(pulse);
      setLive(false);
      if (!end.signal.aborted) tellState();
      leads = false;
    }
  }

  tell({ about: "question" });
  const locks = channel ? navigator.locks : undefined;
  if (locks) locks.request(NAME, { signal: end.signal }, lead).catch(() => undefined);
  else void lead();

  return () => {
    end.abort();
    clearTimeout(silence);
    refresher.stop();
    channel?.close();
    setLive(false);
    last = null;
  };
}

function setLive(next: boolean) {
  if (isLive === next) return;
  isLive = next;
  for (const watcher of watchers) watcher();
}

/** Lets the reads that events touch load anew: soon after the first, then once in a while. */
function refresh() {
  let touched = new Touched();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let before = 0;

  function run() {
    const now = touched;
    touched = new Touched();
    timer = undefined;
    before = Date.now();
    if (!now.isEmpty) void queries.invalidateQueries({ predicate: (query) => now.has(query) });
  }
  return {
    add(event: EventEntry) {
      touched.add(event);
      timer ??= setTimeout(run, Math.max(300, before + REFRESH - Date.now()));
    },
    stop: () => clearTimeout(timer),
  };
}
