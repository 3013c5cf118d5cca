"""Actions on accounts, and those of moderators: sanctions, appeals, commands to the game."""

from gamekeeper.ledger.kinds.records import ActionKind, Look, Undo

ACCOUNTS = (
    ActionKind(
        "users.register",
        Look("Registered an account", "accounts", "gain", "user-plus", series="people"),
        instead="An account is not unmade; take its powers instead.",
        intersect="Create",
    ),
    ActionKind(
        "users.email",
        Look("Changed an email", "accounts", "change", "mail", series="people"),
        undo=Undo("email", scopes=("users.manage", "users.query")),
    ),
    ActionKind(
        "users.password",
        Look("Changed a password", "accounts", "change", "password", series="people"),
        instead="Former passwords are not kept; set a new one.",
        intersect="PasswordChanged",
    ),
    ActionKind(
        "users.powers",
        Look("Changed powers", "accounts", "change", "shield", series="people"),
        undo=Undo("powers", scopes=("users.manage", "users.query")),
    ),
    ActionKind(
        "users.variable",
        Look("Set an account’s variable", "state", "change", "variable", series="people"),
        undo=Undo("owned_variable", scopes=("players.variables", "users.query")),
        concerns_servers=True,
    ),
    ActionKind(
        "users.rename",
        Look("Renamed an account", "accounts", "change", "id", series="people"),
        instead="Rename the account again.",
        concerns_servers=True,
        intersect="NameChange",
    ),
    ActionKind(
        "users.delete",
        Look("Erased an account", "accounts", "loss", "trash", series="people"),
        instead="An erased account is nowhere any more, except in a backup; its characters "
        "have no owner to come back to.",
    ),
    ActionKind(
        "users.import",
        Look("Imported accounts", "accounts", "change", "file-import", series="people"),
        instead="Import what was there before.",
    ),
    ActionKind(
        "sanctions.impose",
        Look("Imposed a sanction", "moderation", "loss", "gavel", series="moderation"),
        instead="A sanction is not unmade; lift it, and say why.",
        concerns_servers=True,
        intersect={"ban": "DisconnectBan", "mute": "Mute"},
    ),
    ActionKind(
        "sanctions.lift",
        Look("Lifted a sanction", "moderation", "gain", "lock-open", series="moderation"),
        instead="What was lifted stays lifted; impose it again.",
        concerns_servers=True,
    ),
    ActionKind(
        "templates.change",
        Look("Changed a template", "moderation", "plain", "template", series="moderation"),
        instead="Change the template again.",
    ),
    ActionKind(
        "templates.remove",
        Look("Removed a template", "moderation", "plain", "template", series="moderation"),
        instead="Make the template again.",
    ),
    ActionKind(
        "appeals.open",
        Look("Appealed", "moderation", "plain", "message-report", series="moderation"),
        instead="An appeal is not unmade; decide it.",
    ),
    ActionKind(
        "appeals.decide",
        Look("Decided an appeal", "moderation", "plain", "gavel", series="moderation"),
        instead="The player has read the answer; lift the sanction, or impose another.",
    ),
    ActionKind(
        "commands.send",
        Look("Sent a command to the game", "moderation", "plain", "message-2"),
        instead="What the game has done is not unmade; send another command.",
        intersect={"kick": "DisconnectKick", "kill": "Kill"},
    ),
)
