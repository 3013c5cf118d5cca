"""The account and the character of ``gamekeeper try``, used in the API's examples."""

from hashlib import sha256
from uuid import uuid4

from gamekeeper.api.openapi_text.examples import (
    PASSWORD,
    PLAYER,
    POTION,
    POUCH,
    SLAIN,
    USER,
    WARRIOR,
)
from gamekeeper.auth.secrets import Vault
from gamekeeper.db.database import Database
from gamekeeper.db.operations import COMMAND_LINE
from gamekeeper.players import attributes, characters, items, variables
from gamekeeper.players.attributes import Promotion
from gamekeeper.players.characters import Creation
from gamekeeper.players.items import Gift
from gamekeeper.players.variables import Setting
from gamekeeper.users import accounts
from gamekeeper.users.accounts import PowersChange, UserRegistration

BELONGINGS = {POTION: 20, POUCH: 1}


async def create(database: Database) -> None:
    """Create both with the public operations, which write history."""
    user, name = uuid4(), PLAYER.name
    secret = sha256(PASSWORD.encode()).digest()
    sealed = await Vault(database.settings, waits=True).hash(user, secret)
    account = UserRegistration(
        by=COMMAND_LINE, id=user, name=USER.name, email=USER.email, sealed=sealed
    )
    await accounts.register.one(database, account)
    await accounts.empower.one(database, PowersChange(by=COMMAND_LINE, user=USER.name, api=True))
    character = Creation(by=COMMAND_LINE, user_id=user, name=name, class_id=WARRIOR)
    await characters.create.one(database, character)
    level = Promotion(by=COMMAND_LINE, player=name, level=PLAYER.level)
    await attributes.set_level.one(database, level)
    for item, quantity in BELONGINGS.items():
        gift = Gift(by=COMMAND_LINE, player=name, item_id=item, quantity=quantity)
        await items.give.one(database, gift)
    slain = Setting(by=COMMAND_LINE, player=name, variable_id=SLAIN, value=41)
    await variables.assign.one(database, slain)
