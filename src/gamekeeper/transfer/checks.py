"""
Rules for a line that need the catalog and the settings, but not the database.

`check` also normalises the line: typed variables, sorted slots, ids of bags. Then a line is
equal to what an export writes for the same character.
"""

from collections.abc import Mapping
from datetime import UTC
from functools import lru_cache
from re import compile as pattern
from typing import get_args
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from gamekeeper.auth.secrets import imported_digest, is_record
from gamekeeper.catalog.variables import Variable, of_type
from gamekeeper.core import names, parsing
from gamekeeper.core.ids import NIL
from gamekeeper.core.parsing import Scalar, Unreadable
from gamekeeper.core.settings import Settings
from gamekeeper.players.memberships import OWNER
from gamekeeper.transfer.item_checks import Faults, guild_bank, places
from gamekeeper.transfer.known_catalog import KnownCatalog
from gamekeeper.transfer.letters import check_letters
from gamekeeper.transfer.lines import (
    GameVariableLine,
    GuildLine,
    Line,
    MemberLine,
    PlayerLine,
    PowerName,
    SanctionLine,
    UserLine,
)
from gamekeeper.users import emails, languages
from gamekeeper.users.emails import InvalidEmail
from gamekeeper.users.languages import UnknownLanguage
from gamekeeper.users.passwords import EMPTY

POWER_NAMES: list[PowerName] = sorted(get_args(PowerName))

NO_ADDRESS = "no-address.invalid"
"""The domain of accounts that have no usable address: no mail can ever reach it (RFC 2606)."""
PLAIN_LOCAL = pattern(r"[A-Za-z0-9]+(?:[._+-][A-Za-z0-9]+)*")


def check(line: Line, catalog: KnownCatalog, settings: Settings) -> Faults:
    """Normalise the line; yields what is wrong with it."""
    if line.id == NIL:
        yield "id", "must not be all zeros"
    yield from _times(line, *TIMES[type(line)])
    match line:
        case UserLine():
            yield from _name(line)
            _settle_mute(line)
            yield from _user(line)
            yield from _variables(line.variables, catalog.variables["user"])
        case PlayerLine():
            yield from _name(line)
            yield from _sheet(line, catalog, settings)
            yield from places(line, catalog, settings)
            yield from check_letters(line, catalog)
            yield from _spells(line, catalog, settings)
            yield from _variables(line.variables, catalog.variables["player"])
            yield from _extras(line)
        case GuildLine():
            yield from _guild(line, catalog)
        case SanctionLine():
            yield from _sanction(line)
        case GameVariableLine():
            yield from _game_variable(line, catalog.variables["game"])


TIMES: Mapping[type[Line], tuple[str, ...]] = {
    UserLine: ("created_at",),
    PlayerLine: ("created_at", "last_online"),
    GuildLine: ("founded_at",),
    SanctionLine: ("starts_at", "ends_at", "imposed_at", "lifted_at"),
    GameVariableLine: (),
}
"""The fields that are instants."""


def _name(line: UserLine | PlayerLine) -> Faults:
    if line.name is UNSET:
        return
    if not line.name.strip():
        yield "name", "must not be blank"
    if not isinstance(names.parse(line.name), str):
        yield "name", "looks like an id, so it cannot be used as a name"


def _settle_mute(line: UserLine) -> None:
    """Nobody who is not muted has a reason for it; without `is_muted` there is nothing to say."""
    if line.mute_reason is not UNSET and line.is_muted is not True:
        line.mute_reason = None if line.is_muted is False else UNSET
    line.mute_reason = line.mute_reason or (UNSET if line.mute_reason is UNSET else None)


def _times(line: Line | MemberLine, *fields: str) -> Faults:
    for name in fields:
        if at := getattr(line, name):
            try:
                setattr(line, name, at.astimezone(UTC))
            except OverflowError:
                yield name, "is before the year 1 or after 9999 in UTC"


# ── Accounts ──


def _user(line: UserLine) -> Faults:
    if line.email is not UNSET:
        try:
            line.email = normal_email(line.email)
        except InvalidEmail as fault:
            yield "email", str(fault)
    if isinstance(line.language, str):
        try:
            line.language = languages.parse(line.language)
        except UnknownLanguage as fault:
            yield "language", str(fault)
    if line.powers is not UNSET:
        line.powers = [power for power in POWER_NAMES if power in line.powers]
    if line.password is not UNSET:
        given = line.password
        if (given.sealed is None) == (given.sha256 is None):
            yield "password", "must have either 'sha256' or 'sealed'"
        elif given.sealed is not None and (given.salt is not None or not is_record(given.sealed)):
            yield "password.sealed", "is not a record of Gamekeeper"
        elif given.sha256 is not None and bytes.fromhex(given.sha256) == imported_digest(
            bytes.fromhex(EMPTY), given.salt or ""
        ):
            yield "password.sha256", "is the hash of an empty password"


def normal_email(email: str) -> str:
    """As `emails.normal`, which takes long: a plain address needs only its domain checked."""
    local, _, domain = email.rpartition("@")
    if domain == NO_ADDRESS and PLAIN_LOCAL.fullmatch(local):
        return email
    if len(email) > emails.MAX_EMAIL_LENGTH or len(local) > emails.MAX_LOCAL_PART_LENGTH:
        return emails.normal(email)
    if not PLAIN_LOCAL.fullmatch(local) or not domain.isascii():
        return emails.normal(email)
    return f"{local}@{_domain(domain)}"


@lru_cache(100_000)
def _domain(domain: str) -> str:
    return emails.normal(f"a@{domain}").rpartition("@")[2]


# ── The sheet ──


def _sheet(line: PlayerLine, catalog: KnownCatalog, settings: Settings) -> Faults:
    if line.class_id is not UNSET:
        kind = catalog.classes.get(line.class_id)
        if kind is None:
            yield "class_id", f"the catalog has no class {line.class_id}"
        elif line.level is not UNSET and line.level > kind.max_level:
            yield "level", f"is {line.level}, but the highest of the class is {kind.max_level}"
    if line.vitals is not UNSET and line.max_vitals is not UNSET:
        vitals = zip(line.vitals, line.max_vitals, strict=True)
        if any(now > most for now, most in vitals):
            yield "vitals", "must not be above max_vitals"
    if line.equipment is not UNSET:
        worn = range(-1, settings.inventory_slots)
        if any(slot not in worn for slot in line.equipment):
            yield "equipment", f"must be slots of the inventory, 0 to {worn.stop - 1}, or -1"
    if line.name_color:
        line.name_color = "#" + line.name_color[1:].upper().rjust(8, "F")


# ── Spells and variables ──


def _spells(line: PlayerLine, catalog: KnownCatalog, settings: Settings) -> Faults:
    if not line.spells:
        return
    slots: set[int] = set()
    known: set[UUID] = set()
    for index, spell in enumerate(line.spells):
        where = f"spells[{index}]"
        if spell.spell_id not in catalog.spells:
            yield f"{where}.spell_id", f"the catalog has no spell {spell.spell_id}"
        if spell.spell_id in known:
            yield f"{where}.spell_id", f"spell {spell.spell_id} is there twice"
        if spell.slot in slots:
            yield f"{where}.slot", f"slot {spell.slot} is there twice"
        if spell.slot >= settings.spell_slots:
            yield f"{where}.slot", f"is {spell.slot}, but there are {settings.spell_slots} slots"
        slots.add(spell.slot)
        known.add(spell.spell_id)
    line.spells.sort(key=lambda spell: spell.slot)


def _extras(line: PlayerLine) -> Faults:
    if line.extras and b"\\u0000" in msgspec.json.encode(line.extras):
        yield "extras", "must not contain NUL"


def _variables(values: dict[UUID, Scalar] | UnsetType, declared: Mapping[UUID, Variable]) -> Faults:
    if not values:
        return
    for variable_id, value in values.items():
        variable = declared.get(variable_id)
        where = f"variables.{variable_id}"
        if variable is None:
            yield where, "the catalog does not have this variable"
            continue
        try:
            values[variable_id] = of_type(variable, parsing.scalar(value))
        except Unreadable as wanted:
            yield where, f"'{variable.name}' takes {wanted}"


def _game_variable(line: GameVariableLine, declared: Mapping[UUID, Variable]) -> Faults:
    values = {line.id: line.value}
    for _, reason in _variables(values, declared):
        yield ("value" if line.id in declared else "id"), reason
    line.value = values[line.id]


# ── Guilds and sanctions ──


def _guild(line: GuildLine, catalog: KnownCatalog) -> Faults:
    if line.name is not UNSET and not line.name.strip():
        yield "name", "must not be blank"
    yield from _members(line)
    yield from guild_bank(line, catalog)
    yield from _variables(line.variables, catalog.variables["guild"])


def _members(line: GuildLine) -> Faults:
    if not line.members:
        return
    seen: set[UUID] = set()
    owners = 0
    for index, member in enumerate(line.members):
        where = f"members[{index}]"
        for name, reason in _times(member, "joined_at"):
            yield f"{where}.{name}", reason
        if member.player_id in seen:
            yield f"{where}.player_id", f"the character {member.player_id} is there twice"
        seen.add(member.player_id)
        owners += member.rank == OWNER
    if owners > 1:
        yield "members", f"{owners} have the rank {OWNER}, but a guild has one owner"
    line.members.sort(key=lambda member: member.player_id)


def _sanction(line: SanctionLine) -> Faults:
    if line.starts_at is not UNSET and line.ends_at and line.ends_at < line.starts_at:
        yield "ends_at", "is before starts_at"
    if (line.lifted_by or line.lift_reason) and not line.lifted_at:
        yield "lifted_at", "is missing, but the sanction has fields of a lifted one"
