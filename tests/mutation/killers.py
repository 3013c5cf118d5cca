"""The tests that are likely to notice a bug in a module, and a wider set for those that miss it."""

LIKELY = {
    "approvals/": ["tests/approvals"],
    "auth/": ["tests/auth", "tests/contract/test_tokens.py", "tests/security/test_revocation.py"],
    "auth/keys.py": [
        "tests/auth/test_keys.py",
        "tests/auth/test_managed_keys.py",
        "tests/cli/test_keys.py",
    ],
    "servers/commands/": ["tests/commands"],
    "db/": ["tests/db/test_batching.py", "tests/db/test_batched_requests.py"],
    "db/database.py": ["tests/db/test_database.py", "tests/db/test_batched_requests.py"],
    "db/idempotency.py": ["tests/db/test_idempotency.py", "tests/db/test_batched_requests.py"],
    "guilds/": ["tests/guilds"],
    "history/": ["tests/history"],
    "http/": ["tests/http/test_rate_limits.py", "tests/http/test_rate_counters.py"],
    "http/admission.py": ["tests/http/test_admission.py", "tests/security/test_processes.py"],
    "ledger/": ["tests/ledger"],
    "ledger/losses.py": ["tests/undo/test_undo.py", "tests/undo/test_redo.py", "tests/history"],
    "ledger/retention.py": ["tests/history"],
    "ledger/states.py": ["tests/ledger", "tests/users", "tests/cli/test_keys.py"],
    "ledger/transactions.py": ["tests/history/test_trail.py", "tests/transactions"],
    "ledger/undoable.py": ["tests/undo"],
    "ledger/verify_chain.py": ["tests/ledger/test_verify_chain.py", "tests/ledger/test_chain.py"],
    "moderation/": ["tests/moderation"],
    "players/": ["tests/players", "tests/transactions"],
    "players/archive.py": ["tests/players/test_characters.py", "tests/undo/test_characters.py"],
    "players/characters.py": [
        "tests/players/test_characters.py",
        "tests/contract/test_characters.py",
    ],
    "players/guild_slots.py": ["tests/guilds"],
    "players/memberships.py": ["tests/guilds"],
    "players/presences.py": ["tests/servers", "tests/contract/test_player_lists.py"],
    "players/roster.py": ["tests/contract/test_player_lists.py", "tests/contract/test_sort.py"],
    "players/rules.py": ["tests/players/test_rules.py", "tests/players/test_items.py"],
    "sanctions/": ["tests/moderation", "tests/contract/test_tokens.py"],
    "servers/": ["tests/servers"],
    "users/staff/": ["tests/staff"],
    "servers/transactions.py": ["tests/transactions", "tests/undo/test_transactions.py"],
    "history/undo/": ["tests/undo", "tests/users/test_owned_variables.py"],
}
"""The most specific entry counts. A mutant that these do not kill is tried with the wider set."""

BOOKS = [
    *("tests/players", "tests/transactions", "tests/undo", "tests/history", "tests/ledger"),
    *("tests/guilds", "tests/approvals", "tests/moderation", "tests/erasure", "tests/economy"),
    *(
        "tests/contract/test_items.py",
        "tests/contract/test_players.py",
        "tests/contract/test_gifts.py",
    ),
    *("tests/contract/test_spells.py", "tests/contract/test_variables.py", "tests/users"),
    *("tests/security/test_undo_rights.py", "tests/security/test_tamper_detection.py"),
    *("tests/test_write_path.py", "tests/test_house.py"),
]
CALLERS = [
    *(
        "tests/auth",
        "tests/staff",
        "tests/users",
        "tests/commands",
        "tests/servers",
        "tests/events",
    ),
    *("tests/db", "tests/http", "tests/moderation", "tests/contract/test_callers.py"),
    *(
        "tests/contract/test_login_throttle.py",
        "tests/contract/test_tokens.py",
        "tests/cli/test_keys.py",
    ),
    *("tests/security/test_authorisation.py", "tests/security/test_ownership.py"),
    *("tests/security/test_revocation.py", "tests/security/test_oracles.py", "tests/test_house.py"),
]
OF_CALLERS = ("auth/", "servers/commands/", "db/", "http/", "servers/", "users/staff/")


def likely(module: str) -> list[str]:
    return LIKELY[max((place for place in LIKELY if module.startswith(place)), key=len)]


def wider(module: str) -> list[str]:
    return CALLERS if module.startswith(OF_CALLERS) else BOOKS
