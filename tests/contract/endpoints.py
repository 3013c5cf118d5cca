"""
Every endpoint of the application, with something valid for each of its fields.

Read from the routes themselves, so an endpoint that is added is tried too.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints
from uuid import UUID, uuid4

import msgspec
from msgspec import Struct

from gamekeeper.api.oauth import TokenRequest
from gamekeeper.api.v1.access_bans import ImposeAccessBan
from gamekeeper.api.v1.campaigns import CreateCampaign
from gamekeeper.api.v1.cases import AddEvidence, CloseCase
from gamekeeper.api.v1.chat_log import ReadPrivateChat
from gamekeeper.api.v1.codes import CreateCodeBatch, NamedCode, RedeemCode, RedeemMyCode
from gamekeeper.api.v1.commands import SendCommand
from gamekeeper.api.v1.economy_rules import PutRule
from gamekeeper.api.v1.email_verification import CompleteVerification
from gamekeeper.api.v1.guild_members import MoveBankItems
from gamekeeper.api.v1.identities import (
    LinkByCode,
    LinkIdentity,
    LinkMine,
    NamedIdentity,
    ProvenByPassword,
)
from gamekeeper.api.v1.keys import CreateKey
from gamekeeper.api.v1.linked import BanLinked
from gamekeeper.api.v1.mailbox import WriteLetter
from gamekeeper.api.v1.openid_clients import ChangeOpenIdClient, CreateOpenIdClient
from gamekeeper.api.v1.orders import AssignOrder, ClaimOrder, DisputeOrder, PutOrder, RefundOrder
from gamekeeper.api.v1.passwords import CompleteReset
from gamekeeper.api.v1.reports import FileReport, MyReport
from gamekeeper.api.v1.roles import ChangeRole, CreateRole
from gamekeeper.api.v1.sanctions import ImposeSanction, PutTemplate
from gamekeeper.api.v1.saved_filters import SaveFilter
from gamekeeper.api.v1.schedules import CreateSchedule, SkipRun
from gamekeeper.api.v1.segment_lists import AddNames
from gamekeeper.api.v1.segments import PreviewSegment, PutSegment
from gamekeeper.api.v1.shops import PutProduct, ReconcileOrders
from gamekeeper.api.v1.sign_in import (
    FinishFlow,
    FinishSignIn,
    StartMyLink,
    StartSignIn,
    SteamTicket,
)
from gamekeeper.api.v1.undo import UndoActor
from gamekeeper.api.v1.webhooks import ReplayDeliveries
from gamekeeper.app import ROUTES
from gamekeeper.auth import tokens
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.schemas import Body, Query
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.events.webhooks import management, signatures
from gamekeeper.events.webhooks.management import NewWebhook
from gamekeeper.events.webhooks.owners import OPERATOR
from gamekeeper.http.routing import Route
from gamekeeper.ledger.findings import discoveries
from gamekeeper.ledger.findings.discoveries import Found
from gamekeeper.moderation import access_bans
from gamekeeper.moderation.access_bans import AccessImposition
from gamekeeper.orders import intake, products
from gamekeeper.orders.content import Content, OrderedItem, OrderedLine
from gamekeeper.orders.products import ProductChange
from gamekeeper.players import spells
from gamekeeper.players.mailbox import delivery
from gamekeeper.players.mailbox.delivery import SendLetter
from gamekeeper.players.mailbox.records import LetterItem
from gamekeeper.players.moves import Endpoint, MoveItems
from gamekeeper.players.spells import Lesson
from gamekeeper.provider import clients
from gamekeeper.provider.client_commands import NewClient
from gamekeeper.servers.transactions import Transaction, transact
from gamekeeper.users import email_proofs, resets
from gamekeeper.users.email_verification import MailedVerification
from gamekeeper.users.resets import Reset
from tests.approvals.requested import make_request
from tests.codes.mint import make_typed_code
from tests.make import (
    BY,
    KNIGHT,
    join,
    make_item,
    make_player,
    make_server,
    make_spell,
    make_user,
    make_variable,
    proved,
    sha,
)
from tests.moderation.rows import make_appeal, make_case, make_sanction

PASSWORD = "a long password"
UNKNOWN_ID = UUID(int=0)
LISTS = ("vitals", "maxvitals", "basestats", "statpointallocations", "equipment", "statbuffs")
LONG_AGO, IN_THE_END = "2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"


@cache
def _hints(handler: Callable[..., Any]) -> dict[str, Any]:
    return get_type_hints(handler)


def body_of(route: Route) -> type[Body] | None:
    """The shape of the body that a route takes."""
    hints = _hints(route.handler)
    return next((kind for kind in hints.values() if _is_body(kind)), None)


def _required_in_query(route: Route) -> list[str]:
    hints = _hints(route.handler).values()
    queries = [kind for kind in hints if isinstance(kind, type) and issubclass(kind, Query)]
    fields = [field for query in queries for field in msgspec.structs.fields(query)]
    return [field.encode_name for field in fields if field.required]


def _is_body(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Body)


WITH_BODY: list[tuple[Route, type[Body]]] = [
    (route, shape) for route in ROUTES if (shape := body_of(route))
]


def is_said_by_a_form(shape: type[Body]) -> bool:
    """Not if it must have a list or an object, which a form cannot say."""
    fields = [field.type for field in msgspec.structs.fields(shape) if field.required]
    kinds = [(get_args(kind) or [kind])[0] for kind in fields]
    return not any(get_origin(kind) is list or _is_body(kind) for kind in kinds)


def label(route: Route) -> str:
    return f"{route.method} {route.path}"


def changes(route: Route) -> bool:
    """Whether the route can change anything: what only reads is handed a reader."""
    return Database in _hints(route.handler).values()


class Stage(Struct, frozen=True, kw_only=True):
    """A player and a user on whom any endpoint works once."""

    player: UUID
    variable: UUID
    item: UUID
    spell: UUID
    known_spell: UUID
    user: UUID
    newcomer: UUID
    """An account without characters."""
    name: str
    actor: str
    webhook: UUID
    openid_client: str
    action: UUID
    """What the actor did to the player, and nobody has undone."""
    transaction: UUID
    """A transaction that nobody has undone."""
    server: UUID
    """A game server with the fencing number 1."""
    approval: UUID
    """A request that nobody has decided."""
    command: UUID
    """A command that this server has not answered."""
    secrets: dict[str, str]
    code: str
    """Of a sanction that can be appealed."""
    appeal: UUID
    """An appeal that waits, of another one."""
    case: UUID
    """An open case; a closed one, if the route is about those."""
    reported: UUID
    """Another character, that the player may report."""
    finding: UUID
    """A finding that nobody has acknowledged."""
    letter: UUID
    """In the player's mailbox; with an item, unless the route deletes it."""
    guild: UUID
    """A guild whose member the player is, unless the route is for one who is in none."""

    schedule: UUID
    """An active schedule, with a run each week."""
    order: str
    """The id of an order of the shop `webshop`, and of a product."""
    redeem_code: str
    """A redeem code that nobody redeemed."""

    @classmethod
    async def make(cls, database: Database, route: Route | None = None) -> "Stage":
        """One for any route, or with only what the path and the body of one route name."""
        name = f"user-{uuid4().hex[:12]}"
        needed = route is None or _asks_for_password(route)
        user = await make_user(database, name, password=PASSWORD if needed else "", api=True)
        player = await make_player(database, user=user)
        item = known = server = UNKNOWN_ID
        if _names(route, *GOODS):
            item, known = await make_item(database), await make_spell(database)
            await _own(database, player, item, known)
        actor = f"key:{uuid4()}"
        if _is_chat(route) or _names(route, "server", "server_id", "fence"):
            server = await make_server(database, fence=1)
        is_about_codes = _is_about_appeals(route) or _is_about_sanctions(route)
        code, appeal = await _appeals(database) if is_about_codes else ("", UNKNOWN_ID)
        code = await _access_ban(database) if _is_about_access_bans(route) else code
        if _is_chat(route):
            await join(database, player, server)
            await obey(database)
        return cls(
            player=player,
            variable=await make_variable(database, owner=_owner(route))
            if _names(route, "variable_id")
            else UNKNOWN_ID,
            item=item,
            spell=await make_spell(database) if _names(route, "spellid") else UNKNOWN_ID,
            known_spell=known,
            user=user,
            newcomer=await make_user(database) if _is_creation(route) else UNKNOWN_ID,
            name=name,
            actor=actor,
            action=await _action(database, actor, player)
            if _names(route, "id", "actor")
            else UNKNOWN_ID,
            transaction=await _transaction(database, player, item)
            if _is_trade(route)
            else UNKNOWN_ID,
            server=server,
            approval=await make_request(database, str(player), item)
            if _is_about_approvals(route)
            else UNKNOWN_ID,
            command=await _command(database, server) if _names(route, "command_id") else UNKNOWN_ID,
            secrets=(await _secrets(database, user) if _names(route, *SECRETS) else {})
            | (await _verification(database, user) if _verifies(route) else {}),
            webhook=await _webhook(database) if _is_about_webhooks(route) else UNKNOWN_ID,
            openid_client=await _openid_client(database) if _names(route, "client_id") else "",
            code=code,
            appeal=appeal,
            reported=await make_player(database) if _is_report(route) else UNKNOWN_ID,
            case=await _case(database, route) if _is_about_cases(route) else UNKNOWN_ID,
            order=await _order(database, route, item),
            redeem_code=await _redeem_code(database, route),
            finding=await _finding(database) if _is_about_findings(route) else UNKNOWN_ID,
            letter=await _letter(database, player, route)
            if _names(route, "letter_id")
            else UNKNOWN_ID,
            schedule=await _schedule(database) if _names(route, "schedule_id") else UNKNOWN_ID,
            guild=await _guild(database, player, item, route)
            if _is_about_guilds(route)
            else UNKNOWN_ID,
        )

    async def leave(self, database: Database) -> None:
        """End its game server: what is said to all servers would be said to ever more of them."""
        if self.server == UNKNOWN_ID:
            return
        sql = "UPDATE servers SET lease_until = now() - interval '1 hour' WHERE id = $1"
        await database.write(lambda writer: writer.run(sql, self.server))

    def path(self, route: Route, *, key: object = None) -> str:
        """The route's path, with what is on this stage in its places, or another `key`."""
        of_player = route.path.startswith(("/api/v1/players", "/api/v1/chat", "/api/v1/guilds"))
        own = self.player if of_player else self.user
        own = self.newcomer if _is_creation(route) else own
        own = self.code if _is_about_sanctions(route) or _is_about_access_bans(route) else own
        # Instants and characters are all that any query must have.
        query = "&".join(
            f"{name}={self.player if name.startswith('player') else LONG_AGO}"
            for name in _required_in_query(route)
        )
        path = route.path.format_map(
            _Otherwise(
                key=own if key is None else key,
                variable_id=self.variable,
                bag_id=UNKNOWN_ID,
                player=self.player,
                username=self.name,
                token_id=UNKNOWN_ID,
                id=self._id(route),
                item_id=self.item,
                server_id=self.server,
                guild_id=self.guild,
                letter_id=self.letter,
                schedule_id=self.schedule,
                client_id=self.openid_client,
                command_id=self.command,
                action="unban",
                object_type="item",
                object_id=self.item,
                shop="webshop",
                order_id=self.order,
                product=self.order,
                role="analyst" if route.method == "PATCH" else "nobodys",
            )
        )
        return f"{path}?{query}" if query else path

    def _id(self, route: Route) -> UUID:
        if _is_trade(route):
            return self.transaction
        if _is_about_approvals(route):
            return self.approval
        if _is_about_appeals(route):
            return self.appeal
        if _is_about_cases(route):
            return self.case
        if _is_about_findings(route):
            return self.finding
        return self.webhook if _is_about_webhooks(route) else self.action

    def fields(self, route: Route, shape: type[Body], trying: str = "") -> dict[str, Any]:
        """
        A valid body for the route, with all fields that go together.

        Of those that exclude each other the usual ones are there, unless it is one
        of the others that somebody is `trying`.
        """
        if shape in LEAST:
            return LEAST[shape](self)
        values = self._values(route)
        valid = {
            field.encode_name: values.get(field.encode_name, _by_type(field.type))
            for field in _struct_fields(shape)
        }
        if shape in (CompleteReset, CompleteVerification):
            left_out = {"token"} if trying in ("username", "code") else {"username", "code"}
            valid = {name: value for name, value in valid.items() if name not in left_out}
        if shape is UndoActor:
            valid = self._bulk_undo_fields(valid, trying)
        if shape is ReplayDeliveries and trying != "delivery":
            # Nothing was sent to it that could be sent again.
            valid.pop("delivery")
        if issubclass(shape, SendCommand):
            valid = _command_fields(valid, trying)
        for name in {"slots", "opened", "closed", "resume", "clients", *LISTS} - {trying}:
            # A form cannot say it.
            valid.pop(name, None)
        if shape is TokenRequest and trying == "refresh_token":
            valid["grant_type"] = "refresh_token"
        return valid

    def _bulk_undo_fields(self, valid: dict[str, Any], trying: str) -> dict[str, Any]:
        whose = {"user": "user", "player": "player", "what": "player"}.get(trying, "actor")
        names = {"actor": self.actor, "player": str(self.player), "user": self.name}
        left = {name: value for name, value in valid.items() if name not in {*names, "what"}}
        return left | {whose: names[whose]} | ({} if whose == "actor" else {"what": "left"})

    def _values(self, route: Route) -> dict[str, Any]:
        """What fields hold whose type does not say enough, by their names."""
        about_email = "email" in route.path
        valid: dict[str, Any] = {
            "itemid": str(self.item),
            "spellid": str(self.known_spell if "forget" in route.path else self.spell),
            "username": self.name,
            "password": sha(PASSWORD),
            "authorization": sha(PASSWORD),
            "new": f"new-{self.name}@example.com" if about_email else sha("the next password"),
            "grant_type": "password",
            "actor": self.actor,
            "from": LONG_AGO,
            "value": 1,
            "fence": 1,
            "server": str(self.server),
            "players": [str(self.player)],
            "transactions": [],
            "url": "https://8.8.8.8/hook",
            "kinds": "items.give",
            "classid": str(KNIGHT),
            "namecolor": "#0a0b0c",
            "kind": "message",
            "color": "#0a0b0c",
            "payload": {},
            "transports": [],
            "when": "now",
            "wait": 0,
            "answers": [],
            "messages": [],
            "clients": [],
            "owner": str(self.player),
            "rank": 1,
            "language": "de",
            "deliver": "inventory",
            "overflow": "refuse",
            **self.secrets,
        }
        if route.path.endswith("/register"):
            fresh = f"new-{uuid4().hex[:12]}"
            valid |= {"username": fresh, "email": f"{fresh}@example.com"}
        if route.path.endswith(("{key}/name", "{key}/players")):
            valid |= {"name": f"new-{uuid4().hex[:12]}"}
        if _is_about_appeals(route):
            valid |= {"code": self.code}
        if _is_about_guilds(route):
            valid |= {"name": f"Hall {uuid4().hex[:12].upper()}", "player": str(self.player)}
        if route.path.endswith("/servers"):
            valid |= {"name": f"realm-{uuid4().hex[:12]}", "id": str(uuid4())}
        return valid


# Read for each of 20,000 requests; msgspec evaluates the annotations every time.
_struct_fields = cache(msgspec.structs.fields)


def _by_type(kind: Any) -> Any:
    by_type = {bool: True, int: 1, UUID: str(UNKNOWN_ID), datetime: IN_THE_END}
    [plain, *_] = get_args(kind) or [kind]
    return by_type.get(plain, "text")


LEAST: dict[type[Body], Callable[[Stage], dict[str, Any]]] = {
    CreateKey: lambda _: {"name": f"key-{uuid4().hex[:12]}", "scopes": ["players.read"]},
    CreateOpenIdClient: lambda _: {
        "name": "Forum",
        "redirecturis": ["https://forum.example.com/callback"],
    },
    ChangeOpenIdClient: lambda _: {"name": "Forum"},
    CreateRole: lambda _: {"name": f"role-{uuid4().hex[:12]}", "scopes": ["players.read"]},
    ChangeRole: lambda _: {},
    AddEvidence: lambda _: {"messages": []},
    CloseCase: lambda _: {"outcome": "none"},
    PutRule: lambda _: {"shape": "created_per_hour", "morethan": 5},
    ImposeAccessBan: lambda _: {"device": str(uuid4()), "durationseconds": 60, "reason": "seen"},
    BanLinked: lambda stage: {"users": [str(stage.user)], "reason": "seen"},
    FileReport: lambda stage: {
        "player": str(stage.reported),
        "reporter": str(stage.player),
        "category": "spam",
    },
    SaveFilter: lambda _: {"list": "players", "name": "Online", "query": "online=true"},
    MyReport: lambda stage: {"player": str(stage.reported), "category": "spam"},
    ImposeSanction: lambda stage: {"user": stage.name, "kind": "note", "reason": "seen"},
    MoveBankItems: lambda stage: {
        "player": str(stage.player),
        "itemid": str(stage.item),
        "quantity": 1,
    },
    WriteLetter: lambda _: {"subject": "Hello", "text": "Welcome."},
    ReadPrivateChat: lambda _: {"reason": "report 812"},
    PutOrder: lambda stage: {
        "character": str(stage.player),
        "lines": [{"items": [{"itemid": str(stage.item)}]}],
    },
    RefundOrder: lambda _: {},
    DisputeOrder: lambda _: {"state": "open"},
    AssignOrder: lambda stage: {"character": str(stage.player)},
    ClaimOrder: lambda _: {"code": "0000-0000-0000"},
    PutProduct: lambda stage: {"name": "Potions", "items": [{"itemid": str(stage.item)}]},
    ReconcileOrders: lambda _: {"orders": [{"orderid": "1001"}]},
    PutTemplate: lambda _: {"steps": [{"kind": "warning"}]},
    PutSegment: lambda _: {"groups": [{"conditions": [{"field": "online"}]}]},
    PreviewSegment: lambda _: {"groups": [{"conditions": [{"field": "online"}]}]},
    CreateCampaign: lambda _: {
        "name": "Outage",
        "segment": "players",
        "work": {"kind": "letter", "subject": "Sorry"},
    },
    # Any instant is none of the next runs.
    SkipRun: lambda _: {},
    CreateSchedule: lambda _: {
        "name": "Weekend",
        "segment": "players",
        "work": {"kind": "letter", "subject": "Welcome"},
        "cron": "0 18 * * FRI",
    },
    CreateCodeBatch: lambda _: {
        "campaign": "spring",
        "name": "Spring",
        "codes": 1,
        "subject": "Hello",
    },
    NamedCode: lambda stage: {"code": stage.redeem_code},
    RedeemCode: lambda stage: {"code": stage.redeem_code, "character": str(stage.player)},
    RedeemMyCode: lambda stage: {"code": stage.redeem_code},
    # No source is configured, and no flow was started.
    StartSignIn: lambda _: {"source": "discord", "returnto": "https://game.example/"},
    StartMyLink: lambda _: {
        "source": "discord",
        "returnto": "https://game.example/",
        "password": sha(PASSWORD),
    },
    FinishSignIn: lambda _: {"flow": str(UNKNOWN_ID), "secret": "x", "result": "x"},
    FinishFlow: lambda _: {"flow": str(UNKNOWN_ID), "secret": "x", "result": "x"},
    SteamTicket: lambda _: {"ticket": "14000000"},
    # No such code.
    LinkByCode: lambda _: {"code": "0000-0000-00"},
    LinkMine: lambda _: {"code": "0000-0000-00", "password": sha(PASSWORD)},
    ProvenByPassword: lambda _: {"password": sha(PASSWORD)},
    NamedIdentity: lambda _: {"issuer": "discord", "subject": "80351110224678912"},
    LinkIdentity: lambda _: {
        "issuer": "discord",
        "subject": "80351110224678912",
        "code": "0000-0000-00",
    },
    AddNames: lambda stage: {"names": [str(stage.player)]},
}
"""The least that is valid, of bodies whose fields exclude each other or are lists."""


def _owner(route: Route | None) -> str:
    """Whose variables the route is about."""
    path = route.path if route else ""
    by_path = {
        "/api/v1/users/": "user",
        "/api/v1/guilds/": "guild",
        "/api/v1/variables/": "game",
    }
    return next((owner for start, owner in by_path.items() if path.startswith(start)), "player")


def _is_about_guilds(route: Route | None) -> bool:
    return route is not None and route.path.startswith("/api/v1/guilds")


async def _guild(database: Database, player: UUID, item: UUID, route: Route | None) -> UUID:
    """A guild with an owner, something in its bank, and the player among its members or not."""
    guild, owner = uuid4(), await make_player(database)
    is_newcomer = route is not None and route.path.endswith(("/create", "/members/{key}"))
    members = {owner: 0} if is_newcomer and route.method == "POST" else {owner: 0, player: 3}

    async def work(writer: Writer) -> None:
        await writer.run(
            "INSERT INTO guilds (id, name, name_key, bank_slots) VALUES ($1, $2, $2, 9)",
            guild,
            guild.hex,
        )
        for member, rank in members.items():
            await writer.run(
                "INSERT INTO guild_members (player_id, guild_id, rank) VALUES ($1, $2, $3)",
                member,
                guild,
                rank,
            )
        if item != UNKNOWN_ID:
            await writer.run(
                "INSERT INTO guild_slots (guild_id, slot, item_id, quantity) VALUES ($1, 0, $2, 2)",
                guild,
                item,
            )

    await database.write(work)
    return guild


async def _letter(database: Database, player: UUID, route: Route | None) -> UUID:
    is_deletion = route is not None and route.method == "DELETE"
    item = LetterItem(item_id=await make_item(database), quantity=1)
    items = () if is_deletion else (item,)
    order = SendLetter(by=BY, player=str(player), subject="For the stage", items=items)
    return (await delivery.send.one(database, order)).id


async def _schedule(database: Database) -> UUID:
    sql = """
        INSERT INTO schedules (id, name, segment, definition, work, per_second, cron, time_zone,
                               grace_minutes, max_recipients, next_at, created_by, created_by_name)
        VALUES ($1, 'Weekend', 'players', '{"Groups": []}',
                '{"Kind": "letter", "Subject": "Welcome"}', 2000, '0 18 * * FRI', 'UTC', 60, 1000,
                '2030-03-15T18:00:00Z', 'system', 'tests')
    """
    schedule = uuid4()
    await database.write(lambda writer: writer.run(sql, schedule))
    return schedule


GOODS = (
    "lines",
    "items",
    "itemid",
    "item_id",
    "object_id",
    "spellid",
    "id",
    "slot",
    "slots",
    "bag_id",
    "moves",
)
SECRETS = ("token", "refresh_token", "code")


def _names(route: Route | None, *words: str) -> bool:
    """Whether the path or the body of a route has a place for one of these; of any route, yes."""
    if route is None:
        return True
    shape = body_of(route)
    fields = [field.encode_name for field in _struct_fields(shape)] if shape else []
    return any(word in fields or f"{{{word}}}" in route.path for word in words)


def _is_about_sanctions(route: Route | None) -> bool:
    return route is not None and route.path.startswith("/api/v1/sanctions")


def _is_about_access_bans(route: Route | None) -> bool:
    return route is not None and route.path.startswith("/api/v1/access-bans")


async def _access_ban(database: Database) -> str:
    order = AccessImposition(
        by=BY, device=uuid4(), duration=timedelta(days=1), reason="for the stage"
    )
    made = (await access_bans.impose.one(database, order)).made
    assert made
    return made.code


def _is_chat(route: Route | None) -> bool:
    return (
        route is not None
        and route.path.startswith("/api/v1/chat")
        and not route.path.startswith("/api/v1/chat/messages")
    )


async def obey(database: Database) -> None:
    """Let the game carry out all commands the moment that they are sent."""

    async def work(writer: Writer) -> None:
        # Once: each change of the table makes every connection plan its statements anew.
        await writer.rows("SELECT pg_advisory_xact_lock(hashtext('obey'))")
        if await writer.value("SELECT 1 FROM pg_trigger WHERE tgname = 'obey'") is None:
            for sql in OBEDIENCE:
                await writer.run(sql)

    await database.write(work)


OBEDIENCE = [
    """
    CREATE FUNCTION obey() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        NEW.state := 'done';
        NEW.delivered_to := coalesce(NEW.server_id, NEW.player_id);
        RETURN NEW;
    END $$
    """,
    """
    CREATE TRIGGER obey BEFORE INSERT ON commands
       FOR EACH ROW WHEN (NEW.state = 'waiting') EXECUTE FUNCTION obey()
    """,
]


async def disobey(database: Database) -> None:
    """Let commands wait again, as they do without `obey`."""
    await database.write(lambda writer: writer.run("DROP FUNCTION IF EXISTS obey CASCADE"))


def _command_fields(valid: dict[str, Any], trying: str) -> dict[str, Any]:
    """A message, unless the field is of a warp or of a custom command."""
    kind, left_out = "message", {"x", "y", "payload"}
    if trying in ("x", "y"):
        kind, left_out = "warp", {"text", "color", "payload"}
    if trying == "payload":
        kind, left_out = "custom", {"text", "color", "mapid", "x", "y"}
    return {name: one for name, one in valid.items() if name not in left_out} | {"kind": kind}


async def _command(database: Database, server: UUID) -> UUID:
    """A command that a server fetched with the fencing number 1."""
    return await database.write(
        lambda writer: writer.value(
            """
            INSERT INTO commands (id, kind, server_id, state, sent_by, sent_by_name, expires_at,
                                  delivered_to, fence, delivered_at)
            VALUES (gen_random_uuid(), 'kill', $1, 'delivered', 'system', 'stage',
                    now() + interval '1 hour', $1, 1, now())
            RETURNING id
            """,
            server,
        )
    )


def _is_creation(route: Route | None) -> bool:
    return route is None or (route.method == "POST" and route.path.endswith("{key}/players"))


def _is_about_approvals(route: Route | None) -> bool:
    return route is None or route.path.startswith("/api/v1/approvals")


def _asks_for_password(route: Route) -> bool:
    shape = body_of(route)
    return bool(shape and {"password", "authorization"}.intersection(shape.__struct_fields__))


class _Otherwise(dict[str, object]):
    """A path parameter that nobody foresaw is the id of nothing."""

    def __missing__(self, key: str) -> object:
        return UNKNOWN_ID


async def _own(database: Database, player: UUID, item: UUID, spell: UUID) -> None:
    await database.write(
        lambda writer: writer.run(
            """
            WITH filled AS (
                INSERT INTO slots (player_id, place, slot, item_id, quantity)
                VALUES ($1, 'inventory', 0, $2, 5)
            )
            INSERT INTO player_spells (player_id, slot, spell_id) VALUES ($1, 0, $3)
            """,
            player,
            item,
            spell,
        )
    )


async def _action(database: Database, actor: str, player: UUID) -> UUID:
    by = AuditContext(actor=actor, name="stage")
    spell = await make_spell(database)
    await spells.teach.one(database, Lesson(by=by, player=str(player), spell_id=spell))
    return await database.reader.value("SELECT id FROM actions WHERE actor = $1", actor)


def _is_trade(route: Route | None) -> bool:
    return route is None or route.path.startswith("/api/v1/transactions/")


async def _transaction(database: Database, player: UUID, item: UUID) -> UUID:
    move = MoveItems(
        item_id=item, quantity=1, source=None, target=Endpoint(player=str(player), place="bank")
    )
    by = AuditContext(actor="system", name="stage")
    order = Transaction(by=by, holder=None, expected=(), moves=[move])
    return (await transact.one(database, order)).id


def _verifies(route: Route | None) -> bool:
    return route is not None and route.path == "/api/v1/users/email/verification/complete"


def _is_about_webhooks(route: Route | None) -> bool:
    return route is None or route.path.startswith("/api/v1/webhooks")


async def _webhook(database: Database) -> UUID:
    id_ = uuid4()
    order = NewWebhook(
        by=AuditContext(actor="system", name="stage"),
        viewer=OPERATOR,
        id=id_,
        url="https://8.8.8.8/hook",
        kinds=None,
        sealed=Vault(database.settings).encrypt(f"webhook {id_}", signatures.new_secret()),
    )
    return (await management.create.one(database, order)).id


async def _openid_client(database: Database) -> str:
    order = NewClient(
        by=AuditContext(actor="system", name="stage"),
        name="Forum",
        redirect_uris=("https://forum.example.com/callback",),
    )
    return (await clients.create.one(database, order)).id


def _is_about_appeals(route: Route | None) -> bool:
    return route is None or route.path.startswith("/api/v1/appeals")


def _is_report(route: Route | None) -> bool:
    return route is None or route.path.endswith("/reports")


def _is_about_cases(route: Route | None) -> bool:
    return route is None or route.path.startswith("/api/v1/cases")


async def _case(database: Database, route: Route | None) -> UUID:
    if route is None or not route.path.endswith("/reopen"):
        return await make_case(database)
    closed = {"closed_by": "system", "closed_by_name": "stage", "outcome": "none"}
    return await make_case(database, closed_at=datetime.now(UTC), **closed)


async def _order(database: Database, route: Route | None, item: UUID) -> str:
    """An order without a receiver, and a product of the same id; none for those that make one."""
    made = f"o-{uuid4().hex[:12]}"
    about = route is not None and route.path.startswith(("/api/v1/orders/", "/api/v1/shops/"))
    if route is None or not about or route.method == "PUT":
        return made
    content = Content(lines=(OrderedLine(product=made),))
    by = AuditContext(actor="system", name="stage")
    await intake.put(database, Vault(database.settings), by, "webshop", made, content)
    potion = await make_item(database) if item == UNKNOWN_ID else item
    items = (OrderedItem(item_id=potion, quantity=1),)
    product = ProductChange(by=by, shop="webshop", product=made, name="Potions", items=items)
    await products.change.one(database, product)
    return made


async def _redeem_code(database: Database, route: Route | None) -> str:
    if route is None or not route.path.startswith("/api/v1/codes/"):
        return "0000-0000-0000-00"
    return await make_typed_code(database, await make_item(database))


def _is_about_findings(route: Route | None) -> bool:
    return route is None or route.path.startswith("/api/v1/economy/findings")


async def _finding(database: Database) -> UUID:
    hour = datetime(2026, 3, 1, tzinfo=UTC)
    found = Found(
        measure="created",
        item_id=uuid4(),
        began_at=hour,
        ended_at=hour + timedelta(hours=1),
        quantity=9,
        threshold=5,
    )
    await database.write(lambda writer: discoveries.store(writer, [found]))
    sql = "SELECT id FROM findings WHERE item_id = $1"
    return await database.reader.value(sql, found.item_id)


async def _appeals(database: Database) -> tuple[str, UUID]:
    codes = [f"{part[:4]}-{part[4:8]}" for part in (uuid4().hex.upper(), uuid4().hex.upper())]
    await make_sanction(database, codes[0])
    return codes[0], await make_appeal(database, await make_sanction(database, codes[1]))


async def _secrets(database: Database, user: UUID) -> dict[str, str]:
    """What was mailed to the user, and what they are signed in with."""
    issued = await tokens.issue.one(database, await proved(database, user))
    reset = Reset(user_id=user, id=uuid4())
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO password_resets (user_id, id, expires_at)
            VALUES ($1, $2, now() + interval '30 minutes')
            """,
            reset.user_id,
            reset.id,
        )
    )
    token = resets.link_token(Vault(database.settings), reset)
    return {"token": token, "refresh_token": str(issued.refresh)}


async def _verification(database: Database, user: UUID) -> dict[str, str]:
    """The token that was mailed to the user to verify an address."""
    mail = MailedVerification(user_id=user, id=uuid4())
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO email_verifications (user_id, id, email, expires_at)
            SELECT id, $2, email, now() + interval '1 day' FROM users WHERE id = $1
            """,
            mail.user_id,
            mail.id,
        )
    )
    return {"token": email_proofs.link_token(Vault(database.settings), mail)}
