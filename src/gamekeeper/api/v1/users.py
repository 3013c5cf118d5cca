"""Endpoints of accounts: listed, looked up, registered; their emails and characters."""

from uuid import uuid4

# Its import takes a tenth of a second: at startup, and not in somebody's request.
import email_validator  # noqa: F401

from gamekeeper.api.path_parameters import OwnedPlayerKey, UserKey
from gamekeeper.auth import login_throttle
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import TooManyRequests
from gamekeeper.core.schemas import (
    Body,
    LegacyPage,
    LegacyPaging,
    NameQuery,
    Page,
    Record,
    SortedSearch,
)
from gamekeeper.core.search import Search
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.load_shedding import LOW
from gamekeeper.http.requests import Request
from gamekeeper.http.routing import Routes
from gamekeeper.players import roster
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.records import Player
from gamekeeper.users import (
    accounts,
    common_passwords,
    directory,
    emails,
    languages,
    lookup,
    passwords,
    sort_orders,
)
from gamekeeper.users.common_passwords import GuessablePassword
from gamekeeper.users.directory import UserHits
from gamekeeper.users.lookup import UserNotFound
from gamekeeper.users.passwords import InvalidPasswordHash, PasswordHash
from gamekeeper.users.ranks import Outranked
from gamekeeper.users.records import ChangedUser, User

routes = Routes("/api/v1/users", roles=["users.query"])


def source(caller: Principal, request: Request) -> str:
    """The source that wrong passwords are charged to: a website's API key serves many visitors."""
    return login_throttle.from_client(caller.id, request.address)


@routes.get("", priority=LOW)
async def list_users(reader: Reader, caller: Principal, query: SortedSearch) -> Page[User]:
    """All accounts, by name or in another order."""
    return await sort_orders.list_sorted(
        reader,
        query.window,
        Search.of(query.search),
        query.order,
        query.sort_direction,
        sees_emails=caller.sees_emails,
    )


@routes.get("/search", priority=LOW)
async def search_users(reader: Reader, caller: Principal, query: NameQuery) -> UserHits:
    """The accounts whose names match any part or word, best matches first; then by email."""
    return await directory.search_users(
        reader, Search.required(query.search), query.most, sees_emails=caller.sees_emails
    )


@routes.get("/{key}", raises=(UserNotFound,))
async def get_user(reader: Reader, caller: Principal, key: UserKey) -> User:
    """One account, by username or id."""
    return await accounts.find_user(reader, key, sees_emails=caller.sees_emails)


class Register(Body, frozen=True):
    username: str
    """
    2 to 20 letters or digits of any script, at least one of them a letter, with single `-` or
    `_` between them.
    """
    password: PasswordHash
    """SHA-256 of the password: 64 hexadecimal digits, no hyphens, in any letter case."""
    email: str
    """The email address; each belongs to one account at most."""
    language: str = ""
    """In which the account gets mails, as in POST `/users/{key}/language`."""


class Registered(Record, frozen=True):
    username: str
    email: str


@routes.post(
    "/register",
    raises=(
        accounts.InvalidUsername,
        emails.InvalidEmail,
        InvalidPasswordHash,
        GuessablePassword,
        languages.UnknownLanguage,
        accounts.UsernameTaken,
        emails.EmailTaken,
    ),
    rate="register",
)
async def register_user(
    database: Database, vault: Vault, by: AuditContext, body: Register
) -> Registered:
    """Create an account without powers."""
    accounts.check_name(body.username)
    email = emails.normal(body.email)
    secret = passwords.parse_new("password", body.password)
    words = (body.username, email.partition("@")[0], database.settings.game_name)
    common_passwords.check("password", secret, *words)
    language = languages.parse(body.language)
    user = uuid4()
    registration = accounts.UserRegistration(
        by=by,
        id=user,
        name=body.username,
        email=email,
        email_as_sent=body.email,
        language=language,
        email_tags=tuple(vault.hmacs(accounts.tag_text(email))),
        sealed=await vault.hash(user, secret),
    )
    return await accounts.register.one(
        database, registration, lambda _: Registered(username=body.username, email=body.email)
    )


class ChangeEmail(Body, frozen=True):
    new: str
    """The new email address."""
    authorization: PasswordHash
    """SHA-256 of the current password: 64 hexadecimal digits, no hyphens, in any letter case."""


@routes.post(
    "/{key}/email/change",
    raises=(
        UserNotFound,
        emails.InvalidEmail,
        InvalidPasswordHash,
        passwords.WrongPassword,
        emails.EmailTaken,
        TooManyRequests,
    ),
)
async def change_email(
    database: Database,
    vault: Vault,
    caller: Principal,
    request: Request,
    by: AuditContext,
    key: UserKey,
    body: ChangeEmail,
) -> ChangedUser:
    """Change an account's email, with its password."""
    email = emails.normal(body.new)
    secret = passwords.parse("authorization", body.authorization)
    account = await passwords.prove_or_refuse(
        database, vault, key, secret, source=source(caller, request)
    )
    order = emails.NewEmail(by=by, user=str(account.id), email=email)
    return await emails.change.one(database, order)


class SetLanguage(Body, frozen=True):
    language: str
    """
    `de`, `en`, `es`, `fr`, `pl`, `pt-BR` or `ru`; a regional tag such as `de-AT` gets its language.
    Empty: the operator's default.
    """


@routes.post("/{key}/language", raises=(UserNotFound, languages.UnknownLanguage))
async def set_user_language(
    database: Database, caller: Principal, by: AuditContext, key: UserKey, body: SetLanguage
) -> User:
    """Set the language in which an account gets mails."""
    command = languages.NewLanguage(
        by=by, user=key, language=languages.parse(body.language), sees_emails=caller.sees_emails
    )
    return await languages.change.one(database, command)


@routes.get("/{key}/players", raises=(UserNotFound,))
async def list_users_players(reader: Reader, key: UserKey) -> list[Player]:
    """An account's characters, in the order of their creation."""
    return await roster.of_user(reader, await lookup.find_user_id(reader, key))


@routes.get("/{key}/players/{player}", raises=(UserNotFound, PlayerNotFound))
async def get_users_player(reader: Reader, key: UserKey, player: OwnedPlayerKey) -> Player:
    """One of an account's characters, by name, id or index."""
    return await roster.one_of_user(reader, await lookup.find_user_id(reader, key), player)


class ManageEmail(Body, frozen=True):
    new: str
    """The new email address."""


@routes.post(
    "/{key}/manage/email/change",
    "users.manage",
    raises=(UserNotFound, Outranked, emails.InvalidEmail, emails.EmailTaken),
    step_up=True,
)
async def manage_email(
    database: Database, caller: Principal, by: AuditContext, key: UserKey, body: ManageEmail
) -> ChangedUser:
    """Change the email of an account that has no power the caller lacks, without its password."""
    order = emails.NewEmail(by=by, user=key, email=emails.normal(body.new), manager=caller)
    return await emails.change.one(database, order)


@routes.post("", successor="/api/v1/users", priority=LOW)
async def list_users_by_post(
    reader: Reader, caller: Principal, body: LegacyPaging
) -> LegacyPage[User]:
    """All accounts, by name, in the older envelope."""
    page = await accounts.list_users(reader, body.window, None, sees_emails=caller.sees_emails)
    return LegacyPage.of(page)
