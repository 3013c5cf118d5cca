"""Actions on the installation and the game as a whole, and undos."""

from gamekeeper.ledger.kinds.records import ActionKind, Look, Undo

SYSTEM = (
    ActionKind(
        "game.variable",
        Look("Set a variable of the game", "state", "change", "variable"),
        undo=Undo("owned_variable", scopes=("players.variables",)),
        concerns_servers=True,
    ),
    ActionKind(
        "servers.register",
        Look("Registered a server", "servers", "plain", "server-2"),
        instead="Stop the server instead.",
    ),
    ActionKind(
        "servers.stop",
        Look("Stopped a server", "servers", "plain", "server-off"),
        instead="Register the server again.",
    ),
    ActionKind(
        "webhooks.create",
        Look("Made a webhook", "system", "gain", "webhook"),
        instead="A webhook is not unmade; remove it.",
    ),
    ActionKind(
        "webhooks.change",
        Look("Changed a webhook", "system", "change", "webhook"),
        instead="Former secrets are not kept; change it again.",
    ),
    ActionKind(
        "webhooks.remove",
        Look("Removed a webhook", "system", "loss", "webhook"),
        instead="A removed webhook is gone; make a new one.",
    ),
    ActionKind(
        "catalog.import",
        Look("Imported the catalog", "system", "change", "file-import"),
        instead="Import the former catalog again.",
    ),
    ActionKind(
        "demo.fill",
        Look("Filled the demo world", "system", "plain", "seeding"),
        moment="demo world made",
        instead="A demo world is not unmade; make another database.",
        accounts=("demo",),
        is_bulk_load=True,
    ),
    ActionKind(
        "ledger.open",
        Look("Opened the ledger", "system", "plain", "database"),
        moment="records began",
        instead="It changed nothing; it says what was there when the ledger began.",
        accounts=("import",),
        is_bulk_load=True,
    ),
    ActionKind(
        "ledger.drop",
        Look("Dropped old history", "system", "loss", "database"),
        instead="What was dropped is nowhere any more, except in a backup.",
    ),
    ActionKind(
        "database.backup",
        Look("Backed up the database", "system", "plain", "database"),
        instead="It changed nothing; delete the backup if it should not exist.",
    ),
    ActionKind(
        "database.restore",
        Look("Restored a backup", "system", "back", "database"),
        instead="What came after the backup is gone; restore another backup.",
    ),
    ActionKind(
        "undo",
        Look("Undid an action", "undo", "back", "arrow-back-up", series="undo"),
        moment="something undone",
        undo=Undo("inherited"),
        accounts=("undo", "move"),
    ),
)
