"""Actions on staff: roles, keys, sign-ins, second factors and approvals."""

from gamekeeper.ledger.kinds.records import ActionKind, Look

STAFF = (
    ActionKind(
        "roles.create",
        Look("Made a role", "staff", "gain", "shield"),
        instead="A role is not unmade; delete it.",
    ),
    ActionKind(
        "roles.change",
        Look("Changed a role", "staff", "change", "shield"),
        instead="Change the role back.",
    ),
    ActionKind(
        "roles.delete",
        Look("Deleted a role", "staff", "loss", "shield-off"),
        instead="Make the role again.",
    ),
    ActionKind(
        "staff.grant",
        Look("Gave a role", "staff", "gain", "user-check"),
        instead="Withdraw the role instead.",
    ),
    ActionKind(
        "staff.withdraw",
        Look("Withdrew a role", "staff", "loss", "user-minus"),
        instead="Give the role again.",
    ),
    ActionKind(
        "keys.create",
        Look("Made an API key", "staff", "gain", "key"),
        instead="A key is not unmade; revoke it.",
    ),
    ActionKind(
        "keys.revoke",
        Look("Revoked an API key", "staff", "loss", "key-off"),
        instead="A revoked key stays revoked; make a new one.",
    ),
    ActionKind(
        "sessions.start",
        Look("Signed in", "staff", "plain", "login-2"),
        instead="A sign-in is not unmade; end the session.",
        intersect="Login",
    ),
    ActionKind(
        "sessions.end",
        Look("Ended a session", "staff", "plain", "logout-2"),
        instead="An ended session stays ended; sign in again.",
        intersect="Logout",
    ),
    ActionKind(
        "sessions.link",
        Look("Made a sign-in link", "staff", "plain", "login-2"),
        instead="A link ends by itself; end the sessions that it began.",
    ),
    ActionKind(
        "factors.add",
        Look("Added a second factor", "staff", "gain", "device-mobile"),
        instead="Remove the second factor instead.",
    ),
    ActionKind(
        "factors.remove",
        Look("Removed a second factor", "staff", "loss", "device-mobile"),
        instead="A removed second factor is gone; enrol it again.",
    ),
    ActionKind(
        "factors.reset",
        Look("Reset second factors", "staff", "loss", "device-mobile"),
        instead="Removed second factors are gone; enrol them again.",
    ),
    ActionKind(
        "approvals.request",
        Look("Asked for approval", "staff", "plain", "hourglass"),
        instead="A request is not unmade; have it rejected, or let it expire.",
    ),
    ActionKind(
        "approvals.approve",
        Look("Approved a change", "staff", "gain", "circle-check"),
        instead="Undo what was approved.",
    ),
    ActionKind(
        "approvals.reject",
        Look("Rejected a change", "staff", "loss", "circle-x"),
        instead="Request it again.",
    ),
)
