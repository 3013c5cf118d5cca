import type { Approval } from "@gamekeeper/client";

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);

/** What would be given, if that is the change. */
export function giftOf({ Kind, Change }: Pick<Approval, "Kind" | "Change">) {
  const item = textOf(Change.item_id);
  const { quantity } = Change;
  if (Kind !== "items.give" || !item || typeof quantity !== "number") return null;
  return { item, quantity };
}

/** The character, the action, the trade, the campaign, the actor and the account that a change names. */
export function namedIn({ Change }: Pick<Approval, "Change">) {
  return {
    player: textOf(Change.player),
    at: textOf(Change.at),
    action: textOf(Change.action_id),
    transaction: textOf(Change.transaction_id),
    campaign: textOf(Change.campaign_id),
    actor: textOf(Change.actor),
    /** The character or the account of a bulk undo. */
    playerId: textOf(Change.player_id),
    userId: textOf(Change.user_id),
    what: textOf(Change.what),
    since: textOf(Change.since),
    until: textOf(Change.until),
    moves: Array.isArray(Change.moves) ? Change.moves.length : 0,
  };
}
