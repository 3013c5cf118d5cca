"""
The table of all commands: where each is defined, and its line in the help.

It repeats the first sentence of each command's docstring, so that help needs no import.
"""

from gamekeeper.cli.lazy import Commands, LazyCommand, LazyGroup
from gamekeeper.cli.live_operations_commands import CAMPAIGNS, CODES, SCHEDULES, SEGMENTS
from gamekeeper.cli.mailbox_commands import MAILBOX
from gamekeeper.cli.moderation_commands import (
    ACCESS_BANS,
    APPEALS,
    CASES,
    CHAT,
    REPORTS,
    SANCTIONS,
)
from gamekeeper.cli.order_commands import ORDERS
from gamekeeper.cli.provider_commands import OPENID

ACTIONS = LazyGroup(
    {
        "list": LazyCommand("actions.list_:list_", "Show the audit log, newest first."),
        "undo": LazyCommand(
            "actions.undo:undo",
            "Undo an action by its id, all actions of an actor, or losses of a player or account.",
        ),
        "verify": LazyCommand(
            "actions.verify:verify",
            "Verify the audit log: no action or posting was changed, removed or inserted.",
        ),
    },
    "The audit log: list, undo and verify actions.",
)

ITEMS = LazyGroup(
    {
        "find": LazyCommand(
            "items:find",
            "Find items by part of their name, or list all items.",
        ),
        "show": LazyCommand("items:show", "Show an item: its stack sizes and its total supply."),
    },
    "Items in the catalog: find and show.",
)

IMPORT = LazyGroup(
    {
        "intersect": LazyCommand(
            "intersect:intersect", "Import a game of the Intersect Engine from its database."
        ),
        "status": LazyCommand(
            "intersect:status", "Show how many imported passwords are re-hashed."
        ),
    },
    "Import a game of another engine.",
)

PLAYERS = LazyGroup(
    {
        "find": LazyCommand("players.characters:find", "Find characters by name, fifty at a time."),
        "show": LazyCommand(
            "players.characters:show",
            "Show a character: class, level, account, location and play times.",
        ),
        "inventory": LazyCommand(
            "players.holdings:inventory", "Show a character's inventory, now or at a past time."
        ),
        "bank": LazyCommand(
            "players.holdings:bank", "Show a character's bank, now or at a past time."
        ),
        "spells": LazyCommand(
            "players.holdings:spells",
            "Show the spells that a character knows, now or at a past time.",
        ),
        "variables": LazyCommand(
            "players.holdings:variables",
            "Show the variables set for a character, now or at a past time.",
        ),
        "sessions": LazyCommand(
            "players.characters:sessions",
            "Show a character's sessions and their servers, newest first.",
        ),
        "at": LazyCommand(
            "players.holdings:at", "Show a character's items, spells and variables at a past time."
        ),
        "history": LazyCommand(
            "players.history:history",
            "Show all changes to a character, newest first, with every slot that changed.",
        ),
        "create": LazyCommand(
            "players.characters:create",
            "Create a level 1 character with the initial values of its class.",
        ),
        "rename": LazyCommand("players.characters:rename", "Rename a character."),
        "delete": LazyCommand(
            "players.characters:delete",
            "Delete an offline character and everything it has; this can be undone.",
        ),
        "give": LazyCommand("players.items:give", "Give items to a character, all or nothing."),
        "take": LazyCommand(
            "players.items:take", "Take items from a character's inventory, all or nothing."
        ),
        "import": LazyCommand(
            "players.import_:import_",
            "Import accounts, characters, guilds, sanctions and game variables from a file.",
        ),
        "move": LazyCommand(
            "players.items:move",
            "Move items between characters, or between places of one character, all or nothing.",
        ),
        "restore": LazyCommand(
            "players.items:restore",
            "Restore items that a character held at a past time and has lost since.",
        ),
    },
    "Characters: find, show, change and restore them, and read their history.",
)

USERS = LazyGroup(
    {
        "create": LazyCommand("users:create", "Create an account, for example the first one."),
        "list": LazyCommand(
            "users:list_", "List accounts by name, with their powers, fifty at a time."
        ),
        "show": LazyCommand(
            "users:show", "Show an account: its email address, powers, mute and characters."
        ),
        "export": LazyCommand(
            "personal_data:export", "Export all personal data of an account as JSON."
        ),
        "linked": LazyCommand(
            "linked:show",
            "Show accounts that share devices, addresses or payments with one, the strongest "
            "links first.",
        ),
        "set-password": LazyCommand(
            "users:set_password", "Set an account's password and revoke its tokens and reset links."
        ),
        "set-email": LazyCommand("users:set_email", "Set an account's email address."),
        "verify-email": LazyCommand(
            "users:verify_email", "Record that you verified an account's email address."
        ),
        "set-language": LazyCommand(
            "users:set_language", "Set the language in which an account gets mails."
        ),
        "grant": LazyCommand(
            "users:grant",
            "Grant powers to an account: API access, and control over other accounts.",
        ),
        "revoke": LazyCommand(
            "users:revoke",
            "Revoke powers from an account; its tokens lose them within two seconds.",
        ),
    },
    "Accounts: email addresses, languages, passwords and powers.",
)

TRANSACTIONS = LazyGroup(
    {
        "show": LazyCommand(
            "transactions:show",
            "Show a transaction: its actor, its reason, and what each character gave and received.",
        ),
        "undo": LazyCommand(
            "transactions:undo", "Undo a whole transaction for all characters, or not at all."
        ),
    },
    "Transactions, such as trades: show and undo them.",
)

STAFF = LazyGroup(
    {
        "add": LazyCommand("staff:add", "Add a role to an account, for example the first owner."),
        "remove": LazyCommand(
            "staff:remove", "Remove a role from an account; the last owner cannot be removed."
        ),
        "list": LazyCommand("staff:list_", "List the accounts that have roles, by name."),
        "reset-factors": LazyCommand(
            "staff:reset_factors",
            "Remove all second factors of a staff member who lost them, and end their sessions.",
        ),
        "link": LazyCommand("staff:link", "Create a link that signs a staff member in once."),
        "invite": LazyCommand(
            "invitations:invite", "Create a link that gives a role to a new member of staff, once."
        ),
        "invitations": LazyCommand(
            "invitations:list_", "List invitations and their states, newest first."
        ),
        "revoke-invitation": LazyCommand(
            "invitations:revoke", "Revoke an open invitation; its link no longer works."
        ),
        "sign-out": LazyCommand("staff:sign_out", "End all browser sessions of a staff member."),
    },
    "Staff: accounts with roles.",
)

ROLES = LazyGroup(
    {
        "list": LazyCommand("staff:roles", "List all roles and their permissions."),
    },
    "Roles: the permissions of staff.",
)

LEDGER = LazyGroup(
    {
        "verify": LazyCommand(
            "ledger:verify",
            "Verify the ledger: everything players hold follows from the postings alone.",
        ),
        "drop": LazyCommand(
            "ledger:drop",
            "Drop the postings of old months permanently; run it as the owner of the tables.",
        ),
    },
    "The ledger of everything players hold.",
)

ECONOMY = LazyGroup(
    {
        "findings": LazyCommand(
            "economy:findings", "Show unusual increases and exceeded rules, newest first."
        ),
        "acknowledge": LazyCommand("economy:acknowledge", "Acknowledge a finding, with a note."),
        "rules": LazyCommand("economy:rules_", "Show all economy rules."),
        "set-rule": LazyCommand(
            "economy:set_rule", "Create an economy rule, or replace the one with this name."
        ),
        "delete-rule": LazyCommand(
            "economy:delete_rule", "Delete an economy rule; its findings stay."
        ),
        "recount": LazyCommand(
            "economy:recount",
            "Rebuild the supply, flows and holders of all items from all postings.",
        ),
    },
    "The economy: unusual increases, rules, and the totals of all items.",
)

LISTS = LazyGroup(
    {
        "verify": LazyCommand(
            "lists:verify", "Compare the counts of the lists with the rows themselves."
        ),
        "rebuild": LazyCommand(
            "lists:rebuild", "Rebuild the counts of the lists while the service runs."
        ),
    },
    "The stored counts that make list pagination fast.",
)

KEYS = LazyGroup(
    {
        "create": LazyCommand(
            "keys:create", "Create a key and print only the key on standard output."
        ),
        "list": LazyCommand("keys:list_", "List the keys, without their secrets."),
        "revoke": LazyCommand(
            "keys:revoke", "Revoke a key. All processes reject it within two seconds."
        ),
    },
    "API keys for websites, bots and game servers.",
)

WEBHOOKS = LazyGroup(
    {
        "list": LazyCommand(
            "webhooks:list_", "Show all webhooks, and whether their deliveries succeed."
        ),
        "show": LazyCommand(
            "webhooks:show", "Show a webhook and its last deliveries, newest first."
        ),
        "test": LazyCommand("webhooks:try_", "Send a test event, ahead of all waiting deliveries."),
        "replay": LazyCommand(
            "webhooks:replay", "Send events again: one --delivery, or all events in a time range."
        ),
    },
    "Webhooks: list, test and replay deliveries; use the API to create or change them.",
)

CATALOG = LazyGroup(
    {
        "import": LazyCommand(
            "catalog:import_", "Import items, spells, variables, classes and objects from a file."
        ),
        "export": LazyCommand("catalog:export_", "Write the whole catalog to a file for `import`."),
    },
    "The game's catalog: items, spells, variables, classes, game objects.",
)

COMMANDS: Commands = {
    "migrate": LazyCommand("serve:migrate", "Migrate the database to the schema of this version."),
    "serve": LazyCommand("serve:serve", "Serve the HTTP API."),
    "worker": LazyCommand(
        "serve:worker",
        "Run background jobs: send emails and webhooks, delete expired rows (retention).",
    ),
    "doctor": LazyCommand(
        "doctor:doctor", "Check settings, database, worker, mail and TLS, and suggest fixes."
    ),
    "backup": LazyCommand("backup:backup", "Back up the database while the service runs."),
    "restore": LazyCommand(
        "backup:restore", "Restore a backup, verify it, and revoke its old sessions and keys."
    ),
    "recovered": LazyCommand(
        "recovery:recovered",
        "Complete a recovery of PostgreSQL: verify it, and revoke its old sessions and keys.",
    ),
    "demo": LazyCommand("demo:demo", "Fill an empty database with realistic demo data."),
    "import": IMPORT,
    "export": LazyCommand(
        "export:export",
        "Export accounts, characters, guilds, sanctions and game variables as JSON Lines.",
    ),
    "try": LazyCommand("try_:try_", "Run a temporary server with demo data until Ctrl-C."),
    "catalog": CATALOG,
    "actions": ACTIONS,
    "transactions": TRANSACTIONS,
    "ledger": LEDGER,
    "economy": ECONOMY,
    "segments": SEGMENTS,
    "campaigns": CAMPAIGNS,
    "schedules": SCHEDULES,
    "codes": CODES,
    "lists": LISTS,
    "players": PLAYERS,
    "mailbox": MAILBOX,
    "items": ITEMS,
    "users": USERS,
    "staff": STAFF,
    "roles": ROLES,
    "sanctions": SANCTIONS,
    "access-bans": ACCESS_BANS,
    "keys": KEYS,
    "reports": REPORTS,
    "cases": CASES,
    "appeals": APPEALS,
    "chat": CHAT,
    "orders": ORDERS,
    "openid": OPENID,
    "webhooks": WEBHOOKS,
    "version": LazyCommand("version:show", "Show the version, its build and its requirements."),
}
