"""Descriptions for the OpenAPI document that signatures cannot express."""

from importlib import resources

from gamekeeper.api.openapi_text.catalog import (
    CATALOG_EXAMPLES,
    CATALOG_FIELDS,
    CATALOG_PARAMETERS,
    OPTIONAL_NAMES,
)
from gamekeeper.api.openapi_text.characters import CHARACTER_EXAMPLES, CHARACTER_REFUSALS
from gamekeeper.api.openapi_text.errors import REFUSALS, UNLISTED
from gamekeeper.api.openapi_text.examples import (
    BAG,
    EXAMPLES,
    GIFT,
    PLAYER,
    POTION,
    SIGN_IN,
    SLAIN,
    USER,
)
from gamekeeper.api.openapi_text.info import INFO_EXAMPLES, INFO_FIELDS
from gamekeeper.api.openapi_text.schema_names import SCHEMA_NAMES
from gamekeeper.api.openapi_text.search import SEARCH_EXAMPLES, SEARCH_FIELDS
from gamekeeper.api.openapi_text.servers import SERVER, SERVER_EXAMPLES, SERVER_REFUSALS
from gamekeeper.api.openapi_text.trades import (
    TRADE_EXAMPLES,
    TRADE_FIELDS,
    TRADE_PARAMETERS,
    TRADE_REFUSALS,
)
from gamekeeper.api.openapi_text.webhooks import HOOK, SENT, WEBHOOK_FIELDS
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.idempotency import (
    AlreadyDone,
    IdempotencyKeyReused,
    InvalidIdempotencyKey,
    StillRunning,
)
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.openapi import Words
from gamekeeper.users import passwords

TAGS = {
    "players": "Characters: listed, ranked, looked up, renamed, deleted; their sheets, variables, "
    "items, bags and spells.",
    "users": "Accounts: listed, looked up, registered; their passwords, emails and characters.",
    "actions": "The log: every change anyone made, who made it, and why.",
    "events": "Everything that is done, told as it happens.",
    "webhooks": "Addresses that are told of events, signed as Standard Webhooks 1.0 says.",
    "catalog": "The items, spells, variables and classes of the game, with their names.",
    "economy": "How many of each item there are, where, and how they came and went.",
    "servers": "Game servers: their leases, and who plays on them.",
    "transactions": "Many changes to many characters, each transaction whole or not at all.",
    "info": "What clients of the ancestor ask first: the name, the limits and the state of the "
    "game.",
    "oauth": "Signing in, and ending what was signed in.",
    "health": "For those who run the service.",
}

PARAMETERS = {
    "players.key": ("A character's name, in any letter case, or its id.", PLAYER.name),
    "players.variable_id": ("The variable's id.", str(SLAIN)),
    "players.bag_id": ("The bag's id, from the `BagId` of an inventory slot.", str(BAG)),
    "users.key": ("A username, in any letter case, or a user id.", USER.name),
    "users.player": (
        "A character's name, id, or index among the account's characters: from 0, oldest first.",
        PLAYER.name,
    ),
    "actions.id": ("The action's id.", str(GIFT)),
    "webhooks.id": ("The webhook's id.", str(HOOK)),
    "webhooks.delivery_id": ("The delivery's id.", str(SENT)),
    "economy.item_id": ("The item's id.", str(POTION)),
    "servers.server_id": ("The server's id, from its registration.", str(SERVER)),
    "oauth.username": ("A username, in any letter case, or a user id.", USER.name),
    "oauth.sign_in": ("The `token_id` of the sign-in, or its refresh token.", str(SIGN_IN)),
    "oauth.token_id": ("The `token_id` that came with the token.", str(SIGN_IN)),
}

HASH = "The SHA-256 of the password: 64 hexadecimal digits without hyphens, in any letter case."

FIELDS = {
    "page": "The number of the page, from 0. Out of range, the nearest number in range is taken; "
    "past the end there are no records.",
    "pageSize": "How many records make a page. Out of 1 to 100, the nearest of them is taken, and "
    "the answer's `PageSize` says which.",
    "limit": "Shows only so many records of the page; the pages stay as they are. By default as "
    "many as `pageSize`, and never more.",
    "search": "Only names that begin with this or, if none does, contain it or, if none does, "
    "resemble it; 2 to 64 characters.",
    "AsOf.at": "An instant with its offset, such as `2026-03-14T18:22:05.5Z`: show what was then. "
    "What happened at exactly that instant counts as done; the future is like now.",
    "Reading.cursor": "Go on where a timeline ended: the `Next` of its answer.",
    "Reading.limit": "How many, 1 to 100; out of range, the nearest is taken.",
    "Between.from": "The first of the two instants, `2026-03-14T18:00:00Z` for example.",
    "Between.to": "The second of the two instants; by default now.",
    "RestoreItems.at": "The instant to compare with, `2026-03-14T18:00:00Z` for example.",
    "RestoreItems.slots": "Only what lay in these slots; without it, in any. JSON bodies only.",
    "RestoreItems.dryrun": "Whether only to show what would come back, and change nothing.",
    "Timeline": "Part of a character's timeline, newest first.",
    "Timeline.Next": "The `cursor` of what comes next; null at the end.",
    "Event.Postings": "Every slot that changed, in order.",
    "Posting.Seq": "The character's own count of postings, without gaps.",
    "Posting.Inside": "Which bag, if the place is one.",
    "Posting.Quantity": "How many came; negative if they went.",
    "Posting.Against": "Where they came from or went to: `grant`, `removal`, `import`, `demo`, "
    "`undo`, `restore` or `move`.",
    "Posting.BagId": "The bag that lay in the slot, if one did.",
    "Played.limit": "How many, 1 to 100; out of range, the nearest is taken.",
    "Played.before": "Only what began before this instant.",
    "Sessions": "Part of the sessions of a character, newest first.",
    "Sessions.Next": "The `before` of what comes next; null at the end.",
    "Session.LeftAt": "RFC 3339; null while it goes on.",
    "ItemChanges": "What differs between the two instants.",
    "ItemChange.Before": "How many were held at the first instant.",
    "ItemChange.After": "How many were held at the second instant.",
    "Restored.ActionId": "The action in the log; null if nothing was changed.",
    "Returned.FromPlace": "The place where it lay then.",
    "Returned.FromSlot": "The slot where it lay then.",
    "reason": "Why, for the audit log; the header `X-Reason` says it too.",
    "sortDirection": "Which way to sort. Understood in any letter case, and as `0` (ascending) or "
    "`1` (descending).",
    "LegacyPaging.count": "How many records make a page. Out of 1 to 100, the nearest is taken.",
    "SetVariable.value": "The value, of the type the variable was declared with.",
    "itemid": "The item's id.",
    "quantity": "How many, at least 1.",
    "bankoverflow": "Whether what does not fit into the inventory goes to the bank.",
    "spellid": "The spell's id.",
    "Register.username": "2 to 20 letters or digits of any script, at least one of them a letter, "
    "with single `-` or `_` between them.",
    "Register.password": HASH,
    "Register.email": "The email address; each belongs to one account at most.",
    "ValidatePassword.password": HASH,
    "ChangeEmail.new": "The new email address.",
    "ChangeEmail.authorization": "The current password. " + HASH,
    "ChangePassword.new": "The new password. " + HASH,
    "ChangePassword.authorization": "The current password. " + HASH,
    "ManageEmail.new": "The new email address.",
    "ManagePassword.new": "The new password. " + HASH,
    "CompleteReset.new": "The new password. " + HASH,
    "CompleteReset.token": "The token of the mailed link; then no username and code are needed.",
    "CompleteReset.username": "Whose password it is, together with `code`.",
    "CompleteReset.code": "The mailed code, with or without its hyphen, in any letter case.",
    "TokenRequest.grant_type": "`password` or `refresh_token`.",
    "TokenRequest.username": "For `password`: the username.",
    "TokenRequest.password": "For `password`. " + HASH,
    "TokenRequest.refresh_token": "For `refresh_token`: the latest refresh token; it is good once.",
    "RevokeRequest.token": "An access token or a refresh token.",
    "ActionFilters.actor": "Only what this one did: `key:<id>`, `user:<id>`, `cli:<name>` or "
    "`system`; or a name, for all who have it: an account, a key, somebody at the command line.",
    "ActionFilters.player": "Only what was done to this character: its name or id.",
    "ActionFilters.user": "Only what was done to this account: its name or id.",
    "ActionFilters.kind": "Only actions of this kind, `items.give` for example.",
    "ActionFilters.item": "Only what was done with this item: its id.",
    "ActionFilters.from": "Only what was done at this instant or later, "
    "`2026-03-14T18:00:00Z` for example.",
    "ActionFilters.to": "Only what was done at this instant or earlier.",
    "ActionFilters.cursor": "Go on where a list ended: the `Next` of its answer.",
    "ActionFilters.limit": "How many, 1 to 100; out of range, the nearest is taken.",
    "Entries": "Part of the log, newest first.",
    "Entries.Next": "The `cursor` of what comes next; null at the end.",
    "Entry.At": "RFC 3339.",
    "Entry.Kind": "What was done: `items.give`, `users.email`, `undo` and so on.",
    "Entry.Actor": "The credential that was used: `key:<id>` or `user:<id>`; `system` for the "
    "command line, or `cli:<name>` if somebody there claimed a name, which is not authenticated.",
    "Entry.ActorName": "What the key or account was called then.",
    "Entry.Before": "What was there; its form depends on `Kind`. Never a secret.",
    "Entry.After": "What was there afterwards.",
    "Entry.Reason": "Why, in the caller's words: `X-Reason`, or `reason` in the body.",
    "Entry.Address": "Where the caller called from; empty if from this machine's command line. "
    "Null for callers without `users.personal`.",
    "Entry.Undoes": "The action that this one undid.",
    "Entry.UndoneBy": "The action that undid this one and was not itself undone.",
    "EventFilters.after": "Go on after this event: the `Next` of a page, or the last `Seq`. "
    "`latest` begins with what happens from now on; without it, the oldest event still told is the "
    "first. A header `Last-Event-ID` counts more.",
    "EventFilters.kinds": "Only events of these kinds, with commas: `items.give,items.take`.",
    "EventFilters.player": "Only what is done to this character: its name or id.",
    "EventFilters.server": "Only what is done to the characters on this game server: its id.",
    "EventFilters.wait": "How many seconds to wait for something to tell, 0 to 30.",
    "EventFilters.limit": "How many, 1 to 1000; out of range, the nearest is taken.",
    "EventEntries": "Events, oldest first.",
    "EventEntries.Next": "The `after` of what comes next.",
    "EventEntry": "An action, told when it was done.",
    "EventEntry.Seq": "The event's id: by one more than that of the event before it.",
    "EventEntry.UndoneBy": "Always null: what undoes it is an event of its own.",
    "UndoAction.dryrun": "Whether only to say what would happen; nothing is written.",
    "UndoAction.partial": "Whether to do what can be done if something is in the way.",
    "UndoActor.actor": "Whose actions: `key:<id>`, `user:<id>` or `system`, as the log says it.",
    "UndoActor.from": "The first instant, `2026-03-14T18:00:00Z` for example.",
    "UndoActor.to": "The last instant.",
    "UndoActor.dryrun": "Whether only to count what would become of them; nothing is written.",
    "UndoActor.partial": "Whether of each to do what can be done if something is in the way.",
    "UndoActor.cursor": "Go on where another call ended: the `Next` of its answer.",
    "Undone": "What an undo did or, in a dry run, would do.",
    "Undone.Id": "The undo's own id, by which it can be undone; null in a dry run.",
    "Undone.Undoes": "The action that was undone.",
    "Undone.Kind": "Of the action that was undone.",
    "Undone.Complete": "Whether all of it was undone; only with `partial` it may be false.",
    "Change.Id": "The item's, spell's or variable's id.",
    "Change.Name": "The power's name.",
    "Change.Quantity": "How many came back, or were taken if negative.",
    "Change.Before": "Of a variable, a power or an email, which is shown masked.",
    "Obstacle.Reason": "What is in the way.",
    "Obstacle.Wanted": "How many items should have been taken or given back.",
    "Obstacle.Possible": "How many of them can be.",
    "Obstacle.Expected": "What the action had left there.",
    "Obstacle.Found": "What is there now.",
    "Swept": "What became of everything an actor did.",
    "Swept.Next": "The `cursor` for the next call; null at the end.",
    "Swept.Left": "What was not undone, or not all of it.",
    "Tally.Found": "Between the two instants, whether this call came to them or not.",
    "Tally.Partly": "Only a part of it could be undone.",
    "Tally.AlreadyUndone": "Undone before.",
    "Tally.Covered": "The actor's undos of what is undone now itself: nothing is left to do.",
    "Tally.Left": "Not undone; `Left` says why.",
    "Left.Code": "The code of the refusal, or `partly_undone`.",
    "Player.InBank": "The bank window is open; only ever true while online.",
    "Player.MaxVitals": "Health, mana.",
    "Player.Vitals": "Health, mana.",
    "Player.BaseStats": "Attack, ability power, defense, magic resist, speed.",
    "Player.StatPointAllocations": "As `BaseStats`.",
    "Player.Equipment": "For each equipment slot the inventory slot worn in it, or -1.",
    "Player.ExperienceToNextLevel": "-1 at the highest level.",
    "Player.LastOnline": "RFC 3339. While online, since when; else until when; if it "
    "never played, when it was made.",
    "Player.PlayTimeSeconds": "With the time since it joined, while online.",
    "Player.CreationDate": "RFC 3339.",
    "CreatePlayer.name": "2 to 20 letters or digits of one script, at least one of them a letter, "
    "with single spaces, `-`, `'` or `_` between them.",
    "RenamePlayer.name": "The new name, as `name` of a new character.",
    "classid": "The class's id.",
    "gender": "As the game has it, 0 to 255.",
    "mapid": "The map it is on.",
    "mapname": "What the map is called; at most 255 characters.",
    "x": "Where it stands on the map.",
    "y": "Where it stands on the map.",
    "z": "Where it stands on the map.",
    "sprite": "The file of its sprite; at most 255 characters.",
    "face": "The file of its face; at most 255 characters.",
    "statpoints": "Points that are not spent yet.",
    "dir": "Which way it looks, 0 to 255.",
    "namecolor": "`#RRGGBB` or `#AARRGGBB`; empty for the game's own choice.",
    "DeletePlayer.server": "The game server that deletes it, if it plays there.",
    "SetLevel.level": "At least 1; above the highest of the class, the highest is taken.",
    "SheetBody.vitals": "Health, mana; neither above its `maxvitals`. JSON bodies only.",
    "SheetBody.maxvitals": "Health, mana; `vitals` fall with them. JSON bodies only.",
    "SheetBody.basestats": "Attack, ability power, defense, magic resist, speed. JSON bodies only.",
    "SheetBody.statpointallocations": "As `basestats`. JSON bodies only.",
    "SheetBody.equipment": "For each equipment slot, at most 32, the inventory slot worn in it, or "
    "-1. JSON bodies only.",
    "Sheet": "Where a character is, what it looks like, and what it is made of.",
    "Sheet.Vitals": "Health, mana.",
    "Sheet.MaxVitals": "Health, mana.",
    "Sheet.BaseStats": "Attack, ability power, defense, magic resist, speed.",
    "Sheet.StatPointAllocations": "As `BaseStats`.",
    "Sheet.Equipment": "For each equipment slot the inventory slot worn in it, or -1.",
    "Sheet.NameColor": "`#AARRGGBB`, or empty.",
    "Slot": "One numbered place for items, empty or not.",
    "ApiPower": "What an account may do, as the two changes of an email show it.",
    "Slot.BagId": "The bag that lies in this slot of the inventory, if one does; else null.",
    "Slot.ItemId": "All zero, with `Quantity` 0, if the slot is empty.",
    "Slot.StatBuffs": "Attack, ability power, defense, magic resist, speed.",
    "User.Email": "In full to callers that may see personal information, else masked.",
    "User.PasswordResetCode": "Always null: it is a secret.",
    "ChangedUser.PasswordResetCode": "Always null: it is a secret.",
    "ResetAsked.Delivery": "Whether a mail is on its way, was sent less than 5 minutes ago, or "
    "cannot be sent because the server has no mail settings.",
    "TokenAnswer.expires_in": "Seconds.",
    "TokenAnswer..issued": "RFC 1123.",
    "TokenAnswer..expires": "RFC 1123.",
    "TokenAnswer.token_id": "Names this sign-in; it stays the same when tokens are refreshed, "
    "unless the sign-in was shared.",
    "TokenRefusal.error": "As RFC 6749 names it.",
    "Days.days": "How many, 1 to 366, today included; out of range, the nearest is taken.",
    "ItemEconomy": "An item: how many there are, and where they came from and went.",
    "ItemEconomy.Flows": "By day, newest first, and by source.",
    "ItemEconomy.Holders": "The ten who have most of it.",
    "Flow.Day": "In UTC.",
    "Flow.Source": "`grant`, `removal`, `import`, `demo`, `undo`, `restore` or `move`.",
    "Holder.Name": "Null if the character is no more.",
    "Holder.Quantity": "In the inventory, the bank and bags together.",
    "fence": "The fencing number that came with the lease.",
    "RegisterServer.name": "1 to 64 characters. Whoever registers under the name of a server takes "
    "its place.",
    "RegisterServer.id": "The id the server had before, or shall have; without it, that of the "
    "server of this name, or a new one.",
    "PlayersOfServer.players": "Names or ids of characters, at most 1,000. JSON bodies only.",
    "VisitBank.opened": "Whose bank window is open now. JSON bodies only.",
    "VisitBank.closed": "Whose bank window is closed now. JSON bodies only.",
    "Transactions.transactions": "At most 100, each with a `key` of its own, `moves` (at most 50) "
    "and perhaps `expected`, the `seq` that characters must have. JSON bodies only.",
    "Transactions.server": "The game server it is done for; without it, for nobody.",
    "Transactions.fence": "The fencing number of that server's lease.",
    "TransactionOutcome.Status": "As if it had been a request of its own: 200 if it was done.",
    "TransactionOutcome.Replayed": "Whether it was done, or refused, before.",
    "TransactionOutcome.Failure": "Why nothing of it was done.",
    "Stood.Seq": "The number of the character's last posting in the ledger.",
    "OverTime.span": "`minute` (kept for 8 days), `hour` (2 years) or `day` (always).",
    "OverTime.from": "The first instant, `2026-03-14T18:00:00Z` for example.",
    "OverTime.to": "The last instant; by default now.",
    "Lease": "A server's place, as long as it is renewed.",
    "Lease.Fence": "To be sent with everything the server does.",
    "Lease.HeartbeatSeconds": "How often to renew the lease.",
    "Server.Alive": "Whether its lease is; if not, nobody is online on it.",
    "Server.LeaseUntil": "RFC 3339; null if it never ends.",
    "Joining": "Who is on the server now.",
    "Joining.Unknown": "What is nobody's name or id.",
    "Joined.Seq": "The number of the character's last posting in the ledger; 0 if it has none.",
    "Joined.MovedFrom": "The server it was on until now.",
    "Changed": "For how many it was done.",
    "Changed.NotHere": "Those who are not on the server.",
    "OnlineThen.At": "When the minute, hour or day (in UTC) began.",
    "Readiness.replica": "`away` if there is one and everything is read from the primary.",
}

HASHES = [name for name, meaning in FIELDS.items() if meaning.endswith(HASH)]
PATTERNS = dict.fromkeys(HASHES, f"^{passwords.HASH.pattern}$")

WORDS = Words(
    introduction=(resources.files("gamekeeper.api") / "static" / "introduction.md").read_text(
        "utf-8"
    ),
    tags=TAGS,
    parameters=PARAMETERS | TRADE_PARAMETERS | CATALOG_PARAMETERS,
    fields=FIELDS
    | WEBHOOK_FIELDS
    | INFO_FIELDS
    | TRADE_FIELDS
    | SEARCH_FIELDS
    | CATALOG_FIELDS
    | OPTIONAL_NAMES
    | {"NamedAsOf.at": FIELDS["AsOf.at"]},
    patterns=PATTERNS,
    examples=EXAMPLES
    | CHARACTER_EXAMPLES
    | SERVER_EXAMPLES
    | INFO_EXAMPLES
    | TRADE_EXAMPLES
    | SEARCH_EXAMPLES
    | CATALOG_EXAMPLES,
    refusals=REFUSALS | CHARACTER_REFUSALS | SERVER_REFUSALS | TRADE_REFUSALS,
    optional=frozenset(OPTIONAL_NAMES),
    stores=frozenset({Database, Reader}),
    context=AuditContext,
    repeated=(InvalidIdempotencyKey, StillRunning, AlreadyDone, IdempotencyKeyReused),
    own_keys=frozenset({"execute_transactions"}),
    codes=UNLISTED,
    names=SCHEMA_NAMES,
)
