import { chatSearch } from "~/parts/chat/filter";
import { oneOf, optional, type Raw, textOf } from "~/search";

export const TABS = [
  "reports",
  "chat",
  "sanctions",
  "access",
  "appeals",
  "templates",
  "statistics",
] as const;
type Tab = (typeof TABS)[number];

/** The scope without which a tab is useless. */
export const SCOPES: Readonly<Record<Tab, string>> = {
  reports: "reports.read",
  chat: "logs.read",
  sanctions: "sanctions.read",
  access: "sanctions.read",
  appeals: "sanctions.read",
  templates: "sanctions.read",
  statistics: "reports.read",
};

export const SHOWN = ["mine", "unclaimed", "closed"] as const;
export const CATEGORIES = [
  "cheating",
  "harassment",
  "exploit",
  "real_money_trading",
  "offensive_name",
  "spam",
  "other",
] as const;
export const SEVERITIES = ["3", "2", "1"] as const;
export const KIND_FILTERS = ["ban", "mute", "trade_lock", "warning", "note"] as const;
export const STATES = ["all", "over"] as const;
export const DAYS = ["7", "30", "90"] as const;
export const APPEAL_STATES = ["open", "lifted", "kept", "closed"] as const;

/** What the address of this screen holds. */
export function search(raw: Raw) {
  return optional({
    tab: oneOf(raw.tab, TABS),
    /** Of the reports: which cases; the open ones if it is not there. */
    show: oneOf(raw.show, SHOWN),
    category: oneOf(raw.category, CATEGORIES),
    severity: oneOf(textOf(raw.severity), SEVERITIES),
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
    /** Of the chat log: whose messages, by name; the server is in what follows. */
    player: textOf(raw.player),
    ...chatSearch(raw),
    /** Of the statistics: the period. */
    days: oneOf(textOf(raw.days), DAYS),
    page: typeof raw.page === "number" && raw.page > 0 ? Math.trunc(raw.page) : undefined,
  });
}

/** The tab of an address: filters of sanctions open them, and nothing the first that one may see. */
export function tabOf(address: ReturnType<typeof search>, scopes: readonly string[]): Tab {
  const { tab, kind, actor, template, state, code } = address;
  if (tab) return tab;
  const isAboutSanctions = kind || actor || template || state || code;
  if (isAboutSanctions) return "sanctions";
  // Reports and sanctions are worked on; the chat log is only looked into.
  const order = ["reports", "sanctions", "chat"] as const;
  return order.find((one) => scopes.includes(SCOPES[one])) ?? "sanctions";
}
