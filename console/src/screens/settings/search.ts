import { countOf, oneOf, optional, type Raw, textOf } from "~/search";

export const TABS = ["staff", "roles", "approvals", "health", "about"] as const;
export const APPROVAL_STATES = ["pending", "approved", "rejected", "expired"] as const;

/** What the address of this screen holds. */
export function search(raw: Raw) {
  return optional({
    tab: oneOf(raw.tab, TABS),
    page: countOf(raw.page),
    /** The staff member that is open. */
    member: textOf(raw.member),
    /** Of the staff: those who have it. Of the roles: the one that is open. */
    role: textOf(raw.role),
    /** Which requests; those that wait if it is not there. */
    state: oneOf(raw.state, APPROVAL_STATES),
    /** The request that is open. */
    approval: textOf(raw.approval),
  });
}
