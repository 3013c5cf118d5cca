import { grouped } from "~/format";
import { plural } from "~/plural";

/** Short names of the permissions. The API has a sentence for each. */
export const scopeTitles: Readonly<Record<string, string>> = {
  "players.read": "See characters",
  "players.items": "Give and take items",
  "players.variables": "Set variables",
  "players.spells": "Teach and remove spells",
  "players.manage": "Create, rename, delete characters",
  "guilds.manage": "Manage guilds",
  "users.query": "See accounts",
  "users.manage": "Change emails and passwords",
  "users.personal": "See email addresses in full",
  "economy.read": "See the economy",
  "economy.manage": "Edit economy rules, acknowledge findings",
  "segments.read": "View segments and their members",
  "segments.manage": "Edit segments and lists of names",
  "campaigns.read": "View campaigns and their recipients",
  "campaigns.manage": "Run and reverse campaigns",
  "codes.read": "View redeem codes and redemptions",
  "codes.manage": "Create and revoke redeem codes",
  "codes.redeem": "Redeem codes for players",
  "identities.link": "Link identities by codes",
  "identities.manage": "Manage identities of accounts",
  "actions.read": "Read the audit log",
  "logs.read": "Read chat and activity logs",
  "chat.private": "Read private messages",
  "actions.undo": "Undo actions",
  "events.read": "Receive events",
  "sanctions.read": "See sanctions and appeals",
  "sanctions.manage": "Impose and lift sanctions",
  "sanctions.templates": "Edit sanction templates",
  "reports.file": "File reports of players",
  "reports.read": "See reports and cases",
  "reports.reporters": "See who reported",
  "reports.manage": "Handle cases",
  "orders.read": "See orders and products",
  "orders.manage": "Create and refund orders, edit products",
  commands: "Send commands",
  servers: "Connect as a game server",
  "servers.manage": "Replace game servers of others",
  transactions: "Run transactions",
  approvals: "Decide approval requests",
  "staff.read": "See staff and roles",
  "staff.manage": "Grant roles, end sessions, see health",
  "keys.manage": "Create and revoke API keys",
  webhooks: "Manage own webhooks",
  "webhooks.manage": "Manage all webhooks",
};

const APPROVE = "another member of staff has to approve.";

function ofWhich(used: number): string {
  return used === 0 ? "" : `, of which ${grouped(used)} are used`;
}

export const text = {
  groups: {
    players: "Characters",
    users: "Accounts",
    insight: "Economy and logs",
    moderation: "Moderation",
    servers: "Game servers",
    staff: "Staff and integrations",
    other: "Other",
  },
  rights: "Permissions",
  notYours: "You cannot grant a permission that you do not have.",
  all: "All",
  allOf: (group: string) => `All permissions: ${group}`,
  chosen: (count: number) => plural(count, { other: "# selected" }),
  everything: "Everything",
  nothing: "Nothing",
  andMore: (count: number) => `and ${count} more`,
  limits: "Limits",
  limitsHint: "A change above a limit waits for approval. Empty means no limit.",
  noLimit: "No limit",
  noLimits: "No limits",
  limitNames: {
    LargestGift: "Quantity per change",
    PiecesPerDay: "Quantity per item and day",
    ValuePerDay: "Value per day",
    UndosPerDay: "Undos per day",
  },
  limitWords: {
    LargestGift: (most: number) => `at most ${grouped(most)} items per change`,
    PiecesPerDay: (most: number) => `at most ${grouped(most)} of one item per day`,
    ValuePerDay: (most: number) => `at most a value of ${grouped(most)} per day`,
    UndosPerDay: (most: number) => `at most ${grouped(most)} undos per day`,
  },
  beyond: {
    LargestGift: (most: number) =>
      `More than your limit of ${grouped(most)} pieces in one change: ${APPROVE}`,
    PiecesPerDay: (most: number, used: number) =>
      `More than your limit of ${grouped(most)} per day for this item${ofWhich(used)}: ${APPROVE}`,
    ValuePerDay: (most: number, used: number) =>
      `More than your limit of a value of ${grouped(most)} per day${ofWhich(used)}: ${APPROVE}`,
    UndosPerDay: (most: number, used: number) =>
      `More than your limit of ${grouped(most)} undos per day${ofWhich(used)}: ${APPROVE}`,
  },
  left: {
    LargestGift: (_: number, most: number) => `Your limit in one change: ${grouped(most)} pieces.`,
    PiecesPerDay: (left: number, most: number) =>
      `Left of your limit for this item today: ${grouped(left)} of ${grouped(most)}.`,
    ValuePerDay: (left: number, most: number) =>
      `Value that you can give today: ${grouped(left)} of ${grouped(most)}.`,
    UndosPerDay: (left: number, most: number) =>
      `Undos left today: ${grouped(left)} of ${grouped(most)}.`,
  },
};
