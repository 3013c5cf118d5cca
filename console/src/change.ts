import { GamekeeperError } from "@gamekeeper/client";
import { gk, queries } from "~/api";
import { askSecondFactor } from "~/frame/question";
import { isShared, transactionOf } from "~/parts/actions/entry";
import { text } from "~/text";

/** Whose log has the action: where its undo is found. */
export interface Subject {
  player?: string | undefined;
  /** A character that is deleted: it has no history of its own, the log has its id. */
  deletedPlayer?: string | undefined;
  user?: string | undefined;
  guild?: string | undefined;
}

/** What a change sends beside its body, so that it happens once and is found again. */
export interface ChangeInit {
  headers: { "X-Request-Id": string; "Idempotency-Key": string };
}

/** What a change sends with its reason, if its request has no body for it. */
export function withReason({ headers }: ChangeInit, reason: string) {
  return { headers: { ...headers, ...(reason && { "X-Reason": reason }) } };
}

/**
 * Carry a change out: ask for the second factor again if the service wants that, and let
 * every list on the screen load anew. Returns the request's id, by which the log knows it.
 * Given the id of an attempt whose end is unknown, the change is not made twice.
 */
export async function carryOut(
  change: (init: ChangeInit) => Promise<unknown>,
  id: string = crypto.randomUUID(),
): Promise<string> {
  const init = { headers: { "X-Request-Id": id, "Idempotency-Key": id } };
  await withSecondFactor(() => change(init));
  void queries.invalidateQueries();
  return id;
}

/** Whether a change that ended like this may have been made all the same. */
export function isUncertain(error: unknown): boolean {
  return error instanceof GamekeeperError && (error.status === 0 || error.status >= 500);
}

/** A call that may need the second factor to have been given in the last ten minutes. */
export async function withSecondFactor<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    // The session is over: the reads find that out too, and lead to the sign-in.
    if (error instanceof GamekeeperError && error.status === 401) void queries.invalidateQueries();
    const isStepUp = error instanceof GamekeeperError && error.code === "step_up_required";
    if (!isStepUp || !(await askSecondFactor())) throw error;
    return call();
  }
}

/** Undo what a request did; the log says which action that was. */
export async function undoRequest(requestId: string, subject: Subject): Promise<void> {
  const entries = await logOf(subject);
  const done = entries.Values.filter((entry) => entry.RequestId === requestId);
  if (done.length === 0) throw new Error(text.change.notLogged);
  // Of a trade or a move, which has two sides, only the whole can be undone, and once.
  const wholes = new Set<string>();
  for (const entry of done) {
    const whole = isShared(entry) ? transactionOf(entry) : undefined;
    if (whole === undefined) await undoAction(entry.Id);
    else wholes.add(whole);
  }
  for (const whole of wholes) await undoTransaction(whole);
}

/** The newest actions on whom a change was about. */
function logOf({ player, deletedPlayer, user, guild }: Subject) {
  const query = { limit: 20 };
  if (guild)
    return gk.get("/api/v1/guilds/{guild_id}/history", {
      params: { path: { guild_id: guild }, query },
    });
  if (player)
    return gk.get("/api/v1/players/{key}/history", { params: { path: { key: player }, query } });
  const about = deletedPlayer ? { player: deletedPlayer } : { user: user ?? "" };
  return gk.get("/api/v1/actions", { params: { query: { ...query, ...about } } });
}

const UNDONE_HERE = { reason: "undone in the console" };

async function undoAction(id: string): Promise<void> {
  const params = { path: { id } };
  await carryOut((init) =>
    gk.post("/api/v1/actions/{id}/undo", { params, body: UNDONE_HERE, ...init }),
  );
}

async function undoTransaction(id: string): Promise<void> {
  const params = { path: { id } };
  await carryOut((init) =>
    gk.post("/api/v1/transactions/{id}/undo", { params, body: UNDONE_HERE, ...init }),
  );
}
