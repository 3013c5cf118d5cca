"""Actions on the installation and the game as a whole, and undos."""

from gamekeeper.ledger.kinds.records import ActionKind, Look, Undo

SYSTEM = (
    ActionKind(
        "game.variable",
        Look("Set a game variable", "state", "change", "variable"),
        undo=Undo("owned_variable", scopes=("players.variables",)),
        concerns_servers=True,
    ),
    ActionKind(
        "servers.register",
        Look("Registered a server", "servers", "plain", "server-2"),
        instead="Stop the server instead.",
    ),
    ActionKind(
        "servers.stop",
        Look("Stopped a server", "servers", "plain", "server-off"),
        instead="Register the server again.",
    ),
    ActionKind(
        "webhooks.create",
        Look("Created a webhook", "system", "gain", "webhook"),
        instead="Creating a webhook cannot be undone. Delete the webhook.",
    ),
    ActionKind(
        "webhooks.change",
        Look("Changed a webhook", "system", "change", "webhook"),
        instead="Old secrets are not stored. Change the webhook again.",
    ),
    ActionKind(
        "webhooks.remove",
        Look("Deleted a webhook", "system", "loss", "webhook"),
        instead="Deleting a webhook cannot be undone. Create a new one.",
    ),
    ActionKind(
        "openid.create",
        Look("Created an OpenID client", "system", "gain", "id-badge-2"),
        instead="Delete the OpenID client.",
    ),
    ActionKind(
        "openid.change",
        Look("Changed an OpenID client", "system", "change", "id-badge-2"),
        instead="Old secrets are not stored. Change the OpenID client again.",
    ),
    ActionKind(
        "openid.remove",
        Look("Deleted an OpenID client", "system", "loss", "id-badge-2"),
        instead="Deleting an OpenID client cannot be undone. Create a new one.",
    ),
    ActionKind(
        "findings.open",
        Look("Found an unusual increase", "system", "plain", "trending-up"),
        instead="A finding cannot be undone. Acknowledge it.",
    ),
    ActionKind(
        "findings.acknowledge",
        Look("Acknowledged a finding", "system", "plain", "circle-check"),
        instead="A finding stays acknowledged. Its note is in the audit log.",
    ),
    ActionKind(
        "rules.change",
        Look("Changed an economy rule", "system", "change", "ruler"),
        instead="Change the rule back.",
    ),
    ActionKind(
        "rules.remove",
        Look("Deleted an economy rule", "system", "loss", "ruler"),
        instead="Create the rule again.",
    ),
    ActionKind(
        "campaigns.create",
        Look("Created a campaign", "system", "gain", "speakerphone"),
        instead="Stop the campaign.",
    ),
    ActionKind(
        "campaigns.start",
        Look("Started a campaign", "system", "change", "speakerphone"),
        instead="Reverse the campaign.",
    ),
    ActionKind(
        "campaigns.pause",
        Look("Paused a campaign", "system", "plain", "speakerphone"),
        instead="Resume the campaign.",
    ),
    ActionKind(
        "campaigns.resume",
        Look("Resumed a campaign", "system", "plain", "speakerphone"),
        instead="Pause the campaign.",
    ),
    ActionKind(
        "campaigns.stop",
        Look("Stopped a campaign", "system", "loss", "speakerphone"),
        instead="Create another campaign.",
    ),
    ActionKind(
        "campaigns.finish",
        Look("Finished a campaign", "system", "plain", "speakerphone"),
        instead="Reverse the campaign.",
    ),
    ActionKind(
        "campaigns.reverse",
        Look("Reversed a campaign", "system", "back", "speakerphone"),
        instead="Create another campaign.",
    ),
    ActionKind(
        "campaigns.take",
        Look("Took back items of a campaign", "items", "loss", "speakerphone", series="gifts"),
        moment="campaign reversed",
        instead="Give the items instead.",
        accounts=("refund",),
    ),
    ActionKind(
        "schedules.create",
        Look("Created a schedule", "system", "gain", "calendar"),
        instead="Delete the schedule.",
    ),
    ActionKind(
        "schedules.pause",
        Look("Paused a schedule", "system", "plain", "calendar"),
        instead="Resume the schedule.",
    ),
    ActionKind(
        "schedules.resume",
        Look("Resumed a schedule", "system", "plain", "calendar"),
        instead="Pause the schedule.",
    ),
    ActionKind(
        "schedules.skip",
        Look("Skipped a run of a schedule", "system", "loss", "calendar"),
        instead="Start a campaign.",
    ),
    ActionKind(
        "schedules.run",
        Look("Ran a schedule", "system", "change", "calendar"),
        instead="Reverse the campaign.",
    ),
    ActionKind(
        "schedules.delete",
        Look("Deleted a schedule", "system", "loss", "calendar"),
        instead="Create another schedule.",
    ),
    ActionKind(
        "segments.change",
        Look("Changed a segment", "system", "change", "filter"),
        instead="Change the segment back.",
    ),
    ActionKind(
        "segments.remove",
        Look("Deleted a segment", "system", "loss", "filter"),
        instead="Create the segment again.",
    ),
    ActionKind(
        "segment_lists.add",
        Look("Added names to a list", "system", "gain", "list"),
        instead="Delete the list and upload it again.",
    ),
    ActionKind(
        "segment_lists.remove",
        Look("Deleted a list of names", "system", "loss", "list"),
        instead="Upload the list again.",
    ),
    ActionKind(
        "catalog.import",
        Look("Imported the catalog", "system", "change", "file-import"),
        instead="Import the previous catalog again.",
    ),
    ActionKind(
        "demo.fill",
        Look("Filled the demo world", "system", "plain", "seeding"),
        moment="demo world created",
        instead="Filling the demo world cannot be undone. Create another database.",
        accounts=("demo",),
        is_bulk_load=True,
    ),
    ActionKind(
        "ledger.open",
        Look("Started the ledger", "system", "plain", "database"),
        moment="ledger started",
        instead="The action only records the state at the start of the ledger.",
        accounts=("import",),
        is_bulk_load=True,
    ),
    ActionKind(
        "ledger.drop",
        Look("Deleted old history", "system", "loss", "database"),
        instead="Dropped history exists only in backups.",
    ),
    ActionKind(
        "ledger.verify",
        Look("Verified the ledger", "system", "plain", "list-check"),
        instead="A verification changes nothing.",
    ),
    ActionKind(
        "database.backup",
        Look("Backed up the database", "system", "plain", "database"),
        instead="A backup changes nothing. Delete the backup files if you do not want them.",
    ),
    ActionKind(
        "database.restore",
        Look("Restored a backup", "system", "back", "database"),
        instead="Changes made after the backup are gone. Restore another backup.",
    ),
    ActionKind(
        "undo",
        Look("Undid an action", "undo", "back", "arrow-back-up", series="undo"),
        moment="action undone",
        undo=Undo("inherited"),
        accounts=("undo", "move", "guild"),
    ),
)
