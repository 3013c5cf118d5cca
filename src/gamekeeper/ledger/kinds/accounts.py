"""Actions on accounts, and those of moderators: sanctions, appeals, commands to the game."""

from gamekeeper.ledger.kinds.records import ActionKind, Look, Undo

ACCOUNTS = (
    ActionKind(
        "users.register",
        Look("Registered an account", "accounts", "gain", "user-plus", series="people"),
        instead="Creating an account cannot be undone. Remove its permissions instead.",
        intersect="Create",
    ),
    ActionKind(
        "users.email",
        Look("Changed an email", "accounts", "change", "mail", series="people"),
        undo=Undo("email", scopes=("users.manage", "users.query")),
    ),
    ActionKind(
        "users.verify",
        Look("Verified an email", "accounts", "plain", "mail-check", series="people"),
        instead="A verified address stays verified until it changes.",
    ),
    ActionKind(
        "users.password",
        Look("Changed a password", "accounts", "change", "password", series="people"),
        instead="Old passwords are not stored. Set a new one.",
        intersect="PasswordChanged",
    ),
    ActionKind(
        "users.powers",
        Look("Changed permissions", "accounts", "change", "shield", series="people"),
        undo=Undo("powers", scopes=("users.manage", "users.query")),
    ),
    ActionKind(
        "users.variable",
        Look("Set an account variable", "state", "change", "variable", series="people"),
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
        "users.language",
        Look("Changed a language", "accounts", "change", "language", series="people"),
        instead="Set the language again.",
    ),
    ActionKind(
        "users.delete",
        Look("Erased an account", "accounts", "loss", "trash", series="people"),
        instead="An erased account exists only in backups, so it cannot be restored here.",
    ),
    ActionKind(
        "users.export",
        Look("Exported personal data", "accounts", "plain", "file-export", series="people"),
        instead="Reading data cannot be undone.",
    ),
    ActionKind(
        "users.import",
        Look("Imported accounts", "accounts", "change", "file-import", series="people"),
        instead="Import the previous data again.",
    ),
    ActionKind(
        "identities.link",
        Look("Linked an identity", "accounts", "change", "link", series="people"),
        instead="Unlink the identity.",
    ),
    ActionKind(
        "identities.unlink",
        Look("Unlinked an identity", "accounts", "change", "unlink", series="people"),
        instead="Only its owner can prove the identity. Link it again.",
    ),
    ActionKind(
        "identities.code",
        Look("Created a link code", "accounts", "plain", "link-plus", series="people"),
        instead="A link code expires after ten minutes.",
    ),
    ActionKind(
        "sanctions.impose",
        Look("Imposed a sanction", "moderation", "loss", "gavel", series="moderation"),
        instead="Imposing a sanction cannot be undone. Lift the sanction, with a reason.",
        concerns_servers=True,
        intersect={"ban": "DisconnectBan", "mute": "Mute"},
    ),
    ActionKind(
        "sanctions.lift",
        Look("Lifted a sanction", "moderation", "gain", "lock-open", series="moderation"),
        instead="Lifting a sanction cannot be undone. Impose the sanction again.",
        concerns_servers=True,
    ),
    ActionKind(
        "access_bans.impose",
        Look("Banned a device or range", "moderation", "loss", "ban", series="moderation"),
        undo=Undo("access_ban", scopes=("sanctions.access",)),
    ),
    ActionKind(
        "access_bans.lift",
        Look("Lifted an access ban", "moderation", "gain", "lock-open", series="moderation"),
        instead="Lifting an access ban cannot be undone. Impose it again.",
    ),
    ActionKind(
        "templates.change",
        Look("Changed a template", "moderation", "plain", "template", series="moderation"),
        instead="Change the template again.",
    ),
    ActionKind(
        "templates.remove",
        Look("Removed a template", "moderation", "plain", "template", series="moderation"),
        instead="Create the template again.",
    ),
    ActionKind(
        "appeals.open",
        Look("Appealed", "moderation", "plain", "message-report", series="moderation"),
        instead="An appeal cannot be undone. Decide it.",
    ),
    ActionKind(
        "appeals.decide",
        Look("Decided an appeal", "moderation", "plain", "gavel", series="moderation"),
        instead="The player has read the decision. Lift the sanction, or impose another one.",
    ),
    ActionKind(
        "reports.file",
        Look("Reported a player", "moderation", "plain", "flag", series="moderation"),
        instead="A report cannot be undone. Close its case.",
    ),
    ActionKind(
        "cases.claim",
        Look("Claimed a case", "moderation", "plain", "user-check", series="moderation"),
        instead="Release the case.",
    ),
    ActionKind(
        "cases.release",
        Look("Released a case", "moderation", "plain", "user-x", series="moderation"),
        instead="Claim the case again.",
    ),
    ActionKind(
        "cases.note",
        Look("Added a note to a case", "moderation", "plain", "note", series="moderation"),
        instead="Notes stay. Add another note.",
    ),
    ActionKind(
        "cases.evidence",
        Look("Added chat to a case", "moderation", "plain", "message-plus", series="moderation"),
        instead="Evidence stays with its case. Leave it out of the sanction.",
    ),
    ActionKind(
        "cases.close",
        Look("Closed a case", "moderation", "plain", "circle-check", series="moderation"),
        instead="Closing a case cannot be undone. Reopen it, and lift its sanction.",
    ),
    ActionKind(
        "cases.reopen",
        Look("Reopened a case", "moderation", "plain", "rotate", series="moderation"),
        instead="Close the case again.",
    ),
    ActionKind(
        "chat.read",
        Look("Read private messages", "moderation", "plain", "eye"),
        instead="Messages that were read cannot be made unread.",
    ),
    ActionKind(
        "commands.send",
        Look("Sent a command", "moderation", "plain", "message-2"),
        instead="A command to the game cannot be undone. Send another command.",
        intersect={"kick": "DisconnectKick", "kill": "Kill"},
    ),
)
