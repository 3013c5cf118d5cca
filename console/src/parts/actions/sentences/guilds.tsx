import { Pieces } from "../Pieces";
import { GuildName } from "../people";
import { numberAt, stateOf, textAt } from "../read";
import { text } from "../text";
import { type Form, form, type Said, type Telling } from "./said";

const FORMS: Readonly<Record<string, Form>> = {
  "guilds.create": "guildCreate",
  "guilds.rename": "guildRename",
  "guilds.delete": "guildDelete",
  "guilds.join": "guildJoin",
  "guilds.leave": "guildLeave",
  "guilds.kick": "guildKick",
  "guilds.rank": "guildRank",
  "guilds.transfer": "guildTransfer",
  "guilds.variable": "guildVariable",
  "guilds.deposit": "guildDeposit",
  "guilds.withdraw": "guildWithdraw",
};

/** What happened to a guild, its members or its bank. */
export function guild(telling: Telling): Said {
  const { Kind, Before, After, ItemId, ItemName } = telling.entry;
  const now = stateOf(After ?? Before);
  const quantity = numberAt(now, "quantity") ?? 0;
  return {
    form: form(telling, FORMS[Kind] ?? "guildRank"),
    parts: {
      guild: <GuildName name={textAt(now, "guild")} id={textAt(now, "guild_id")} />,
      former: textAt(stateOf(Before), "guild") ?? text.something,
      items: ItemId && <Pieces item={ItemId} name={ItemName ?? undefined} quantity={quantity} />,
    },
  };
}
