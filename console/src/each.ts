import type { ChangeInit } from "~/change";

/**
 * Carry out one change for each thing, under one request id, so that one Undo finds them all.
 * Each has a key of its own: sent again after a failure, what is done is not done twice.
 */
export async function eachOf<T>(
  things: readonly T[],
  { headers }: ChangeInit,
  change: (thing: T, init: ChangeInit) => Promise<unknown>,
): Promise<void> {
  for (const [index, thing] of things.entries()) {
    const key = `${headers["Idempotency-Key"]}-${index}`;
    await change(thing, { headers: { ...headers, "Idempotency-Key": key } });
  }
}
