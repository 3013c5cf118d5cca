import type { Kind } from "../kinds.generated";
import { account, factor, named, powers, session } from "./accounts";
import { importPlayers, lifecycle, progress, rename, sheet, spells, variables } from "./characters";
import { guild } from "./guilds";
import { items, played } from "./items";
import { accessBan, appeal, chatRead, command, impose, lift, template } from "./moderation";
import type { Said, Telling } from "./said";
import { approval, catalog, server, system, undo, unknown } from "./world";

type Teller = (telling: Telling) => Said;

/** How each kind of action is told; the compiler asks for one that is missing. */
const TELLERS: Readonly<Record<Kind, Teller>> = {
  "items.give": items,
  "items.take": items,
  "items.restore": items,
  "items.import": items,
  "items.exchange": played,
  "items.move": played,
  "spells.teach": spells,
  "spells.forget": spells,
  "variables.set": variables,
  "users.variable": variables,
  "game.variable": variables,
  "players.progress": progress,
  "players.create": lifecycle,
  "players.delete": lifecycle,
  "players.rename": rename,
  "players.class": sheet,
  "players.sheet": sheet,
  "players.import": importPlayers,
  "guilds.create": guild,
  "guilds.rename": guild,
  "guilds.delete": guild,
  "guilds.join": guild,
  "guilds.leave": guild,
  "guilds.kick": guild,
  "guilds.rank": guild,
  "guilds.transfer": guild,
  "guilds.variable": guild,
  "guilds.deposit": guild,
  "guilds.withdraw": guild,
  "servers.register": server,
  "servers.stop": server,
  "commands.send": command,
  "chat.read": chatRead,
  "users.register": account,
  "users.email": account,
  "users.password": account,
  "users.import": account,
  "users.delete": account,
  "users.rename": rename,
  "users.language": account,
  "users.powers": powers,
  "sanctions.impose": impose,
  "sanctions.lift": lift,
  "access_bans.impose": accessBan,
  "access_bans.lift": accessBan,
  "templates.change": template,
  "templates.remove": template,
  "roles.create": named,
  "roles.change": named,
  "roles.delete": named,
  "staff.grant": named,
  "staff.withdraw": named,
  "keys.create": named,
  "keys.revoke": named,
  "webhooks.create": named,
  "webhooks.change": named,
  "webhooks.remove": named,
  "sessions.start": session,
  "sessions.end": session,
  "sessions.link": session,
  "factors.add": factor,
  "factors.remove": factor,
  "factors.reset": factor,
  "appeals.open": appeal,
  "appeals.decide": appeal,
  "findings.open": named,
  "findings.acknowledge": named,
  "rules.change": named,
  "rules.remove": named,
  "catalog.import": catalog,
  "demo.fill": system,
  "ledger.open": system,
  "ledger.drop": system,
  "database.backup": system,
  "database.restore": system,
  undo,
  "approvals.request": approval,
  "approvals.approve": approval,
  "approvals.reject": approval,
};

export function tell(telling: Telling): Said {
  const tellers: Readonly<Record<string, Teller>> = TELLERS;
  return (tellers[telling.entry.Kind] ?? unknown)(telling);
}
