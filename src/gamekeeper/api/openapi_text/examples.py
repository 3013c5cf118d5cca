"""Examples for the OpenAPI document: one call of every operation."""

from datetime import UTC, date, datetime
from hashlib import sha256
from uuid import UUID

from msgspec import structs

from gamekeeper.api.health import Health, Readiness
from gamekeeper.api.oauth import EndedToken, EndedTokens, Revoked, TokenAnswer, TokenRefusal
from gamekeeper.api.openapi_text import webhooks
from gamekeeper.api.v1.items import GivenItem, TakenItem
from gamekeeper.api.v1.passwords import ResetAsked
from gamekeeper.api.v1.players import OnlineCount, VariableValue
from gamekeeper.api.v1.spells import SpellLearned
from gamekeeper.api.v1.users import Registered
from gamekeeper.core.schemas import LegacyPage, Message, Page, Window
from gamekeeper.events.records import EventEntries, EventEntry
from gamekeeper.history.restore import Restored, Returned
from gamekeeper.history.timeline import Event, ItemChange, ItemChanges, Posting, Timeline
from gamekeeper.history.undo.bulk import Swept
from gamekeeper.history.undo.conflicts import TradeObstacle
from gamekeeper.history.undo.execute import (
    NotUndoable,
    UndoConflict,
    Undone,
)
from gamekeeper.history.undo.outcomes import Left, Tally
from gamekeeper.history.undo.plan import Change
from gamekeeper.http.openapi import Example
from gamekeeper.ledger.audit_log import Entries, Entry
from gamekeeper.ledger.economy.supply import Flow, Holder, ItemEconomy, ItemSupply
from gamekeeper.ledger.kinds.registry import WHY_NOT
from gamekeeper.players.items import Holding
from gamekeeper.players.records import Bag, Items, Player, Slot
from gamekeeper.players.spells import KnownSpell
from gamekeeper.players.variables import PlayerVariable
from gamekeeper.users.records import ApiPower, ChangedUser, Power, User

ANA = UUID("0c6a4f5e-8f0b-4d1c-9a77-3f2f6f9f1b20")
OWNER = UUID("b0a7d0c2-5d2e-4f7a-8a57-1c1f0a4c9f11")
BAG = UUID("e2b4d6f8-1a3c-4e5f-9b7d-0a2c4e6f8b03")
# These exist in the world of `gamekeeper try`, whose catalog has the same ids everywhere.
POTION = UUID("957189e7-ca1b-4138-8d7a-fdbf695cbae1")
POUCH = UUID("5f800f68-4de9-4c62-bd7d-b35a66bcca8b")
FIREBALL = UUID("150ea0d3-8be1-4bcb-8e03-4a92de11ef9e")
SLAIN = UUID("65a6bb4b-be99-4518-beb7-9648f6c4ccb0")
WARRIOR = UUID("65e9bc31-e306-4bc0-b4df-ae770b3e3c45")
VILLAGE = UUID("8555fd3a-ee05-4356-82dd-527acbe1b036")
SIGN_IN = UUID("6b8d0f2a-4c6e-4a8b-9d0f-2a4c6e8b0d07")

GIFT = UUID("019cede2-6fc8-7a31-9c5e-2b7d9f1a3c08")

PASSWORD = "demo"  # noqa: S105  that of the account in `gamekeeper try`
CURRENT = sha256(PASSWORD.encode()).hexdigest()
CHOSEN = sha256(b"battery staple").hexdigest()

PLAYER = Player(
    name="Ana Lyra",
    in_bank=False,
    user_id=OWNER,
    max_vitals=[220, 140],
    id=ANA,
    class_id=WARRIOR,
    class_name="Warrior",
    gender=1,
    level=12,
    exp=184,
    experience_to_next_level=285,
    stat_points=3,
    vitals=[187, 140],
    base_stats=[14, 8, 12, 10, 11],
    stat_point_allocations=[4, 0, 3, 0, 2],
    equipment=[0, -1, -1, -1, -1],
    map_id=VILLAGE,
    map_name="Willowbrook",
    x=17,
    y=9,
    z=0,
    dir=2,
    sprite="warrior_f1.png",
    face="ana.png",
    online=True,
    last_online=datetime(2026, 3, 14, 18, 22, 5, tzinfo=UTC),
    creation_date=datetime(2025, 11, 2, 9, 30, tzinfo=UTC),
    play_time_seconds=273_600,
    dead=False,
)
USER = User(
    id=OWNER,
    name="ana",
    email="ana@example.com",
    power=Power(
        editor=False, ban=False, kick=False, mute=True, api=True, personal_information=False
    ),
    is_muted=False,
    mute_reason=None,
    is_banned=False,
    registration_date=datetime(2025, 10, 30, 20, 5, tzinfo=UTC),
    play_time_seconds=301_900,
)
CHANGED = ChangedUser(
    id=OWNER,
    name="ana",
    email="ana.lyra@example.org",
    power=ApiPower(
        editor=False,
        ban=False,
        kick=False,
        mute=True,
        api=True,
        api_personal_information=False,
        api_user_management=False,
    ),
    is_muted=False,
    mute_reason=None,
    is_banned=False,
    registration_date=USER.registration_date,
)
INVENTORY = [
    Slot(slot=0, item_id=POTION, quantity=8),
    Slot(slot=1, bag_id=BAG, item_id=POUCH, quantity=1),
    Slot(slot=2),
]
BANK = [Slot(slot=0, item_id=POTION, quantity=40), Slot(slot=1)]
VARIABLE = PlayerVariable(variable_id=SLAIN, value=42)
SUPPLY = ItemSupply(
    id=POTION,
    name="Health Potion",
    total=81_240,
    inventories=52_100,
    banks=26_400,
    bags=1_740,
    guilds=1_000,
)
ECONOMY = ItemEconomy(
    **structs.asdict(SUPPLY),
    flows=[
        Flow(day=date(2026, 3, 14), source="grant", came=1_830, went=0),
        Flow(day=date(2026, 3, 14), source="removal", came=0, went=912),
    ],
    holders=[Holder(player_id=ANA, name="Ana Lyra", quantity=4_410)],
)
TOKENS = TokenAnswer(
    access_token="gka_...",  # noqa: S106
    token_type="bearer",  # noqa: S106
    expires_in=604_800,
    refresh_token="gkr_...",  # noqa: S106
    issued="Sat, 14 Mar 2026 18:22:05 GMT",
    expires="Sat, 21 Mar 2026 18:22:05 GMT",
    token_id=SIGN_IN,
)

ACTION = Entry(
    id=GIFT,
    at=datetime(2026, 3, 14, 18, 22, 5, 120_000, tzinfo=UTC),
    kind="items.give",
    actor="key:6b8d0f2a-4c6e-4a8b-9d0f-2a4c6e8b0d07",
    actor_name="web-shop",
    player_id=ANA,
    user_id=None,
    item_id=POTION,
    before=Holding(total=43, bank=40, inventory=3),
    after=Holding(total=48, bank=40, inventory=8),
    reason="order 5512",
    request_id="shop-5512",
    address="203.0.113.7",
    undoes=None,
)

CHANGE = ItemChange(item_id=POTION, place="inventory", before=3, after=8, change=5)
EVENT = Event(
    **structs.asdict(ACTION),
    postings=[
        Posting(
            seq=211,
            place="inventory",
            inside=None,
            slot=0,
            item_id=POTION,
            quantity=5,
            against="grant",
            held_before=3,
            held_after=8,
            stat_buffs=[0, 0, 0, 0, 0],
            bag_id=None,
        )
    ],
)
LOST = {"at": "2026-03-14T18:22:05Z", "slots": [{"place": "inventory", "slot": 0}], "dryrun": True}
BACK = Returned(
    item_id=POTION,
    quantity=5,
    place="inventory",
    slot=0,
    from_place="inventory",
    from_slot=0,
    stat_buffs=[0, 0, 0, 0, 0],
)

UNDO = UUID("019cede3-1b22-7c44-8d6f-4e8a0c2b5d09")
THIEF = "user:b0a7d0c2-5d2e-4f7a-8a57-1c1f0a4c9f11"
UNDONE = Undone(
    id=UNDO,
    undoes=GIFT,
    kind="items.give",
    player_id=ANA,
    user_id=None,
    dry_run=False,
    complete=True,
    done=[Change(what="item", id=POTION, place="inventory", slot=0, quantity=-5)],
    not_done=[],
)
IN_THE_WAY = TradeObstacle(
    reason="gone", what="item", id=POTION, place="inventory", wanted=5, possible=2
)
SWEPT = Swept(
    actor=THIEF,
    dry_run=True,
    kinds=[
        Tally(kind="items.give", found=41, undone=40, left=1),
        Tally(kind="users.password", found=1, left=1),
    ],
    left=[
        Left(
            id=GIFT,
            kind="items.give",
            code=UndoConflict.code,
            message=str(UndoConflict()),
            in_the_way=[IN_THE_WAY],
        ),
        Left(
            id=SIGN_IN,
            kind="users.password",
            code=NotUndoable.code,
            message=WHY_NOT["users.password"],
        ),
    ],
    next=None,
)

PLAYERS = Page.of([PLAYER], 1, Window.of(0, 5))
USERS = Page.of([USER], 1, Window.of(0, 5))
FIRST_PAGE = {"page": 0, "count": 5}
LESSON = {"spellid": str(FIREBALL)}

EXAMPLES = {
    "list_players": Example(answer=PLAYERS),
    "rank_players": Example(answer=PLAYERS),
    "list_online_players_by_post": Example(body=FIRST_PAGE, answer=LegacyPage.of(PLAYERS)),
    "count_online_players": Example(answer=OnlineCount(online_count=1)),
    "get_player": Example(answer=PLAYER),
    "list_variables": Example(answer=[VARIABLE]),
    "get_variable": Example(answer=VARIABLE),
    "get_variable_value": Example(answer=VariableValue(value=42)),
    "set_variable": Example(body={"value": 42}, answer=VARIABLE),
    "list_items": Example(answer=Items(inventory=INVENTORY, bank=BANK)),
    "list_inventory": Example(answer=INVENTORY),
    "list_bank": Example(answer=BANK),
    "get_bag": Example(answer=Bag(id=BAG, slot_count=2, slots=BANK)),
    "give_item": Example(
        body={"itemid": str(POTION), "quantity": 5, "bankoverflow": True},
        answer=GivenItem(id=POTION, quantity=Holding(total=48, bank=40, inventory=8)),
    ),
    "take_item": Example(
        body={"itemid": str(POTION), "quantity": 2},
        answer=TakenItem(item_id=POTION, quantity=2, id=POTION),
    ),
    "list_spells": Example(answer=[KnownSpell(slot=0, spell_id=FIREBALL)]),
    "teach_spell": Example(body=LESSON, answer=SpellLearned(spell_id=FIREBALL)),
    "forget_spell": Example(body=LESSON, answer=SpellLearned(spell_id=FIREBALL)),
    "list_players_by_post": Example(body=FIRST_PAGE, answer=LegacyPage.of(PLAYERS)),
    "list_history": Example(answer=Timeline(values=[EVENT], next="AZzt4m_IejGcXit9nxo8CA")),
    "list_item_changes": Example(answer=ItemChanges(values=[CHANGE])),
    "restore_items": Example(
        body=LOST,
        answer=Restored(
            action_id=None,
            at=datetime(2026, 3, 14, 18, 22, 5, tzinfo=UTC),
            dry_run=True,
            values=[BACK],
        ),
    ),
    "list_users": Example(answer=USERS),
    "get_user": Example(answer=USER),
    "register_user": Example(
        body={"username": "bo", "password": CURRENT, "email": "bo@example.com"},
        answer=Registered(username="bo", email="bo@example.com"),
    ),
    "validate_password": Example(
        body={"password": CURRENT}, answer=Message(message="Password Correct")
    ),
    "change_email": Example(
        body={"new": "ana.lyra@example.org", "authorization": CURRENT}, answer=CHANGED
    ),
    "change_password": Example(
        # To the same, so that the other examples go on working.
        body={"new": CURRENT, "authorization": CURRENT},
        answer=Message(message="Password Updated"),
    ),
    "request_password_reset": Example(
        answer=ResetAsked(message="Password reset email sent.", delivery="queued")
    ),
    "list_users_players": Example(answer=[PLAYER]),
    "get_users_player": Example(answer=PLAYER),
    "manage_email": Example(body={"new": "ana.lyra@example.org"}, answer=CHANGED),
    "manage_password": Example(body={"new": CURRENT}, answer=Message(message="Password Correct")),
    "list_users_by_post": Example(body=FIRST_PAGE, answer=LegacyPage.of(USERS)),
    "complete_password_reset": Example(
        body={"username": "ana", "code": "7KQM-2XWD", "new": CHOSEN},
        answer=Message(message="Password Updated"),
    ),
    "list_actions": Example(answer=Entries(values=[ACTION], next="AZzt4m_IejGcXit9nxo8CA")),
    "get_action": Example(answer=ACTION),
    "undo_action": Example(body={"dryrun": False, "reason": "given by mistake"}, answer=UNDONE),
    "undo_actor": Example(
        body={
            "actor": THIEF,
            "from": "2026-03-14T18:00:00Z",
            "to": "2026-03-14T19:00:00Z",
            "dryrun": True,
        },
        answer=SWEPT,
    ),
    "list_events": Example(
        answer=EventEntries(
            values=[EventEntry(**structs.asdict(ACTION), seq=webhooks.SEQ)], next=webhooks.SEQ
        )
    ),
    **webhooks.EXAMPLES,
    "list_economy": Example(answer=Page.of([SUPPLY], 1, Window.of(0, 5))),
    "get_economy": Example(answer=ECONOMY),
    "issue_token": Example(
        body={"grant_type": "password", "username": "ana", "password": CURRENT},
        answer=TOKENS,
        refusal=TokenRefusal(
            error="invalid_grant", error_description="The username or password is wrong."
        ),
    ),
    "revoke_token": Example(body={"token": "gkr_..."}, answer=Revoked()),
    "end_tokens": Example(answer=EndedTokens(username="ana", ended=2)),
    "end_token": Example(answer=EndedToken(username="ana", token_id=SIGN_IN)),
    "check_liveness": Example(answer=Health(status="alive")),
    "check_readiness": Example(answer=Readiness(status="ready", replica="none")),
}
