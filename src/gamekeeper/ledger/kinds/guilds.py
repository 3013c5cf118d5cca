"""Actions on guilds: their members, their banks and their variables."""

from gamekeeper.ledger.kinds.records import ActionKind, Look, Undo

MANAGED = Undo("guild", scopes=("guilds.manage",))
IN_BANK = Undo("guild_bank", scopes=("guilds.manage",))

GUILDS = (
    ActionKind(
        "guilds.create",
        Look("Created a guild", "character", "gain", "friends"),
        instead="Creating a guild cannot be undone. Disband it instead.",
        intersect="Created",
    ),
    ActionKind(
        "guilds.rename",
        Look("Renamed a guild", "character", "change", "friends"),
        undo=MANAGED,
        intersect="Rename",
    ),
    ActionKind(
        "guilds.delete",
        Look("Disbanded a guild", "character", "loss", "friends"),
        undo=MANAGED,
        accounts=("removal",),
        intersect="Disbanded",
    ),
    ActionKind(
        "guilds.join",
        Look("Joined a guild", "character", "gain", "friends"),
        undo=MANAGED,
        bulk_undo="all",
        intersect="Joined",
    ),
    ActionKind(
        "guilds.leave",
        Look("Left a guild", "character", "loss", "friends"),
        undo=MANAGED,
        bulk_undo="all",
        intersect="Left",
    ),
    ActionKind(
        "guilds.kick",
        Look("Kicked from a guild", "character", "loss", "friends"),
        undo=MANAGED,
        bulk_undo="all",
        intersect="Kicked",
    ),
    ActionKind(
        "guilds.rank",
        Look("Changed a guild rank", "character", "change", "friends"),
        undo=MANAGED,
        bulk_undo="all",
    ),
    ActionKind(
        "guilds.transfer",
        Look("Transferred a guild", "character", "change", "friends"),
        undo=MANAGED,
        bulk_undo="all",
        intersect="Transfer",
    ),
    ActionKind(
        "guilds.variable",
        Look("Set a guild variable", "state", "change", "variable"),
        undo=Undo("guild", scopes=("players.variables",)),
    ),
    ActionKind(
        "guilds.deposit",
        Look("Deposited in a guild bank", "items", "change", "friends"),
        undo=IN_BANK,
        bulk_undo="left",
        accounts=("guild",),
    ),
    ActionKind(
        "guilds.withdraw",
        Look("Withdrew from a guild bank", "items", "change", "friends"),
        undo=IN_BANK,
        bulk_undo="all",
        accounts=("guild",),
    ),
)
