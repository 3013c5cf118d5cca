"""Actions on redeem codes."""

from gamekeeper.ledger.kinds.mail import SENT
from gamekeeper.ledger.kinds.records import ActionKind, Look

CODES = (
    ActionKind(
        "codes.create",
        Look("Created a batch of codes", "system", "gain", "ticket"),
        instead="Revoke the batch.",
    ),
    ActionKind(
        "codes.download",
        Look("Downloaded the codes of a batch", "system", "plain", "ticket"),
        instead="Download the codes again before the batch is activated, or revoke the batch.",
    ),
    ActionKind(
        "codes.activate",
        Look("Activated a batch of codes", "system", "change", "ticket"),
        instead="Revoke the batch.",
    ),
    ActionKind(
        "codes.revoke",
        Look("Revoked codes", "system", "loss", "ticket-off"),
        instead="A revocation is final. Create another batch.",
    ),
    ActionKind(
        "codes.redeem",
        Look("Redeemed a code", "items", "gain", "ticket", series="gifts"),
        moment="code redeemed",
        undo=SENT,
        bulk_undo="all",
        accounts=("grant",),
    ),
)
