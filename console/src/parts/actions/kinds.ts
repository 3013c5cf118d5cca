import {
  IconArrowBackUp,
  IconArrowsExchange,
  IconBackpack,
  IconBan,
  IconBook2,
  IconBookOff,
  IconCircleCheck,
  IconCircleX,
  IconDatabase,
  IconDeviceMobile,
  IconFileImport,
  IconFriends,
  IconGavel,
  IconGift,
  IconHandGrab,
  IconHistory,
  IconHourglass,
  IconId,
  IconKey,
  IconKeyOff,
  IconLockOpen,
  IconLogin2,
  IconLogout2,
  IconMail,
  IconMessage2,
  IconMessageReport,
  IconNotes,
  IconPassword,
  IconQuestionMark,
  IconSeeding,
  IconServer2,
  IconServerOff,
  IconShield,
  IconShieldOff,
  IconStairsUp,
  IconTemplate,
  IconTrash,
  IconUserCheck,
  IconUserMinus,
  IconUserPlus,
  IconUserQuestion,
  IconVariable,
  IconWebhook,
} from "@tabler/icons-react";
import { text } from "./text";

/** What sort of change it is; each has a colour and a shape of its own. */
type Tone = "gain" | "loss" | "change" | "plain" | "back";

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

interface KindFacts {
  group: Group;
  tone: Tone;
  icon: typeof IconGift;
  /** The right that undoing it needs, besides `actions.undo`; absent: it cannot be undone. */
  undo?: string;
}

function kind(group: Group, tone: Tone, icon: typeof IconGift, undo?: string): KindFacts {
  return { group, tone, icon, ...(undo && { undo }) };
}

export const KINDS: Readonly<Record<string, KindFacts>> = {
  "items.give": kind("items", "gain", IconGift, "players.items"),
  "items.take": kind("items", "loss", IconHandGrab, "players.items"),
  "items.restore": kind("items", "gain", IconHistory, "players.items"),
  "items.exchange": kind("items", "change", IconArrowsExchange, "players.items"),
  "items.move": kind("items", "change", IconBackpack, "players.items"),
  "items.import": kind("items", "change", IconFileImport),
  "players.progress": kind("character", "change", IconStairsUp, "players.manage"),
  "players.create": kind("character", "gain", IconUserPlus, "players.manage"),
  "players.rename": kind("character", "change", IconId, "players.manage"),
  "players.class": kind("character", "change", IconFriends, "players.manage"),
  "players.sheet": kind("character", "change", IconNotes, "players.manage"),
  "players.delete": kind("character", "loss", IconTrash, "players.manage"),
  "players.import": kind("character", "change", IconFileImport),
  "spells.teach": kind("state", "gain", IconBook2, "players.spells"),
  "spells.forget": kind("state", "loss", IconBookOff, "players.spells"),
  "variables.set": kind("state", "change", IconVariable, "players.variables"),
  "guilds.create": kind("character", "gain", IconFriends),
  "guilds.rename": kind("character", "change", IconFriends),
  "guilds.delete": kind("character", "loss", IconFriends),
  "guilds.join": kind("character", "gain", IconFriends),
  "guilds.leave": kind("character", "loss", IconFriends),
  "guilds.kick": kind("character", "loss", IconFriends),
  "guilds.rank": kind("character", "change", IconFriends),
  "guilds.transfer": kind("character", "change", IconFriends),
  "guilds.variable": kind("state", "change", IconVariable),
  "guilds.deposit": kind("items", "change", IconFriends),
  "guilds.withdraw": kind("items", "change", IconFriends),
  "users.variable": kind("state", "change", IconVariable, "players.variables"),
  "game.variable": kind("state", "change", IconVariable, "players.variables"),
  "sanctions.impose": kind("moderation", "loss", IconGavel),
  "sanctions.lift": kind("moderation", "gain", IconLockOpen),
  "templates.change": kind("moderation", "plain", IconTemplate),
  "templates.remove": kind("moderation", "plain", IconTemplate),
  "appeals.open": kind("moderation", "plain", IconMessageReport),
  "appeals.decide": kind("moderation", "plain", IconGavel),
  "commands.send": kind("moderation", "plain", IconMessage2),
  "users.register": kind("accounts", "gain", IconUserPlus),
  "users.email": kind("accounts", "change", IconMail, "users.manage"),
  "users.password": kind("accounts", "change", IconPassword),
  "users.powers": kind("accounts", "change", IconShield, "users.manage"),
  "users.rename": kind("accounts", "change", IconId),
  "users.delete": kind("accounts", "loss", IconTrash),
  "users.import": kind("accounts", "change", IconFileImport),
  "roles.create": kind("staff", "gain", IconShield),
  "roles.change": kind("staff", "change", IconShield),
  "roles.delete": kind("staff", "loss", IconShieldOff),
  "staff.grant": kind("staff", "gain", IconUserCheck),
  "staff.withdraw": kind("staff", "loss", IconUserMinus),
  "keys.create": kind("staff", "gain", IconKey),
  "keys.revoke": kind("staff", "loss", IconKeyOff),
  "sessions.start": kind("staff", "plain", IconLogin2),
  "sessions.end": kind("staff", "plain", IconLogout2),
  "sessions.link": kind("staff", "plain", IconLogin2),
  "factors.add": kind("staff", "gain", IconDeviceMobile),
  "factors.remove": kind("staff", "loss", IconDeviceMobile),
  "factors.reset": kind("staff", "loss", IconDeviceMobile),
  "approvals.request": kind("staff", "plain", IconHourglass),
  "approvals.approve": kind("staff", "gain", IconCircleCheck),
  "approvals.reject": kind("staff", "loss", IconCircleX),
  "webhooks.create": kind("system", "gain", IconWebhook),
  "webhooks.change": kind("system", "change", IconWebhook),
  "webhooks.remove": kind("system", "loss", IconWebhook),
  "servers.register": kind("servers", "plain", IconServer2),
  "servers.stop": kind("servers", "plain", IconServerOff),
  "catalog.import": kind("system", "change", IconFileImport),
  "demo.fill": kind("system", "plain", IconSeeding),
  "ledger.open": kind("system", "plain", IconDatabase),
  "ledger.drop": kind("system", "loss", IconDatabase),
  "database.backup": kind("system", "plain", IconDatabase),
  "database.restore": kind("system", "back", IconDatabase),
  undo: kind("undo", "back", IconArrowBackUp, "actions.undo"),
};

const UNKNOWN = kind("system", "plain", IconQuestionMark);
/** What a sanction does, where the icon of a gavel says less. */
export const SANCTION_ICONS: Readonly<Record<string, typeof IconGift>> = {
  ban: IconBan,
  note: IconNotes,
  warning: IconUserQuestion,
};

export function factsOf(kindName: string): KindFacts {
  return KINDS[kindName] ?? { ...UNKNOWN, group: groupOf(kindName) };
}

/** The group of a kind that this console does not know yet, by its first word. */
function groupOf(kindName: string): Group {
  const first = `${kindName.split(".")[0]}.`;
  const like = Object.entries(KINDS).find(([known]) => known.startsWith(first));
  return like?.[1].group ?? "system";
}

/** What a kind is called in a list to choose from. */
export function kindLabel(kindName: string): string {
  return text.kinds[kindName] ?? inWords(kindName);
}

/** `guilds.found` as words: "guilds: found". */
export function inWords(kindName: string): string {
  const [first = kindName, ...rest] = kindName.replaceAll("_", " ").split(".");
  return rest.length > 0 ? `${first}: ${rest.join(" ")}` : first;
}
