import type { AuditLogEntry } from "@gamekeeper/client";
import type { PARTS } from "./search";

type Part = (typeof PARTS)[number];

const OF_MEMBERS = /^guilds\.(join|leave|kick|rank|transfer)$/;
const OF_BANKS = /^guilds\.(deposit|withdraw)$/;

/** What of a guild an action is about; an undo is about what it moved or whom it names. */
export function partOf({ Kind, ItemId, PlayerId }: AuditLogEntry): Part {
  if (OF_BANKS.test(Kind) || (Kind === "undo" && ItemId)) return "bank";
  if (OF_MEMBERS.test(Kind) || (Kind === "undo" && PlayerId)) return "members";
  return "guild";
}
