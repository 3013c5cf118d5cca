"""The kinds of actions that can be undone, and what to do about the others."""

UNDOABLE = frozenset(
    {"items.give", "items.take", "items.restore", "items.exchange", "items.move", "spells.teach"}
    | {"spells.forget", "variables.set", "users.email", "users.powers", "undo"}
    | {"users.variable", "game.variable"}
    | {"players.create", "players.rename", "players.class", "players.sheet"}
    | {"players.progress", "players.delete"}
)
"""The kinds of actions that can be undone."""

SHARED = "It is a part of a transaction, in which items were moved; undo the transaction."

WHY_NOT = {
    "items.import": "Import what was there before.",
    "players.import": "An import is not unmade; delete the characters, or import a former export.",
    "users.import": "Import what was there before.",
    "guilds.create": "A guild is not unmade; disband it.",
    "guilds.rename": "Rename the guild again.",
    "guilds.delete": "A guild that was disbanded stays disbanded; make it again.",
    "guilds.join": "Let the member leave, or kick it.",
    "guilds.leave": "Add the member again.",
    "guilds.kick": "Add the member again.",
    "guilds.rank": "Change the rank back.",
    "guilds.transfer": "Transfer the ownership back.",
    "guilds.variable": "Set the variable again.",
    "guilds.deposit": "Withdraw it again.",
    "guilds.withdraw": "Deposit it again.",
    "servers.register": "Stop the server instead.",
    "servers.stop": "Register the server again.",
    "commands.send": "What the game has done is not unmade; send another command.",
    "users.register": "An account is not unmade; take its powers instead.",
    "users.rename": "Rename the account again.",
    "users.delete": "An erased account is nowhere any more, except in a backup; its characters "
    "have no owner to come back to.",
    "users.password": "Former passwords are not kept; set a new one.",
    "sanctions.impose": "A sanction is not unmade; lift it, and say why.",
    "sanctions.lift": "What was lifted stays lifted; impose it again.",
    "templates.change": "Change the template again.",
    "templates.remove": "Make the template again.",
    "roles.create": "A role is not unmade; delete it.",
    "roles.change": "Change the role back.",
    "roles.delete": "Make the role again.",
    "staff.grant": "Withdraw the role instead.",
    "staff.withdraw": "Give the role again.",
    "keys.create": "A key is not unmade; revoke it.",
    "keys.revoke": "A revoked key stays revoked; make a new one.",
    "sessions.start": "A sign-in is not unmade; end the session.",
    "sessions.end": "An ended session stays ended; sign in again.",
    "sessions.link": "A link ends by itself; end the sessions that it began.",
    "factors.add": "Remove the second factor instead.",
    "factors.remove": "A removed second factor is gone; enrol it again.",
    "factors.reset": "Removed second factors are gone; enrol them again.",
    "webhooks.create": "A webhook is not unmade; remove it.",
    "webhooks.change": "Former secrets are not kept; change it again.",
    "webhooks.remove": "A removed webhook is gone; make a new one.",
    "appeals.open": "An appeal is not unmade; decide it.",
    "appeals.decide": "The player has read the answer; lift the sanction, or impose another.",
    "catalog.import": "Import the former catalog again.",
    "approvals.request": "A request is not unmade; have it rejected, or let it expire.",
    "approvals.approve": "Undo what was approved.",
    "approvals.reject": "Request it again.",
    "demo.fill": "A demo world is not unmade; make another database.",
    "ledger.open": "It changed nothing; it says what was there when the ledger began.",
    "ledger.drop": "What was dropped is nowhere any more, except in a backup.",
    "database.backup": "It changed nothing; delete the backup if it should not exist.",
    "database.restore": "What came after the backup is gone; restore another backup.",
}
"""What to do instead, for the other kinds."""
