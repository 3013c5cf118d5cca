"""Actions on the letters in the mailboxes of characters."""

from gamekeeper.ledger.kinds.records import ActionKind, Look, Undo

SENT = Undo("letter", scopes=("players.items",))

MAIL = (
    ActionKind(
        "mail.send",
        Look("Sent a letter", "items", "gain", "mail", series="gifts"),
        moment="letter received",
        undo=SENT,
        bulk_undo="all",
        accounts=("grant", "move"),
    ),
    ActionKind(
        "mail.claim",
        Look("Claimed the items of a letter", "items", "change", "mail-opened", series="moves"),
        moment="letter claimed",
        undo=SENT,
        bulk_undo="all",
        accounts=("move",),
    ),
    ActionKind(
        "mail.read",
        Look("Read a letter", "items", "plain", "mail-opened"),
        instead="Marking a letter as read cannot be undone.",
    ),
    ActionKind(
        "mail.expire",
        Look("A letter expired", "items", "loss", "mail-off", series="moves"),
        moment="letter expired",
        undo=SENT,
        bulk_undo="left",
        accounts=("removal", "move"),
    ),
    ActionKind(
        "mail.withdraw",
        Look("Withdrew a letter", "items", "loss", "mail-off", series="moves"),
        moment="letter withdrawn",
        undo=SENT,
        bulk_undo="left",
        accounts=("removal", "move"),
    ),
    ActionKind(
        "mail.delete",
        Look("Deleted a letter", "items", "change", "mail-x"),
        undo=SENT,
        bulk_undo="all",
    ),
)
