"""The table of the commands of live operations; the others are in `commands`."""

from gamekeeper.cli.lazy import LazyCommand, LazyGroup

SEGMENTS = LazyGroup(
    {
        "list": LazyCommand("segments:list_", "Show all segments."),
        "show": LazyCommand("segments:show", "Show a segment as JSON, for `set`."),
        "count": LazyCommand(
            "segments:count", "Count the members of a segment, or estimate their number."
        ),
        "members": LazyCommand("segments:members_", "Show members of a segment, by id."),
        "set": LazyCommand(
            "segments:set_", "Create a segment from a JSON file, or replace the one with this name."
        ),
        "delete": LazyCommand("segments:delete", "Delete a segment; its members are not changed."),
        "lists": LazyCommand("segments:lists", "Show all uploaded lists of names."),
        "upload": LazyCommand(
            "segments:upload", "Add the names in a file to a list, one per line."
        ),
        "unmatched": LazyCommand(
            "segments:unmatched", "Show the names on a list that match no character."
        ),
        "delete-list": LazyCommand("segments:delete_list", "Delete a list and its names."),
    },
    "Segments: saved conditions over characters, and lists of names.",
)

CAMPAIGNS = LazyGroup(
    {
        "list": LazyCommand("campaigns:list_", "Show campaigns, newest first."),
        "show": LazyCommand("campaigns:show", "Show a campaign, and how far it is."),
        "create": LazyCommand(
            "campaigns:create", "Create a campaign from a JSON file; nothing is done yet."
        ),
        "try": LazyCommand("campaigns:try_", "Try a campaign on a sample, and change nothing."),
        "start": LazyCommand("campaigns:start", "Start a campaign that is ready."),
        "pause": LazyCommand(
            "campaigns:pause",
            "Pause a running campaign; recipients who had their turn keep what they got.",
        ),
        "resume": LazyCommand("campaigns:resume", "Continue a paused campaign where it was."),
        "stop": LazyCommand(
            "campaigns:stop",
            "End a campaign for good; recipients who had their turn keep what they got.",
        ),
        "reverse": LazyCommand("campaigns:reverse", "Undo a campaign for every recipient."),
        "recipients": LazyCommand(
            "campaigns:recipients", "Show recipients of a campaign, and what became of each."
        ),
    },
    "Campaigns: work for every member of a segment.",
)

SCHEDULES = LazyGroup(
    {
        "list": LazyCommand("schedules:list_", "Show schedules, newest first."),
        "show": LazyCommand("schedules:show", "Show a schedule, with its next run."),
        "create": LazyCommand("schedules:create", "Plan a campaign at an instant, or repeatedly."),
        "announce": LazyCommand(
            "schedules:announce",
            "Plan a message to all game servers, at an instant or repeatedly.",
        ),
        "next": LazyCommand("schedules:next_", "Show the next 10 runs of a schedule."),
        "runs": LazyCommand(
            "schedules:runs", "Show the runs of a schedule that were due, the last first."
        ),
        "pause": LazyCommand(
            "schedules:pause", "Pause a schedule: no run happens until it is resumed."
        ),
        "resume": LazyCommand(
            "schedules:resume", "Continue a paused schedule with its next run from now on."
        ),
        "skip": LazyCommand("schedules:skip", "Skip one of the next 10 runs."),
        "delete": LazyCommand(
            "schedules:delete",
            "Delete a schedule; its campaigns stay, and one that has not started is stopped.",
        ),
    },
    "Schedules: campaigns at an instant, or repeated.",
)

CODES = LazyGroup(
    {
        "list": LazyCommand("codes:list_", "Show batches of codes, newest first."),
        "show": LazyCommand("codes:show", "Show a batch, and how many codes were redeemed."),
        "create": LazyCommand(
            "codes:create", "Create a batch, write its codes to a file and activate it."
        ),
        "redemptions": LazyCommand("codes:redemptions", "Show the redemptions of a batch."),
        "look-up": LazyCommand("codes:look_up", "Show one code, and who redeemed it."),
        "redeem": LazyCommand("codes:redeem", "Redeem a code for a character."),
        "revoke": LazyCommand("codes:revoke", "Revoke all codes of a batch for good."),
        "revoke-code": LazyCommand("codes:revoke_code", "Revoke one code for good."),
    },
    "Redeem codes: batches of codes that give a letter with items.",
)
