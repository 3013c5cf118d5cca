"""A small world that was made by the service, linked and anchored, to be tampered with."""

from uuid import UUID, uuid4

from msgspec import Struct

from gamekeeper.auth import keys
from gamekeeper.auth.keys import NewKey
from gamekeeper.catalog import game_variables
from gamekeeper.catalog.game_variables import GameVariableSetting
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.db.idempotency import IdempotencyKey
from gamekeeper.db.operations import AuditContext
from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import Undoing
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.players import attributes, characters, items, spells, variables
from gamekeeper.players.attributes import SheetSaving
from gamekeeper.players.characters import Creation, Deletion
from gamekeeper.players.items import Gift, Taking
from gamekeeper.players.moves import Advance, Endpoint, MoveItems
from gamekeeper.players.sheet import SheetChange
from gamekeeper.players.spells import Lesson
from gamekeeper.players.variables import Setting
from gamekeeper.servers.transactions import Transaction, transact
from gamekeeper.users import accounts
from gamekeeper.users import variables as user_variables
from gamekeeper.users.accounts import PowersChange, UserRegistration
from gamekeeper.users.variables import UserVariableSetting
from tests.ledger.chains import link_and_anchor
from tests.make import BY, KNIGHT, make_item, make_player, make_spell, make_user, make_variable


class World(Struct, kw_only=True):
    """
    Who and what there is, by name, for statements to be filled in with.

    Ana was given potions twice and some were taken, she passed some on to Bob, and one of
    her gifts was undone. She has a level, a spell, a variable; Cid has none of these.
    """

    ana: UUID
    bob: UUID
    cid: UUID
    potion: UUID
    other: UUID
    spell: UUID
    variable: UUID
    votes: UUID
    season: UUID
    user: UUID


async def make(database: Database, settings: Settings) -> World:
    world = World(
        ana=await make_player(database),
        bob=await make_player(database),
        cid=await make_player(database),
        potion=await make_item(database, inventory_stack=1000, bank_stack=1000),
        other=await make_item(database),
        spell=await make_spell(database),
        variable=await make_variable(database),
        votes=await make_variable(database, owner="user"),
        season=await make_variable(database, owner="game"),
        user=uuid4(),
    )
    await _hold(database, world)
    await link_and_anchor(database, settings)
    await _advance(database, world)
    await _register(database, world)
    await _come_and_go(database)
    await link_and_anchor(database, settings)
    await _repeat(database, world)
    await link_and_anchor(database, settings)
    return world


async def _hold(database: Database, world: World) -> None:
    for player in (world.ana, world.bob, world.cid):
        for quantity in (4, 16):
            key = IdempotencyKey(caller="key:1", key=uuid4().hex, fingerprint=b"f" * 32)
            by = AuditContext(actor="key:1", name="shop", reason="a prize", key=key)
            gift = Gift(by=by, player=str(player), item_id=world.potion, quantity=quantity)
            await items.give.one(database, gift)
    taking = Taking(by=BY, player=str(world.ana), item_id=world.potion, quantity=6)
    await items.take.one(database, taking)
    await _gift_undone(database, world)


async def _gift_undone(database: Database, world: World) -> None:
    gift = Gift(by=BY, player=str(world.ana), item_id=world.other, quantity=3)
    await items.give.one(database, gift)
    [action] = await database.reader.rows("SELECT id FROM actions WHERE item_id = $1", world.other)
    undo = Undoing(by=BY, action_id=action["id"])
    await execute.undo.one(database, undo)


async def _advance(database: Database, world: World) -> None:
    moves = [
        Advance(player=str(world.ana), level=7, exp=700, gain=None),
        MoveItems(
            item_id=world.potion,
            quantity=2,
            source=Endpoint(player=str(world.ana)),
            target=Endpoint(player=str(world.bob)),
        ),
    ]
    await transact.one(database, Transaction(by=BY, holder=None, expected=[], moves=moves))
    lesson = Lesson(by=BY, player=str(world.ana), spell_id=world.spell)
    await spells.teach.one(database, lesson)
    for value in (1, 5):
        setting = Setting(by=BY, player=str(world.ana), variable_id=world.variable, value=value)
        await variables.assign.one(database, setting)


async def _register(database: Database, world: World) -> None:
    registration = UserRegistration(
        by=BY, id=world.user, name="Dora", email="dora@example.com", sealed="sealed"
    )
    await accounts.register.one(database, registration)
    await accounts.empower.one(database, PowersChange(by=BY, user="Dora", kick=True))
    voted = UserVariableSetting(by=BY, user="Dora", variable_id=world.votes, value=5)
    await user_variables.assign.one(database, voted)
    snowy = GameVariableSetting(by=BY, variable_id=world.season, value=5)
    await game_variables.assign.one(database, snowy)
    for name, scopes in (("shop", ("players.items",)), ("gone", None)):
        await keys.create.one(database, NewKey(by=BY, name=name, scopes=scopes))
    await keys.revoke.one(database, keys.Revocation(by=BY, key="gone"))


async def _come_and_go(database: Database) -> None:
    """One character that stays, with a saved sheet, and one that is deleted."""
    for name in ("Eve", "Fay"):
        user = await make_user(database)
        order = Creation(by=BY, user_id=user, name=name, class_id=KNIGHT)
        await characters.create.one(database, order)
    await attributes.save_sheets.one(
        database, SheetSaving(by=BY, player="Eve", change=SheetChange(x=7))
    )
    await characters.delete.one(database, Deletion(by=BY, player="Fay"))


async def _repeat(database: Database, world: World) -> None:
    """Enough links that fifty can be cut off the end."""
    many = [Action(kind="servers.register", by=BY, after={"n": n}) for n in range(50)]
    await database.write(lambda writer: actions.record(writer, many))
