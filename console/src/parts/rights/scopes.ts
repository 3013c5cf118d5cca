import { scopeTitles, text } from "./text";

type Group = keyof typeof text.groups;

const GROUP_OF: Readonly<Record<string, Group>> = {
  players: "players",
  guilds: "players",
  users: "users",
  economy: "insight",
  actions: "insight",
  logs: "insight",
  events: "insight",
  chat: "moderation",
  sanctions: "moderation",
  commands: "moderation",
  servers: "servers",
  transactions: "servers",
  approvals: "staff",
  staff: "staff",
  keys: "staff",
  webhooks: "staff",
};

/** Scopes under the headings that people look for them by, in a steady order. */
export function grouped(scopes: readonly string[]): { title: string; scopes: string[] }[] {
  const order = Object.keys(scopeTitles);
  const place = (scope: string) => (order.indexOf(scope) + 1 || order.length + 1) - 1;
  const sorted = [...scopes].sort((one, other) => place(one) - place(other));
  return Object.entries(text.groups)
    .map(([group, title]) => ({
      title,
      scopes: sorted.filter((scope) => (GROUP_OF[scope.split(".")[0] ?? ""] ?? "other") === group),
    }))
    .filter((group) => group.scopes.length > 0);
}

/** A scope in a few words; one that this console does not know yet, by its name. */
export function titleOf(scope: string): string {
  return scopeTitles[scope] ?? scope;
}

/** "See characters, Read the audit log and 3 more". */
export function summary(scopes: readonly string[] | null, most = 2): string {
  if (scopes === null) return text.everything;
  if (scopes.length === 0) return text.nothing;
  const sorted = grouped(scopes).flatMap((group) => group.scopes);
  const first = sorted.slice(0, most).map(titleOf).join(", ");
  return sorted.length > most ? `${first} ${text.andMore(sorted.length - most)}` : first;
}
