"""What the words of the contract mean, for the documents: what no signature can say."""

from importlib import resources

from gamekeeper.api.examples import BAG, EXAMPLES, KARMA, PLAYER, REFUSALS, SIGN_IN, USER
from gamekeeper.openapi import Words
from gamekeeper.users import passwords

TAGS = {
    "players": "Characters: listed, ranked, looked up; their variables, items, bags and spells.",
    "users": "Accounts: listed, looked up, registered; their passwords, emails and characters.",
    "oauth": "Signing in, and ending what was signed in.",
    "health": "For those who run the service.",
}

PARAMETERS = {
    "players.key": ("A character's name, in any letter case, or its id.", PLAYER.name),
    "players.variable_id": ("The variable's id.", str(KARMA)),
    "players.bag_id": ("The bag's id, from the `BagId` of an inventory slot.", str(BAG)),
    "users.key": ("A username, in any letter case, or a user id.", USER.name),
    "users.player": (
        "A character's name, id, or index among the account's characters: from 0, oldest first.",
        PLAYER.name,
    ),
    "oauth.username": ("A username, in any letter case, or a user id.", USER.name),
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
    "search": "Only names that begin with this or, if none does, resemble it; 2 to 64 characters.",
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
    "Player.InBank": "The bank window is open; only ever true while online.",
    "Player.MaxVitals": "Health, mana.",
    "Player.Vitals": "Health, mana.",
    "Player.BaseStats": "Attack, ability power, defense, magic resist, speed.",
    "Player.StatPointAllocations": "As `BaseStats`.",
    "Player.Equipment": "For each equipment slot the inventory slot worn in it, or -1.",
    "Player.ExperienceToNextLevel": "-1 at the highest level.",
    "Player.LastOnline": "RFC 3339; null if never online.",
    "Player.CreationDate": "RFC 3339.",
    "Slot": "One numbered place for items, empty or not.",
    "ApiPower": "What an account may do, as the two changes of an email show it.",
    "Slot.BagId": "The bag that lies in this slot, if one does.",
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
    "TokenAnswer.token_id": "Names this sign-in; it stays the same when tokens are refreshed.",
    "TokenRefusal.error": "As RFC 6749 names it.",
}

HASHES = [name for name, meaning in FIELDS.items() if meaning.endswith(HASH)]
PATTERNS = dict.fromkeys(HASHES, f"^{passwords.HASH.pattern}$")

WORDS = Words(
    introduction=(resources.files("gamekeeper") / "pages" / "introduction.md").read_text("utf-8"),
    tags=TAGS,
    parameters=PARAMETERS,
    fields=FIELDS,
    patterns=PATTERNS,
    examples=EXAMPLES,
    refusals=REFUSALS,
)
