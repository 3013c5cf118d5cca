"""Actions on staff: roles, keys, sign-ins, second factors and approvals."""

from gamekeeper.ledger.kinds.records import ActionKind, Look

STAFF = (
    ActionKind(
        "roles.create",
        Look("Created a role", "staff", "gain", "shield"),
        instead="Creating a role cannot be undone. Delete the role.",
    ),
    ActionKind(
        "roles.change",
        Look("Changed a role", "staff", "change", "shield"),
        instead="Change the role back.",
    ),
    ActionKind(
        "roles.delete",
        Look("Deleted a role", "staff", "loss", "shield-off"),
        instead="Create the role again.",
    ),
    ActionKind(
        "staff.grant",
        Look("Granted a role", "staff", "gain", "user-check"),
        instead="Remove the role instead.",
    ),
    ActionKind(
        "staff.withdraw",
        Look("Removed a role", "staff", "loss", "user-minus"),
        instead="Grant the role again.",
    ),
    ActionKind(
        "staff.invite",
        Look("Invited to the staff", "staff", "gain", "user-plus"),
        instead="Revoke the invitation, or remove the role that it gave.",
    ),
    ActionKind(
        "staff.uninvite",
        Look("Revoked an invitation", "staff", "loss", "user-x"),
        instead="Revoking an invitation cannot be undone. Create a new one.",
    ),
    ActionKind(
        "keys.create",
        Look("Created an API key", "staff", "gain", "key"),
        instead="Creating a key cannot be undone. Revoke the key.",
    ),
    ActionKind(
        "keys.revoke",
        Look("Revoked an API key", "staff", "loss", "key-off"),
        instead="Revoking a key cannot be undone. Create a new key.",
    ),
    ActionKind(
        "sessions.start",
        Look("Signed in", "staff", "plain", "login-2"),
        instead="A sign-in cannot be undone. End the session.",
        intersect="Login",
    ),
    ActionKind(
        "sessions.end",
        Look("Ended a session", "staff", "plain", "logout-2"),
        instead="Ending a session cannot be undone. Sign in again.",
        intersect="Logout",
    ),
    ActionKind(
        "sessions.link",
        Look("Created a sign-in link", "staff", "plain", "login-2"),
        instead="A link expires by itself. End the sessions that it started.",
    ),
    ActionKind(
        "factors.add",
        Look("Added a second factor", "staff", "gain", "device-mobile"),
        instead="Remove the second factor instead.",
    ),
    ActionKind(
        "factors.remove",
        Look("Removed a second factor", "staff", "loss", "device-mobile"),
        instead="Removing a second factor cannot be undone. Enrol it again.",
    ),
    ActionKind(
        "factors.reset",
        Look("Reset second factors", "staff", "loss", "device-mobile"),
        instead="Removing second factors cannot be undone. Enrol them again.",
    ),
    ActionKind(
        "approvals.request",
        Look("Requested approval", "staff", "plain", "hourglass"),
        instead="A request cannot be undone. Have it rejected, or let it expire.",
    ),
    ActionKind(
        "approvals.approve",
        Look("Approved a change", "staff", "gain", "circle-check"),
        instead="Undo the approved change.",
    ),
    ActionKind(
        "approvals.reject",
        Look("Rejected a change", "staff", "loss", "circle-x"),
        instead="Request the change again.",
    ),
)
