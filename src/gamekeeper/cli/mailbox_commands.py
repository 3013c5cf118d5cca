"""The table of the commands about letters; the others are in `commands`."""

from gamekeeper.cli.lazy import LazyCommand, LazyGroup

MAILBOX = LazyGroup(
    {
        "list": LazyCommand("mailbox:list_", "Show the letters of a character, newest first."),
        "send": LazyCommand(
            "mailbox:send", "Send a letter to a character, with all its items or not at all."
        ),
        "claim": LazyCommand(
            "mailbox:claim", "Move all items of a letter to the character's inventory, or none."
        ),
        "withdraw": LazyCommand(
            "mailbox:withdraw",
            "Take an open letter back; its items return to the sender or are destroyed.",
        ),
    },
    "Mailboxes: list, send, claim and withdraw letters.",
)
