"""What Intersect's clients ask first: the name, the limits and the state of the game."""

from time import monotonic
from urllib.parse import urlsplit

from gamekeeper.catalog import classes
from gamekeeper.core.parsing import JsonObject
from gamekeeper.core.schemas import Record, Reply
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Reader
from gamekeeper.http.routing import Routes
from gamekeeper.players import roster

# In Intersect any token opens these, and every account's token has this scope.
routes = Routes("/api/v1/info", roles=["players.read"])

# What a client asks before it has a credential: which versions of the API there are.
public = Routes("/api/info", roles=None)

VERSIONS = ["v1"]
STATS = ["Attack", "AbilityPower", "Defense", "MagicResist", "Speed"]
"""In the order in which records of characters and items have their values."""

STARTED = monotonic()
PORTS = {"http": 80, "https": 443}


class ApiInfo(Reply, frozen=True):
    versions: list[str]


@public.get("")
async def get_api_info() -> ApiInfo:
    """The versions of the API."""
    return ApiInfo(versions=VERSIONS)


@public.get("/versions")
async def list_api_versions() -> list[str]:
    """The versions of the API, alone."""
    return VERSIONS


class GameInfo(Reply, frozen=True):
    name: str
    port: int
    """Of this service's public address."""


@routes.get("")
async def get_info(settings: Settings) -> GameInfo:
    """The name of the game, and the port of this service's public address."""
    return GameInfo(name=settings.game_name, port=port_of(settings.public_url))


class Authorized(Reply, frozen=True):
    authorized: bool


@routes.get("/authorized")
async def get_authorized() -> Authorized:
    """Check that the credential is valid; otherwise the request is refused."""
    return Authorized(authorized=True)


class GameStats(Reply, frozen=True):
    uptime: int
    """Milliseconds since this process started; over 32 bits after 24 days."""
    cps: int
    """Always 0: the cycles of a game server are not known here."""
    connected_clients: int
    """As `onlineCount`: clients that only show a menu are not counted."""
    online_count: int
    """The number of characters online."""


@routes.get("/stats")
async def get_stats(reader: Reader) -> GameStats:
    """The uptime of this process and the number of characters online."""
    online = await roster.online_count(reader)
    return GameStats(
        uptime=int((monotonic() - STARTED) * 1000),
        cps=0,
        connected_clients=online,
        online_count=online,
    )


class PlayerLimits(Record, frozen=True):
    """The limits of characters."""

    max_characters: int
    """Of one account."""
    max_inventory: int
    """Slots."""
    max_bank: int
    """Slots."""
    initial_bankslots: int
    """The same as `MaxBank`, for newer clients."""
    max_level: int
    """The highest maximum level of all classes."""
    max_spells: int
    """Slots."""
    max_stat: int
    """The maximum that can be stored; the game may have a lower limit."""


class GameConfig(Record, frozen=True):
    game_name: str
    server_port: int
    """Of this service's public address."""
    player: PlayerLimits


@routes.get("/config")
async def get_config(settings: Settings, reader: Reader) -> GameConfig:
    """The name of the game and the limits of its characters, as they are configured here."""
    return GameConfig(
        game_name=settings.game_name,
        server_port=port_of(settings.public_url),
        player=PlayerLimits(
            max_characters=settings.characters_per_user,
            max_inventory=settings.inventory_slots,
            max_bank=settings.bank_slots,
            initial_bankslots=settings.bank_slots,
            max_level=await classes.highest_level(reader),
            max_spells=settings.spell_slots,
            max_stat=classes.MAX_STAT,
        ),
    )


@routes.get("/config/stats")
async def list_stat_names() -> list[str]:
    """The names of the stats, in the order of their values."""
    return STATS


@routes.get("/metrics")
async def get_game_metrics() -> JsonObject:
    """Always empty: those of this service are at `/metrics`, and a game server has its own."""
    return {}


def port_of(url: str) -> int:
    """The port of a URL, or 0 if it has none that can be known."""
    try:
        parts = urlsplit(url)
        return parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:
        return 0
