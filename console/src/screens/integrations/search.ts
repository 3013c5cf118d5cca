import { countOf, oneOf, optional, type Raw, textOf } from "~/search";

export const TABS = ["keys", "webhooks", "sign-in", "api"] as const;
export const KEY_STATES = ["live", "expired", "revoked"] as const;
export const LANGUAGES = ["curl", "typescript", "python"] as const;

/** What the address of this screen holds. */
export function search(raw: Raw) {
  return optional({
    tab: oneOf(raw.tab, TABS),
    /** Which keys; all of them if it is not there. */
    state: oneOf(raw.state, KEY_STATES),
    page: countOf(raw.page),
    /** The key that is open. */
    key: textOf(raw.key),
    /** The webhook that is open, and the delivery of it. */
    webhook: textOf(raw.webhook),
    delivery: textOf(raw.delivery),
    /** The sign-in client that is open. */
    client: textOf(raw.client),
    language: oneOf(raw.language, LANGUAGES),
  });
}
