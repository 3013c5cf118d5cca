import { account, factor, named, powers, session } from "./accounts";
import { importPlayers, lifecycle, progress, rename, sheet, spells, variables } from "./characters";
import { items, played } from "./items";
import { appeal, command, impose, lift, template } from "./moderation";
import type { Said, Telling } from "./said";
import { approval, catalog, server, system, undo, unknown } from "./world";

/** How each kind of action is told. */
const TELLERS: Readonly<Record<string, (telling: Telling) => Said>> = {
  "items.give": items,
  "items.take": items,
  "items.restore": items,
  "items.import": items,
  "items.exchange": played,
  "items.move": played,
  "spells.teach": spells,
  "spells.forget": spells,
  "variables.set": variables,
  "players.progress": progress,
  "players.create": lifecycle,
  "players.delete": lifecycle,
  "players.rename": rename,
  "players.class": sheet,
  "players.sheet": sheet,
  "players.import": importPlayers,
  "servers.register": server,
  "servers.stop": server,
  "commands.send": command,
  "users.register": account,
  "users.email": account,
  "users.password": account,
  "users.import": account,
  "users.powers": powers,
  "sanctions.impose": impose,
  "sanctions.lift": lift,
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
  return (TELLERS[telling.entry.Kind] ?? unknown)(telling);
}
