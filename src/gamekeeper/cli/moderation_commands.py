"""The table of the commands of moderators; the others are in `commands`."""

from gamekeeper.cli.lazy import LazyCommand, LazyGroup

SANCTIONS = LazyGroup(
    {
        "list": LazyCommand("sanctions:list_", "Show sanctions, newest first."),
        "show": LazyCommand("sanctions:show", "Show one sanction, with its reason and evidence."),
        "impose": LazyCommand(
            "sanctions:impose", "Impose a sanction, by its kind or from a template."
        ),
        "lift": LazyCommand("sanctions:lift", "Lift a sanction; its record is kept."),
    },
    "Sanctions: bans, mutes, trade locks, warnings and notes.",
)

ACCESS_BANS = LazyGroup(
    {
        "list": LazyCommand("access_bans:list_", "Show access bans, newest first."),
        "impose": LazyCommand("access_bans:impose", "Ban a device or an address range."),
        "lift": LazyCommand("access_bans:lift", "Lift an access ban; its record is kept."),
    },
    "Access bans: devices and address ranges from which no account can sign in.",
)

APPEALS = LazyGroup(
    {
        "list": LazyCommand("appeals:list_", "Show open appeals, oldest first."),
        "show": LazyCommand("appeals:show", "Show an appeal and its sanction."),
        "decide": LazyCommand(
            "appeals:decide", "Decide an appeal: --lift the sanction, or --keep it."
        ),
    },
    "Appeals against sanctions: list, show and decide.",
)

REPORTS = LazyGroup(
    {"file": LazyCommand("reports:file", "File a report in the name of a character.")},
    "Reports of players about players: file one by hand.",
)

CASES = LazyGroup(
    {
        "list": LazyCommand("cases:list_", "Show open cases, the highest priority first."),
        "show": LazyCommand("cases:show", "Show a case with its reports and notes."),
        "statistics": LazyCommand(
            "cases:statistics_",
            "Show how many cases there were in 30 days, and how long they waited.",
        ),
        "claim": LazyCommand(
            "cases:claim", "Claim a case, so that others know that you handle it."
        ),
        "release": LazyCommand("cases:release", "Release a claimed case."),
        "note": LazyCommand("cases:note", "Add a note for staff to a case."),
        "add-chat": LazyCommand(
            "cases:add_chat", "Add messages of the chat log to an open case as evidence."
        ),
        "close": LazyCommand("cases:close", "Close a case: with no action, a kick, or a sanction."),
        "reopen": LazyCommand(
            "cases:reopen", "Open a closed case again. Its sanction stays in force."
        ),
    },
    "Cases, the reports about one account: list, claim and close.",
)

CHAT = LazyGroup(
    {
        "list": LazyCommand(
            "chat:list_", "Show the chat log, newest first, without private messages."
        ),
        "private": LazyCommand(
            "chat:private_",
            "Show the chat log with private messages, newest first. Needs --reason.",
        ),
    },
    "The chat log: list and search it.",
)
