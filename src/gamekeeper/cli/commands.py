"""
The table of all commands: where each is, and its line in the help.

The first sentence of a command's docstring stands here too, so that help needs no import.
"""

from gamekeeper.cli.lazy import Commands, LazyCommand, LazyGroup

ACTIONS = LazyGroup(
    {
        "list": LazyCommand("actions:list_", "Show the audit log, newest first."),
        "undo": LazyCommand(
            "undo:undo",
            "Undo an action by its id, or everything an actor did between two instants.",
        ),
        "verify": LazyCommand(
            "chain:verify",
            "Verify the audit log: no action or posting was changed, removed or inserted.",
        ),
    },
    "The audit log: what was done, by whom, and undo.",
)

ITEMS = LazyGroup(
    {
        "find": LazyCommand(
            "items:find",
            "Find items by a part of their name; without one, show all.",
        ),
        "show": LazyCommand(
            "items:show", "Show an item: its stacks, and how many of it there are."
        ),
    },
    "Items of the catalog, found by name.",
)

PLAYERS = LazyGroup(
    {
        "find": LazyCommand("characters:find", "Find characters by name, fifty at a time."),
        "show": LazyCommand(
            "characters:show",
            "Show a character: class, level, account, place, and when it played.",
        ),
        "inventory": LazyCommand(
            "characters:inventory", "Show what a character carries, now or at an instant."
        ),
        "bank": LazyCommand(
            "characters:bank", "Show what a character has in the bank, now or at an instant."
        ),
        "spells": LazyCommand(
            "characters:spells", "Show the spells that a character knows, now or at an instant."
        ),
        "variables": LazyCommand(
            "characters:variables",
            "Show the variables that are set for a character, now or at an instant.",
        ),
        "sessions": LazyCommand(
            "characters:sessions",
            "Show when a character played and on which server, newest first.",
        ),
        "at": LazyCommand(
            "characters:at", "Show what a character held, knew and had set at an instant."
        ),
        "history": LazyCommand(
            "timeline:history",
            "Show what was done to a character, newest first, with every slot that changed.",
        ),
        "create": LazyCommand(
            "players:create",
            "Create a character of level 1, with the initial values of its class.",
        ),
        "rename": LazyCommand("players:rename", "Give a character another name."),
        "delete": LazyCommand(
            "players:delete",
            "Delete a character that is not online, with all it has; an undo brings it back.",
        ),
        "give": LazyCommand("players:give", "Give a character items, all of them or none."),
        "take": LazyCommand(
            "players:take", "Take items out of a character's inventory, all of them or none."
        ),
        "import": LazyCommand("transfer:bring", "Import accounts and characters from a file."),
        "move": LazyCommand(
            "moves:move",
            "Move items from one character to another, or between places of one, all of them or "
            "none.",
        ),
        "restore": LazyCommand(
            "players:restore", "Give a character back what it held at an instant and lost since."
        ),
    },
    "Characters: found and shown, now or at an instant; changed; what was done to them.",
)

USERS = LazyGroup(
    {
        "create": LazyCommand("users:create", "Create an account, for example the first one."),
        "list": LazyCommand(
            "users:list_", "Show accounts by name, with their powers, fifty at a time."
        ),
        "show": LazyCommand(
            "users:show", "Show an account: its address, powers, mute and characters."
        ),
        "set-password": LazyCommand(
            "users:set_password", "Set an account's password; its tokens and reset links end."
        ),
        "set-email": LazyCommand("users:set_email", "Set an account's email address."),
        "grant": LazyCommand(
            "users:grant",
            "Give an account powers: what its owner may do to others, or by the API.",
        ),
        "revoke": LazyCommand(
            "users:revoke",
            "Take powers from an account; its tokens lose them within two seconds.",
        ),
    },
    "Accounts: their addresses, passwords and powers.",
)

TRANSACTIONS = LazyGroup(
    {
        "show": LazyCommand(
            "transactions:show",
            "Show a transaction: who did it and why, and what each character gave and received.",
        ),
        "undo": LazyCommand(
            "transactions:undo", "Undo a whole transaction, on all sides or not at all."
        ),
    },
    "Transactions, such as trades: shown with every side, and undone whole.",
)

COMMANDS: Commands = {
    "migrate": LazyCommand("serve:migrate", "Migrate the database to the schema of this version."),
    "serve": LazyCommand("serve:serve", "Serve the HTTP API."),
    "worker": LazyCommand(
        "serve:worker",
        "Run background jobs: send mails and webhooks, delete expired rows (retention).",
    ),
    "demo": LazyCommand("demo:demo", "Fill an empty database with realistic demo data."),
    "export": LazyCommand(
        "transfer:send", "Export all accounts and characters as JSON Lines, one of them per line."
    ),
    "try": LazyCommand("try_:try_", "Run a temporary server with demo data, until Ctrl-C."),
    "catalog": LazyCommand(
        "catalog:catalog", "What exists in the game: items, spells, player variables, classes."
    ),
    "actions": ACTIONS,
    "transactions": TRANSACTIONS,
    "ledger": LazyCommand("ledger:app", "The ledger of everything players hold."),
    "economy": LazyCommand("economy:app", "How many of each item there are, and where."),
    "lists": LazyCommand(
        "lists:app", "The counts by which a page of a list is found without walking to it."
    ),
    "players": PLAYERS,
    "items": ITEMS,
    "users": USERS,
    "keys": LazyCommand("keys:app", "API keys, for websites, bots and game servers."),
    "webhooks": LazyCommand(
        "webhooks:app", "Webhooks: whether they arrive. They are made and changed by the API."
    ),
}
