import type { Gamekeeper } from "./client.js";
import { isError, noAnswer } from "./errors.js";
import { messages } from "./event_messages.js";
import { backoff, isPassing } from "./retries.js";
import type { EventEntry } from "./schema.js";
import { sleep, Timeout } from "./waiting.js";

const PATH = "/api/v1/events";
/** The service says something every 15 seconds. */
const QUIET = 45_000;
const OPENING = 10_000;
const LONGEST_WAIT = 25;

export interface EventOptions {
  /** The `Seq` of the last event you have; `latest`: from now on; if absent, from the oldest. */
  after?: number | "latest";
  kinds?: readonly string[];
  /** Only those of one character, by name or id. */
  player?: string;
  /** Only those of the characters on one game server. */
  server?: string;
  /** Names beside ids. */
  names?: boolean;
  signal?: AbortSignal;
  /** Ask again and again instead of keeping a stream open. */
  poll?: boolean;
  /** Told when the connection is there, and when it is lost and being sought again. */
  onConnection?: (isLive: boolean) => void;
  /**
   * Told that the events after `after` and before `oldest` are no longer kept; the stream then
   * goes on with `oldest`. Without it that is an error, `events_expired`.
   */
  onGap?: (gap: { after: number; oldest: number }) => void;
}

/**
 * What happens in the game, as it happens: none is missed and none comes twice.
 *
 * After a break it goes on where it was, for as long as it takes. It ends when you leave the
 * loop, when `signal` is aborted (with the signal's reason) or when the service refuses.
 */
export async function* events(
  gk: Gamekeeper,
  options: EventOptions = {},
): AsyncGenerator<EventEntry, void, undefined> {
  const place = new Place(gk, options);
  for (let failed = 0; ; failed++) {
    let cause: unknown = null;
    try {
      for await (const event of place.listen()) {
        failed = 0;
        if (event !== null) yield event;
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      if (place.skipsGap(error)) continue;
      if (!isPassing(error)) throw error;
      cause = error;
    }
    place.tell(false);
    await sleep(backoff(failed, cause, 1000, 15_000), options.signal);
  }
}

/** How far a listener has come, and how it hears more. */
class Place {
  #after: number | "latest" | undefined;
  #polls: boolean;
  #isLive: boolean | null = null;

  constructor(
    readonly gk: Gamekeeper,
    readonly options: EventOptions,
  ) {
    this.#after = options.after;
    this.#polls = options.poll ?? false;
  }

  /** Events until the connection ends; null when there is none, but the place has moved on. */
  async *listen(): AsyncGenerator<EventEntry | null, void, undefined> {
    this.options.signal?.throwIfAborted();
    // What `latest` is must not move when the connection breaks.
    if (this.#after === "latest") yield* await this.#page({ limit: 1 });
    if (!this.#polls) yield* this.#stream();
    else for (;;) yield* await this.#page({ wait: LONGEST_WAIT });
  }

  /** Whether the error was that events are gone, and the caller wants the rest. */
  skipsGap(error: unknown): boolean {
    const { onGap } = this.options;
    const isGap = isError(error, "events_expired") && typeof this.#after === "number";
    if (!onGap || !isGap) return false;
    const oldest = Number(error.details.Oldest);
    onGap({ after: Number(this.#after), oldest });
    this.#after = oldest - 1;
    return true;
  }

  tell(isLive: boolean): void {
    if (this.#isLive !== isLive) this.options.onConnection?.(isLive);
    this.#isLive = isLive;
  }

  async *#stream(): AsyncGenerator<EventEntry | null, void, undefined> {
    const time = new Timeout(OPENING, this.options.signal);
    let [isOpen, isHeard] = [false, false];
    const hear = () => {
      isHeard = true;
      this.tell(true);
      time.putOff(QUIET);
    };
    try {
      const answer = await this.gk.open(PATH, {
        params: { query: this.#query() },
        headers: { Accept: "text/event-stream" },
        signal: time.signal,
      });
      isOpen = true;
      time.putOff(QUIET);
      for await (const { id, event, data } of messages(answer, hear)) {
        if (id) this.#after = Number(id);
        if (event === "end") return;
        if (id) yield data ? (JSON.parse(data) as EventEntry) : null;
      }
    } catch (error) {
      if (!time.signal.aborted) throw error;
      // It was opened and nothing came, not even the greeting: something between holds it back.
      this.#polls = isOpen && !isHeard;
      throw noAnswer(error);
    } finally {
      time.end();
    }
  }

  async #page(more: { wait?: number; limit?: number }): Promise<(EventEntry | null)[]> {
    const query = { ...this.#query(), ...more };
    const { signal = null } = this.options;
    const page = await this.gk.get(PATH, { params: { query }, signal, retries: 0 });
    this.#after = page.Next;
    this.tell(true);
    return [...page.Values, null];
  }

  #query() {
    const { kinds, player, server, names } = this.options;
    return {
      ...(this.#after !== undefined && { after: String(this.#after) }),
      ...(kinds && { kinds: kinds.join(",") }),
      ...(player !== undefined && { player }),
      ...(server !== undefined && { server }),
      ...(names !== undefined && { names }),
    };
  }
}
