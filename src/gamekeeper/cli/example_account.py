"""The account and the character of ``gamekeeper try``, used in the API's examples."""

from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID, uuid4

from gamekeeper.api.example_world import (
    EMAIL,
    LEVEL,
    PASSWORD,
    PLAYER,
    POTION,
    POUCH,
    SLAIN,
    USER,
    WARRIOR,
)
from gamekeeper.auth.secrets import Vault
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import COMMAND_LINE
from gamekeeper.demo.story import dates
from gamekeeper.players import attributes, characters, items, variables
from gamekeeper.players.attributes import Promotion
from gamekeeper.players.characters import Creation
from gamekeeper.players.items import Gift
from gamekeeper.players.variables import Setting
from gamekeeper.users import accounts
from gamekeeper.users.accounts import PowersChange, UserRegistration

BELONGINGS = {POTION: 20, POUCH: 1}


async def create(database: Database, began: datetime | None = None) -> None:
    """Create both with the public operations, which write history; long ago, if `began`."""
    user = uuid4()
    secret = sha256(PASSWORD.encode()).digest()
    sealed = await Vault(database.settings, waits=True).hash(user, secret)

    async def work(writer: Writer) -> None:
        await _create(writer, user, sealed)
        if began:
            await dates.backdate(writer, dates.evenly(began, began + timedelta(minutes=40)))

    await database.write(work)


async def _create(writer: Writer, user: UUID, sealed: str) -> None:
    account = UserRegistration(by=COMMAND_LINE, id=user, name=USER, email=EMAIL, sealed=sealed)
    await accounts.register.one(writer, account)
    await accounts.empower.one(writer, PowersChange(by=COMMAND_LINE, user=USER, api=True))
    character = Creation(by=COMMAND_LINE, user_id=user, name=PLAYER, class_id=WARRIOR)
    await characters.create.one(writer, character)
    level = Promotion(by=COMMAND_LINE, player=PLAYER, level=LEVEL)
    await attributes.set_level.one(writer, level)
    for item, quantity in BELONGINGS.items():
        gift = Gift(by=COMMAND_LINE, player=PLAYER, item_id=item, quantity=quantity)
        await items.give.one(writer, gift)
    slain = Setting(by=COMMAND_LINE, player=PLAYER, variable_id=SLAIN, value=41)
    await variables.assign.one(writer, slain)
