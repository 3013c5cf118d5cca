import type { Approval, CampaignWork } from "@gamekeeper/client";

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);

/** What would be given, if that is the change. */
export function giftOf({ Kind, Change }: Pick<Approval, "Kind" | "Change">) {
  const item = textOf(Change.item_id);
  const { quantity } = Change;
  if (Kind !== "items.give" || !item || typeof quantity !== "number") return null;
  return { item, quantity };
}

/** The campaign that would be planned, if that is the change. */
export function planOf({ Kind, Change }: Pick<Approval, "Kind" | "Change">) {
  const plan = Change.plan as Record<string, unknown> | undefined;
  const name = textOf(Change.name);
  const { max_recipients: most } = Change;
  if (Kind !== "schedules.create" || !plan || !name || typeof most !== "number") return null;
  return {
    name,
    most,
    segment: textOf(Change.segment),
    work: Change.work as CampaignWork,
    onJoin: Change.on_join === true,
    startsAt: textOf(plan.starts_at),
    cron: textOf(plan.cron),
    endsAt: textOf(plan.ends_at),
    endsCron: textOf(plan.ends_cron),
    zone: textOf(plan.time_zone) ?? "UTC",
  };
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
