// Written by `just action-kinds` from src/gamekeeper/ledger/kinds: change it there.
import {
  IconArrowBackUp,
  IconArrowsExchange,
  IconBackpack,
  IconBan,
  IconBook2,
  IconBookOff,
  IconCalendar,
  IconCircleCheck,
  IconCircleX,
  IconDatabase,
  IconDeviceMobile,
  IconEye,
  IconFileExport,
  IconFileImport,
  IconFilter,
  IconFlag,
  IconFriends,
  IconGavel,
  IconGift,
  IconHandGrab,
  IconHistory,
  IconHourglass,
  IconId,
  IconIdBadge2,
  IconKey,
  IconKeyOff,
  IconLanguage,
  IconLink,
  IconLinkPlus,
  IconList,
  IconListCheck,
  IconLockOpen,
  IconLogin2,
  IconLogout2,
  IconMail,
  IconMailCheck,
  IconMailOff,
  IconMailOpened,
  IconMailX,
  IconMessage2,
  IconMessagePlus,
  IconMessageReport,
  IconNote,
  IconNotes,
  IconPassword,
  IconReceiptRefund,
  IconRotate,
  IconRuler,
  IconSeeding,
  IconServer2,
  IconServerOff,
  IconShield,
  IconShieldOff,
  IconShoppingCart,
  IconSpeakerphone,
  IconStairsUp,
  IconTag,
  IconTemplate,
  IconTicket,
  IconTicketOff,
  IconTrash,
  IconTrendingUp,
  IconUnlink,
  IconUserCheck,
  IconUserMinus,
  IconUserPlus,
  IconUserX,
  IconVariable,
  IconWebhook,
} from "@tabler/icons-react";

export const GROUPS = [
  "items",
  "character",
  "state",
  "moderation",
  "accounts",
  "staff",
  "servers",
  "system",
  "undo",
] as const;
type Group = (typeof GROUPS)[number];

/** The series of the chart of actions, in the order in which they are drawn. */
export const SERIES = [
  "moves",
  "gifts",
  "progress",
  "people",
  "moderation",
  "other",
  "undo",
] as const;
export type Series = (typeof SERIES)[number];

/** What sort of change it is; each has a colour and a shape of its own. */
type Tone = "gain" | "loss" | "change" | "plain" | "back";

export interface KindFacts {
  label: string;
  group: Group;
  tone: Tone;
  icon: typeof IconArrowBackUp;
  series: Series;
  /** What it is called as a change of a character's state; absent: it is none. */
  moment?: string;
  /** The scopes that undoing it needs, besides `actions.undo`; absent: it cannot be undone. */
  undo?: readonly string[];
}

export type Kind =
  | "items.give"
  | "items.take"
  | "items.restore"
  | "items.exchange"
  | "items.move"
  | "items.import"
  | "spells.teach"
  | "spells.forget"
  | "variables.set"
  | "players.progress"
  | "players.create"
  | "players.rename"
  | "players.class"
  | "players.sheet"
  | "players.delete"
  | "players.import"
  | "mail.send"
  | "mail.claim"
  | "mail.read"
  | "mail.expire"
  | "mail.withdraw"
  | "mail.delete"
  | "guilds.create"
  | "guilds.rename"
  | "guilds.delete"
  | "guilds.join"
  | "guilds.leave"
  | "guilds.kick"
  | "guilds.rank"
  | "guilds.transfer"
  | "guilds.variable"
  | "guilds.deposit"
  | "guilds.withdraw"
  | "orders.receive"
  | "orders.assign"
  | "orders.refund"
  | "orders.return"
  | "orders.dispute"
  | "products.change"
  | "products.remove"
  | "codes.create"
  | "codes.download"
  | "codes.activate"
  | "codes.revoke"
  | "codes.redeem"
  | "users.register"
  | "users.email"
  | "users.verify"
  | "users.password"
  | "users.powers"
  | "users.variable"
  | "users.rename"
  | "users.language"
  | "users.delete"
  | "users.export"
  | "users.import"
  | "identities.link"
  | "identities.unlink"
  | "identities.code"
  | "sanctions.impose"
  | "sanctions.lift"
  | "access_bans.impose"
  | "access_bans.lift"
  | "templates.change"
  | "templates.remove"
  | "appeals.open"
  | "appeals.decide"
  | "reports.file"
  | "cases.claim"
  | "cases.release"
  | "cases.note"
  | "cases.evidence"
  | "cases.close"
  | "cases.reopen"
  | "chat.read"
  | "commands.send"
  | "roles.create"
  | "roles.change"
  | "roles.delete"
  | "staff.grant"
  | "staff.withdraw"
  | "staff.invite"
  | "staff.uninvite"
  | "keys.create"
  | "keys.revoke"
  | "sessions.start"
  | "sessions.end"
  | "sessions.link"
  | "factors.add"
  | "factors.remove"
  | "factors.reset"
  | "approvals.request"
  | "approvals.approve"
  | "approvals.reject"
  | "game.variable"
  | "servers.register"
  | "servers.stop"
  | "webhooks.create"
  | "webhooks.change"
  | "webhooks.remove"
  | "openid.create"
  | "openid.change"
  | "openid.remove"
  | "findings.open"
  | "findings.acknowledge"
  | "rules.change"
  | "rules.remove"
  | "campaigns.create"
  | "campaigns.start"
  | "campaigns.pause"
  | "campaigns.resume"
  | "campaigns.stop"
  | "campaigns.finish"
  | "campaigns.reverse"
  | "campaigns.take"
  | "schedules.create"
  | "schedules.pause"
  | "schedules.resume"
  | "schedules.skip"
  | "schedules.run"
  | "schedules.delete"
  | "segments.change"
  | "segments.remove"
  | "segment_lists.add"
  | "segment_lists.remove"
  | "catalog.import"
  | "demo.fill"
  | "ledger.open"
  | "ledger.drop"
  | "ledger.verify"
  | "database.backup"
  | "database.restore"
  | "undo";

export type Family =
  | "items"
  | "spells"
  | "variables"
  | "players"
  | "mail"
  | "guilds"
  | "orders"
  | "products"
  | "codes"
  | "users"
  | "identities"
  | "sanctions"
  | "access_bans"
  | "templates"
  | "appeals"
  | "reports"
  | "cases"
  | "chat"
  | "commands"
  | "roles"
  | "staff"
  | "keys"
  | "sessions"
  | "factors"
  | "approvals"
  | "game"
  | "servers"
  | "webhooks"
  | "openid"
  | "findings"
  | "rules"
  | "campaigns"
  | "schedules"
  | "segments"
  | "segment_lists"
  | "catalog"
  | "demo"
  | "ledger"
  | "database"
  | "undo";

export const KINDS: Readonly<Record<Kind, KindFacts>> = {
  "items.give": {
    label: "Gave items",
    group: "items",
    tone: "gain",
    icon: IconGift,
    series: "gifts",
    moment: "items given",
    undo: ["players.items"],
  },
  "items.take": {
    label: "Took items",
    group: "items",
    tone: "loss",
    icon: IconHandGrab,
    series: "gifts",
    moment: "items taken",
    undo: ["players.items"],
  },
  "items.restore": {
    label: "Restored lost items",
    group: "items",
    tone: "gain",
    icon: IconHistory,
    series: "gifts",
    moment: "items restored",
    undo: ["players.items"],
  },
  "items.exchange": {
    label: "Items earned or spent",
    group: "items",
    tone: "change",
    icon: IconArrowsExchange,
    series: "moves",
    moment: "items earned or spent",
    undo: ["players.items"],
  },
  "items.move": {
    label: "Items traded or moved",
    group: "items",
    tone: "change",
    icon: IconBackpack,
    series: "moves",
    moment: "items moved or traded",
    undo: ["players.items"],
  },
  "items.import": {
    label: "Imported items",
    group: "items",
    tone: "change",
    icon: IconFileImport,
    series: "gifts",
    moment: "items imported",
  },
  "spells.teach": {
    label: "Taught a spell",
    group: "state",
    tone: "gain",
    icon: IconBook2,
    series: "progress",
    moment: "spell learned",
    undo: ["players.spells"],
  },
  "spells.forget": {
    label: "Removed a spell",
    group: "state",
    tone: "loss",
    icon: IconBookOff,
    series: "progress",
    moment: "spell forgotten",
    undo: ["players.spells"],
  },
  "variables.set": {
    label: "Set a variable",
    group: "state",
    tone: "change",
    icon: IconVariable,
    series: "progress",
    moment: "variable set",
    undo: ["players.variables"],
  },
  "players.progress": {
    label: "Changed level or experience",
    group: "character",
    tone: "change",
    icon: IconStairsUp,
    series: "progress",
    moment: "experience changed",
    undo: ["players.manage"],
  },
  "players.create": {
    label: "Created a character",
    group: "character",
    tone: "gain",
    icon: IconUserPlus,
    series: "people",
    moment: "character created",
    undo: ["players.manage"],
  },
  "players.rename": {
    label: "Renamed a character",
    group: "character",
    tone: "change",
    icon: IconId,
    series: "people",
    moment: "character renamed",
    undo: ["players.manage"],
  },
  "players.class": {
    label: "Changed a class",
    group: "character",
    tone: "change",
    icon: IconFriends,
    series: "progress",
    moment: "class changed",
    undo: ["players.manage"],
  },
  "players.sheet": {
    label: "Changed character details",
    group: "character",
    tone: "change",
    icon: IconNotes,
    series: "progress",
    moment: "details changed",
    undo: ["players.manage"],
  },
  "players.delete": {
    label: "Deleted a character",
    group: "character",
    tone: "loss",
    icon: IconTrash,
    series: "people",
    moment: "character deleted",
    undo: ["players.manage"],
  },
  "players.import": {
    label: "Imported characters",
    group: "character",
    tone: "change",
    icon: IconFileImport,
    series: "people",
    moment: "character imported",
  },
  "mail.send": {
    label: "Sent a letter",
    group: "items",
    tone: "gain",
    icon: IconMail,
    series: "gifts",
    moment: "letter received",
    undo: ["players.items"],
  },
  "mail.claim": {
    label: "Claimed the items of a letter",
    group: "items",
    tone: "change",
    icon: IconMailOpened,
    series: "moves",
    moment: "letter claimed",
    undo: ["players.items"],
  },
  "mail.read": {
    label: "Read a letter",
    group: "items",
    tone: "plain",
    icon: IconMailOpened,
    series: "other",
  },
  "mail.expire": {
    label: "A letter expired",
    group: "items",
    tone: "loss",
    icon: IconMailOff,
    series: "moves",
    moment: "letter expired",
    undo: ["players.items"],
  },
  "mail.withdraw": {
    label: "Withdrew a letter",
    group: "items",
    tone: "loss",
    icon: IconMailOff,
    series: "moves",
    moment: "letter withdrawn",
    undo: ["players.items"],
  },
  "mail.delete": {
    label: "Deleted a letter",
    group: "items",
    tone: "change",
    icon: IconMailX,
    series: "other",
    undo: ["players.items"],
  },
  "guilds.create": {
    label: "Created a guild",
    group: "character",
    tone: "gain",
    icon: IconFriends,
    series: "other",
  },
  "guilds.rename": {
    label: "Renamed a guild",
    group: "character",
    tone: "change",
    icon: IconFriends,
    series: "other",
    undo: ["guilds.manage"],
  },
  "guilds.delete": {
    label: "Disbanded a guild",
    group: "character",
    tone: "loss",
    icon: IconFriends,
    series: "other",
    undo: ["guilds.manage"],
  },
  "guilds.join": {
    label: "Joined a guild",
    group: "character",
    tone: "gain",
    icon: IconFriends,
    series: "other",
    undo: ["guilds.manage"],
  },
  "guilds.leave": {
    label: "Left a guild",
    group: "character",
    tone: "loss",
    icon: IconFriends,
    series: "other",
    undo: ["guilds.manage"],
  },
  "guilds.kick": {
    label: "Kicked from a guild",
    group: "character",
    tone: "loss",
    icon: IconFriends,
    series: "other",
    undo: ["guilds.manage"],
  },
  "guilds.rank": {
    label: "Changed a guild rank",
    group: "character",
    tone: "change",
    icon: IconFriends,
    series: "other",
    undo: ["guilds.manage"],
  },
  "guilds.transfer": {
    label: "Transferred a guild",
    group: "character",
    tone: "change",
    icon: IconFriends,
    series: "other",
    undo: ["guilds.manage"],
  },
  "guilds.variable": {
    label: "Set a guild variable",
    group: "state",
    tone: "change",
    icon: IconVariable,
    series: "other",
    undo: ["players.variables"],
  },
  "guilds.deposit": {
    label: "Deposited in a guild bank",
    group: "items",
    tone: "change",
    icon: IconFriends,
    series: "other",
    undo: ["guilds.manage"],
  },
  "guilds.withdraw": {
    label: "Withdrew from a guild bank",
    group: "items",
    tone: "change",
    icon: IconFriends,
    series: "other",
    undo: ["guilds.manage"],
  },
  "orders.receive": {
    label: "Received an order",
    group: "items",
    tone: "gain",
    icon: IconShoppingCart,
    series: "other",
  },
  "orders.assign": {
    label: "Assigned an order",
    group: "items",
    tone: "change",
    icon: IconShoppingCart,
    series: "other",
  },
  "orders.refund": {
    label: "Refunded an order",
    group: "items",
    tone: "loss",
    icon: IconReceiptRefund,
    series: "other",
  },
  "orders.return": {
    label: "Took back refunded items",
    group: "items",
    tone: "loss",
    icon: IconReceiptRefund,
    series: "gifts",
    moment: "order refunded",
  },
  "orders.dispute": {
    label: "Changed the dispute of an order",
    group: "items",
    tone: "change",
    icon: IconGavel,
    series: "other",
  },
  "products.change": {
    label: "Changed a product",
    group: "system",
    tone: "change",
    icon: IconTag,
    series: "other",
  },
  "products.remove": {
    label: "Deleted a product",
    group: "system",
    tone: "loss",
    icon: IconTag,
    series: "other",
  },
  "codes.create": {
    label: "Created a batch of codes",
    group: "system",
    tone: "gain",
    icon: IconTicket,
    series: "other",
  },
  "codes.download": {
    label: "Downloaded the codes of a batch",
    group: "system",
    tone: "plain",
    icon: IconTicket,
    series: "other",
  },
  "codes.activate": {
    label: "Activated a batch of codes",
    group: "system",
    tone: "change",
    icon: IconTicket,
    series: "other",
  },
  "codes.revoke": {
    label: "Revoked codes",
    group: "system",
    tone: "loss",
    icon: IconTicketOff,
    series: "other",
  },
  "codes.redeem": {
    label: "Redeemed a code",
    group: "items",
    tone: "gain",
    icon: IconTicket,
    series: "gifts",
    moment: "code redeemed",
    undo: ["players.items"],
  },
  "users.register": {
    label: "Registered an account",
    group: "accounts",
    tone: "gain",
    icon: IconUserPlus,
    series: "people",
  },
  "users.email": {
    label: "Changed an email",
    group: "accounts",
    tone: "change",
    icon: IconMail,
    series: "people",
    undo: ["users.manage", "users.query"],
  },
  "users.verify": {
    label: "Verified an email",
    group: "accounts",
    tone: "plain",
    icon: IconMailCheck,
    series: "people",
  },
  "users.password": {
    label: "Changed a password",
    group: "accounts",
    tone: "change",
    icon: IconPassword,
    series: "people",
  },
  "users.powers": {
    label: "Changed permissions",
    group: "accounts",
    tone: "change",
    icon: IconShield,
    series: "people",
    undo: ["users.manage", "users.query"],
  },
  "users.variable": {
    label: "Set an account variable",
    group: "state",
    tone: "change",
    icon: IconVariable,
    series: "people",
    undo: ["players.variables", "users.query"],
  },
  "users.rename": {
    label: "Renamed an account",
    group: "accounts",
    tone: "change",
    icon: IconId,
    series: "people",
  },
  "users.language": {
    label: "Changed a language",
    group: "accounts",
    tone: "change",
    icon: IconLanguage,
    series: "people",
  },
  "users.delete": {
    label: "Erased an account",
    group: "accounts",
    tone: "loss",
    icon: IconTrash,
    series: "people",
  },
  "users.export": {
    label: "Exported personal data",
    group: "accounts",
    tone: "plain",
    icon: IconFileExport,
    series: "people",
  },
  "users.import": {
    label: "Imported accounts",
    group: "accounts",
    tone: "change",
    icon: IconFileImport,
    series: "people",
  },
  "identities.link": {
    label: "Linked an identity",
    group: "accounts",
    tone: "change",
    icon: IconLink,
    series: "people",
  },
  "identities.unlink": {
    label: "Unlinked an identity",
    group: "accounts",
    tone: "change",
    icon: IconUnlink,
    series: "people",
  },
  "identities.code": {
    label: "Created a link code",
    group: "accounts",
    tone: "plain",
    icon: IconLinkPlus,
    series: "people",
  },
  "sanctions.impose": {
    label: "Imposed a sanction",
    group: "moderation",
    tone: "loss",
    icon: IconGavel,
    series: "moderation",
  },
  "sanctions.lift": {
    label: "Lifted a sanction",
    group: "moderation",
    tone: "gain",
    icon: IconLockOpen,
    series: "moderation",
  },
  "access_bans.impose": {
    label: "Banned a device or range",
    group: "moderation",
    tone: "loss",
    icon: IconBan,
    series: "moderation",
    undo: ["sanctions.access"],
  },
  "access_bans.lift": {
    label: "Lifted an access ban",
    group: "moderation",
    tone: "gain",
    icon: IconLockOpen,
    series: "moderation",
  },
  "templates.change": {
    label: "Changed a template",
    group: "moderation",
    tone: "plain",
    icon: IconTemplate,
    series: "moderation",
  },
  "templates.remove": {
    label: "Removed a template",
    group: "moderation",
    tone: "plain",
    icon: IconTemplate,
    series: "moderation",
  },
  "appeals.open": {
    label: "Appealed",
    group: "moderation",
    tone: "plain",
    icon: IconMessageReport,
    series: "moderation",
  },
  "appeals.decide": {
    label: "Decided an appeal",
    group: "moderation",
    tone: "plain",
    icon: IconGavel,
    series: "moderation",
  },
  "reports.file": {
    label: "Reported a player",
    group: "moderation",
    tone: "plain",
    icon: IconFlag,
    series: "moderation",
  },
  "cases.claim": {
    label: "Claimed a case",
    group: "moderation",
    tone: "plain",
    icon: IconUserCheck,
    series: "moderation",
  },
  "cases.release": {
    label: "Released a case",
    group: "moderation",
    tone: "plain",
    icon: IconUserX,
    series: "moderation",
  },
  "cases.note": {
    label: "Added a note to a case",
    group: "moderation",
    tone: "plain",
    icon: IconNote,
    series: "moderation",
  },
  "cases.evidence": {
    label: "Added chat to a case",
    group: "moderation",
    tone: "plain",
    icon: IconMessagePlus,
    series: "moderation",
  },
  "cases.close": {
    label: "Closed a case",
    group: "moderation",
    tone: "plain",
    icon: IconCircleCheck,
    series: "moderation",
  },
  "cases.reopen": {
    label: "Reopened a case",
    group: "moderation",
    tone: "plain",
    icon: IconRotate,
    series: "moderation",
  },
  "chat.read": {
    label: "Read private messages",
    group: "moderation",
    tone: "plain",
    icon: IconEye,
    series: "other",
  },
  "commands.send": {
    label: "Sent a command",
    group: "moderation",
    tone: "plain",
    icon: IconMessage2,
    series: "other",
  },
  "roles.create": {
    label: "Created a role",
    group: "staff",
    tone: "gain",
    icon: IconShield,
    series: "other",
  },
  "roles.change": {
    label: "Changed a role",
    group: "staff",
    tone: "change",
    icon: IconShield,
    series: "other",
  },
  "roles.delete": {
    label: "Deleted a role",
    group: "staff",
    tone: "loss",
    icon: IconShieldOff,
    series: "other",
  },
  "staff.grant": {
    label: "Granted a role",
    group: "staff",
    tone: "gain",
    icon: IconUserCheck,
    series: "other",
  },
  "staff.withdraw": {
    label: "Removed a role",
    group: "staff",
    tone: "loss",
    icon: IconUserMinus,
    series: "other",
  },
  "staff.invite": {
    label: "Invited to the staff",
    group: "staff",
    tone: "gain",
    icon: IconUserPlus,
    series: "other",
  },
  "staff.uninvite": {
    label: "Revoked an invitation",
    group: "staff",
    tone: "loss",
    icon: IconUserX,
    series: "other",
  },
  "keys.create": {
    label: "Created an API key",
    group: "staff",
    tone: "gain",
    icon: IconKey,
    series: "other",
  },
  "keys.revoke": {
    label: "Revoked an API key",
    group: "staff",
    tone: "loss",
    icon: IconKeyOff,
    series: "other",
  },
  "sessions.start": {
    label: "Signed in",
    group: "staff",
    tone: "plain",
    icon: IconLogin2,
    series: "other",
  },
  "sessions.end": {
    label: "Ended a session",
    group: "staff",
    tone: "plain",
    icon: IconLogout2,
    series: "other",
  },
  "sessions.link": {
    label: "Created a sign-in link",
    group: "staff",
    tone: "plain",
    icon: IconLogin2,
    series: "other",
  },
  "factors.add": {
    label: "Added a second factor",
    group: "staff",
    tone: "gain",
    icon: IconDeviceMobile,
    series: "other",
  },
  "factors.remove": {
    label: "Removed a second factor",
    group: "staff",
    tone: "loss",
    icon: IconDeviceMobile,
    series: "other",
  },
  "factors.reset": {
    label: "Reset second factors",
    group: "staff",
    tone: "loss",
    icon: IconDeviceMobile,
    series: "other",
  },
  "approvals.request": {
    label: "Requested approval",
    group: "staff",
    tone: "plain",
    icon: IconHourglass,
    series: "other",
  },
  "approvals.approve": {
    label: "Approved a change",
    group: "staff",
    tone: "gain",
    icon: IconCircleCheck,
    series: "other",
  },
  "approvals.reject": {
    label: "Rejected a change",
    group: "staff",
    tone: "loss",
    icon: IconCircleX,
    series: "other",
  },
  "game.variable": {
    label: "Set a game variable",
    group: "state",
    tone: "change",
    icon: IconVariable,
    series: "other",
    undo: ["players.variables"],
  },
  "servers.register": {
    label: "Registered a server",
    group: "servers",
    tone: "plain",
    icon: IconServer2,
    series: "other",
  },
  "servers.stop": {
    label: "Stopped a server",
    group: "servers",
    tone: "plain",
    icon: IconServerOff,
    series: "other",
  },
  "webhooks.create": {
    label: "Created a webhook",
    group: "system",
    tone: "gain",
    icon: IconWebhook,
    series: "other",
  },
  "webhooks.change": {
    label: "Changed a webhook",
    group: "system",
    tone: "change",
    icon: IconWebhook,
    series: "other",
  },
  "webhooks.remove": {
    label: "Deleted a webhook",
    group: "system",
    tone: "loss",
    icon: IconWebhook,
    series: "other",
  },
  "openid.create": {
    label: "Created an OpenID client",
    group: "system",
    tone: "gain",
    icon: IconIdBadge2,
    series: "other",
  },
  "openid.change": {
    label: "Changed an OpenID client",
    group: "system",
    tone: "change",
    icon: IconIdBadge2,
    series: "other",
  },
  "openid.remove": {
    label: "Deleted an OpenID client",
    group: "system",
    tone: "loss",
    icon: IconIdBadge2,
    series: "other",
  },
  "findings.open": {
    label: "Found an unusual increase",
    group: "system",
    tone: "plain",
    icon: IconTrendingUp,
    series: "other",
  },
  "findings.acknowledge": {
    label: "Acknowledged a finding",
    group: "system",
    tone: "plain",
    icon: IconCircleCheck,
    series: "other",
  },
  "rules.change": {
    label: "Changed an economy rule",
    group: "system",
    tone: "change",
    icon: IconRuler,
    series: "other",
  },
  "rules.remove": {
    label: "Deleted an economy rule",
    group: "system",
    tone: "loss",
    icon: IconRuler,
    series: "other",
  },
  "campaigns.create": {
    label: "Created a campaign",
    group: "system",
    tone: "gain",
    icon: IconSpeakerphone,
    series: "other",
  },
  "campaigns.start": {
    label: "Started a campaign",
    group: "system",
    tone: "change",
    icon: IconSpeakerphone,
    series: "other",
  },
  "campaigns.pause": {
    label: "Paused a campaign",
    group: "system",
    tone: "plain",
    icon: IconSpeakerphone,
    series: "other",
  },
  "campaigns.resume": {
    label: "Resumed a campaign",
    group: "system",
    tone: "plain",
    icon: IconSpeakerphone,
    series: "other",
  },
  "campaigns.stop": {
    label: "Stopped a campaign",
    group: "system",
    tone: "loss",
    icon: IconSpeakerphone,
    series: "other",
  },
  "campaigns.finish": {
    label: "Finished a campaign",
    group: "system",
    tone: "plain",
    icon: IconSpeakerphone,
    series: "other",
  },
  "campaigns.reverse": {
    label: "Reversed a campaign",
    group: "system",
    tone: "back",
    icon: IconSpeakerphone,
    series: "other",
  },
  "campaigns.take": {
    label: "Took back items of a campaign",
    group: "items",
    tone: "loss",
    icon: IconSpeakerphone,
    series: "gifts",
    moment: "campaign reversed",
  },
  "schedules.create": {
    label: "Created a schedule",
    group: "system",
    tone: "gain",
    icon: IconCalendar,
    series: "other",
  },
  "schedules.pause": {
    label: "Paused a schedule",
    group: "system",
    tone: "plain",
    icon: IconCalendar,
    series: "other",
  },
  "schedules.resume": {
    label: "Resumed a schedule",
    group: "system",
    tone: "plain",
    icon: IconCalendar,
    series: "other",
  },
  "schedules.skip": {
    label: "Skipped a run of a schedule",
    group: "system",
    tone: "loss",
    icon: IconCalendar,
    series: "other",
  },
  "schedules.run": {
    label: "Ran a schedule",
    group: "system",
    tone: "change",
    icon: IconCalendar,
    series: "other",
  },
  "schedules.delete": {
    label: "Deleted a schedule",
    group: "system",
    tone: "loss",
    icon: IconCalendar,
    series: "other",
  },
  "segments.change": {
    label: "Changed a segment",
    group: "system",
    tone: "change",
    icon: IconFilter,
    series: "other",
  },
  "segments.remove": {
    label: "Deleted a segment",
    group: "system",
    tone: "loss",
    icon: IconFilter,
    series: "other",
  },
  "segment_lists.add": {
    label: "Added names to a list",
    group: "system",
    tone: "gain",
    icon: IconList,
    series: "other",
  },
  "segment_lists.remove": {
    label: "Deleted a list of names",
    group: "system",
    tone: "loss",
    icon: IconList,
    series: "other",
  },
  "catalog.import": {
    label: "Imported the catalog",
    group: "system",
    tone: "change",
    icon: IconFileImport,
    series: "other",
  },
  "demo.fill": {
    label: "Filled the demo world",
    group: "system",
    tone: "plain",
    icon: IconSeeding,
    series: "other",
    moment: "demo world created",
  },
  "ledger.open": {
    label: "Started the ledger",
    group: "system",
    tone: "plain",
    icon: IconDatabase,
    series: "other",
    moment: "ledger started",
  },
  "ledger.drop": {
    label: "Deleted old history",
    group: "system",
    tone: "loss",
    icon: IconDatabase,
    series: "other",
  },
  "ledger.verify": {
    label: "Verified the ledger",
    group: "system",
    tone: "plain",
    icon: IconListCheck,
    series: "other",
  },
  "database.backup": {
    label: "Backed up the database",
    group: "system",
    tone: "plain",
    icon: IconDatabase,
    series: "other",
  },
  "database.restore": {
    label: "Restored a backup",
    group: "system",
    tone: "back",
    icon: IconDatabase,
    series: "other",
  },
  undo: {
    label: "Undid an action",
    group: "undo",
    tone: "back",
    icon: IconArrowBackUp,
    series: "undo",
    moment: "action undone",
    undo: [],
  },
};
