import { type Code, GamekeeperError, type MoveBody, type Player } from "@gamekeeper/client";
import { gk } from "~/api";
import type { ChangeInit } from "~/change";
import type { Spot } from "../grid";

/** One end of a move: a slot of a character. */
export function endOf(side: "from" | "to", player: Player, spot: Spot): Partial<MoveBody> {
  const { place, bag, slot } = spot;
  return side === "from"
    ? { from: player.Id, fromplace: place, fromslot: slot, ...(bag && { frombag: bag }) }
    : { to: player.Id, toplace: place, toslot: slot, ...(bag && { tobag: bag }) };
}

/** Carry one move out; a list of transactions answers 200 even if this one was refused. */
export async function transact(
  move: Partial<MoveBody> & Pick<MoveBody, "do">,
  reason: string,
  init: ChangeInit,
): Promise<void> {
  const key = init.headers["Idempotency-Key"];
  const answer = await gk.post("/api/v1/transactions", {
    body: {
      transactions: [{ key, moves: [move as MoveBody], ...(reason && { reason }) }],
    },
    headers: { "X-Request-Id": init.headers["X-Request-Id"] },
  });
  const outcome = answer.Values[0];
  if (!outcome || outcome.Status === 200) return;
  const { Message = "", Code: code = "unreadable_answer", Details } = outcome.Failure ?? {};
  throw new GamekeeperError(Message, outcome.Status, code as Code, key, Details ?? {});
}
