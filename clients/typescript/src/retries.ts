import { GamekeeperError } from "./errors.js";
import { sleep, Timeout } from "./waiting.js";

const PASSING: readonly number[] = [429, 502, 503, 504];

export interface RetryOptions {
  /** How often a call is repeated after the first attempt; 3 if you do not say. */
  retries?: number;
  /** Milliseconds for all attempts and the pauses between them; 30,000 if you do not say. */
  deadline?: number;
  /** Milliseconds for one attempt; 10,000 if you do not say. */
  timeout?: number;
}

export type Persistence = Required<RetryOptions> & { signal?: AbortSignal | null | undefined };

/** What the attempt gives; it is repeated as long as that may help and there is time. */
export async function persist<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  { retries, deadline, timeout, signal }: Persistence,
): Promise<T> {
  const ends = performance.now() + deadline;
  for (let made = 0; ; made++) {
    signal?.throwIfAborted();
    const time = new Timeout(Math.min(timeout, Math.max(0, ends - performance.now())), signal);
    try {
      return await attempt(time.signal);
    } catch (error) {
      signal?.throwIfAborted();
      const pause = backoff(made, error);
      const isLast = made >= retries || !isPassing(error) || performance.now() + pause >= ends;
      if (isLast) throw error;
      await sleep(pause, signal);
    } finally {
      time.end();
    }
  }
}

/** Whether the same request may succeed a little later. */
export function isPassing(error: unknown): error is GamekeeperError {
  if (!(error instanceof GamekeeperError)) return false;
  // A game server was asked and may still do it: asked again, it might do it twice.
  if (error.code === "not_answered") return false;
  return ["no_answer", "still_running"].includes(error.code) || PASSING.includes(error.status);
}

/**
 * Milliseconds before the next attempt: what the service asked for, and up to twice as much as
 * the last time, at random, so that callers who failed together do not come back together.
 */
export function backoff(made: number, error: unknown, first = 200, most = 5000): number {
  const asked = error instanceof GamekeeperError ? (error.retryAfter ?? 0) * 1000 : 0;
  return asked + Math.random() * Math.min(most, first * 2 ** Math.min(made, 30));
}
