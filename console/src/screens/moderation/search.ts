import { oneOf, optional, type Raw, textOf } from "~/search";

export const TABS = ["sanctions", "access", "appeals", "templates"] as const;
export const KIND_FILTERS = ["ban", "mute", "trade_lock", "warning", "note"] as const;
export const STATES = ["all", "over"] as const;
export const APPEAL_STATES = ["open", "lifted", "kept", "closed"] as const;

/** What the address of this screen holds. */
export function search(raw: Raw) {
  return optional({
    tab: oneOf(raw.tab, TABS),
    kind: oneOf(raw.kind, KIND_FILTERS),
    actor: textOf(raw.actor),
    template: textOf(raw.template),
    /** Which sanctions; those in force if it is not there. */
    state: oneOf(raw.state, STATES),
    /** The sanction that is open. */
    code: textOf(raw.code),
    /** The appeal that is open. */
    appeal: textOf(raw.appeal),
    appeals: oneOf(raw.appeals, APPEAL_STATES),
    page: typeof raw.page === "number" && raw.page > 0 ? Math.trunc(raw.page) : undefined,
  });
}
