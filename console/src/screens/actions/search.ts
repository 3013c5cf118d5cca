import { flagOf, optional, type Raw, textOf } from "~/search";

/** What the address of this screen holds. */
export function search(raw: Raw) {
  return optional({
    actor: textOf(raw.actor),
    kind: textOf(raw.kind),
    player: textOf(raw.player),
    user: textOf(raw.user),
    item: textOf(raw.item),
    reason: textOf(raw.reason),
    from: textOf(raw.from),
    to: textOf(raw.to),
    /** Whether new actions appear by themselves. */
    live: flagOf(raw.live),
    /** One action, opened. */
    id: textOf(raw.id),
    /** One trade, with both its sides. */
    transaction: textOf(raw.transaction),
  });
}
