"""Actions on guilds: their members, their banks and their variables."""

from gamekeeper.ledger.kinds.records import ActionKind, Look

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
        instead="Rename the guild again.",
        intersect="Rename",
    ),
    ActionKind(
        "guilds.delete",
        Look("Disbanded a guild", "character", "loss", "friends"),
        instead="Disbanding a guild cannot be undone. Create the guild again.",
        accounts=("removal",),
        intersect="Disbanded",
    ),
    ActionKind(
        "guilds.join",
        Look("Joined a guild", "character", "gain", "friends"),
        instead="Remove the member from the guild.",
        intersect="Joined",
    ),
    ActionKind(
        "guilds.leave",
        Look("Left a guild", "character", "loss", "friends"),
        instead="Add the member again.",
        intersect="Left",
    ),
    ActionKind(
        "guilds.kick",
        Look("Kicked from a guild", "character", "loss", "friends"),
        instead="Add the member again.",
        intersect="Kicked",
    ),
    ActionKind(
        "guilds.rank",
        Look("Changed a guild rank", "character", "change", "friends"),
        instead="Change the rank back.",
    ),
    ActionKind(
        "guilds.transfer",
        Look("Transferred a guild", "character", "change", "friends"),
        instead="Transfer the ownership back.",
        intersect="Transfer",
    ),
    ActionKind(
        "guilds.variable",
        Look("Set a guild variable", "state", "change", "variable"),
        instead="Set the variable again.",
    ),
    ActionKind(
        "guilds.deposit",
        Look("Deposited in a guild bank", "items", "change", "friends"),
        instead="Withdraw the items again.",
        bulk_undo="left",
        accounts=("guild",),
    ),
    ActionKind(
        "guilds.withdraw",
        Look("Withdrew from a guild bank", "items", "change", "friends"),
        instead="Deposit the items again.",
        bulk_undo="all",
        accounts=("guild",),
    ),
)
