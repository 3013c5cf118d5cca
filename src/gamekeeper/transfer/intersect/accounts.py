"""Accounts of the other game as lines of an import: names, addresses, powers, passwords."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from msgspec import UNSET

from gamekeeper.auth.secrets import imported_digest
from gamekeeper.core.names import fold
from gamekeeper.db.database import Queryable
from gamekeeper.transfer.checks import NO_ADDRESS, normal_email
from gamekeeper.transfer.intersect.names import WINDOW, Candidate, settle
from gamekeeper.transfer.intersect.notes import Notes
from gamekeeper.transfer.intersect.sources import Source
from gamekeeper.transfer.intersect.values import UnreadableValue, guid, json, moment, text
from gamekeeper.transfer.lines import PasswordField, UserLine
from gamekeeper.users.accounts import PowerName
from gamekeeper.users.emails import InvalidEmail
from gamekeeper.users.passwords import EMPTY, HASH

POWERS: dict[str, tuple[PowerName, ...]] = {
    "Editor": ("editor",),
    "Ban": ("ban",),
    "Kick": ("kick",),
    "Mute": ("mute",),
    "Api": ("api",),
    "PersonalInformation": ("personal_information",),
    # There the query also shows addresses.
    "UserQuery": ("user_query", "personal_information"),
    "UserManage": ("user_management",),
}
LONGEST_SALT = 128


class Accounts:
    """The accounts of a source, each with its name and address settled."""

    def __init__(self, source: Source, notes: Notes) -> None:
        self.source, self.notes = source, notes
        self.names: dict[UUID, str] = {}
        self._emails: dict[UUID, str] = {}

    async def settle(self, reader: Queryable) -> None:
        """Decide who keeps which name and which address."""
        candidates: list[Candidate] = []
        addresses: list[Candidate] = []
        played = self._played()
        for raw_id, name, email, registered in self.source.players.rows(
            "Users", ["Id", "Name", "Email", "RegistrationDate"]
        ):
            user = self._id(raw_id)
            if user is None:
                continue
            # Who never played comes after who did, whatever the date of registration.
            activity = f"{played.get(user) or '0'} {text(registered, 40)}"
            candidates.append(Candidate(user, str(name or "")[:1000], activity))
            addresses.append(Candidate(user, str(email or "")[:1000], activity))
        candidates = self._once(candidates)
        erased = await _erased(reader, [candidate.id for candidate in candidates])
        for candidate in candidates:
            if candidate.id in erased:
                self.notes.add("erased_here", str(candidate.id))
        self.names = await settle(
            reader,
            [candidate for candidate in candidates if candidate.id not in erased],
            self.notes,
            users=True,
        )
        addresses = [
            candidate
            for candidate in self._once(addresses, say=False)
            if candidate.id in self.names
        ]
        await self._settle_addresses(reader, addresses)

    def _once(self, given: list[Candidate], *, say: bool = True) -> list[Candidate]:
        found = {candidate.id: candidate for candidate in given}
        if say and len(found) < len(given):
            self.notes.add(
                "row_unreadable", "Users", "the same id twice", count=len(given) - len(found)
            )
        return list(found.values())

    def _id(self, value: Any) -> UUID | None:
        try:
            found = guid(value)
        except UnreadableValue:
            found = None
        if found is None:
            self.notes.add("row_unreadable", "Users", f"{value!r:.60}")
        return found

    def _played(self) -> dict[UUID, str]:
        """When somebody last played a character of each account, as it is stored."""
        latest: dict[UUID, str] = {}
        for raw, online in self.source.players.rows("Players", ["UserId", "LastOnline"]):
            try:
                user = guid(raw)
            except UnreadableValue:
                continue
            if user:
                latest[user] = max(latest.get(user, ""), text(online, 40))
        return latest

    async def _settle_addresses(self, reader: Queryable, addresses: list[Candidate]) -> None:
        addresses.sort(key=lambda one: (one.activity, one.id), reverse=True)
        usable = {candidate.id: _address(candidate.name) for candidate in addresses}
        owners = await _owners(reader, [fold(email) for email in usable.values() if email])
        for candidate in addresses:
            email = usable[candidate.id]
            if email is None:
                why = "is not an email address" if candidate.name else "is empty"
            elif owners.get(fold(email), candidate.id) != candidate.id:
                why = "another account has it that played later or already exists here"
            else:
                owners[fold(email)] = candidate.id
                self._emails[candidate.id] = email
                continue
            self._emails[candidate.id] = f"{candidate.id.hex}@{NO_ADDRESS}"
            self.notes.add(
                "address_replaced", self.names[candidate.id], f"'{candidate.name[:80]}' {why}"
            )

    def lines(self) -> Iterator[UserLine]:
        """A line for each account."""
        columns = ("Id", "Password", "Salt", "Power", "RegistrationDate")
        seen: set[UUID] = set()
        for row in self.source.players.rows("Users", columns):
            raw_id, password, salt, power, registered = row
            try:
                user = guid(raw_id)
            except UnreadableValue:
                continue
            if user is None or user not in self.names or user in seen:
                continue
            seen.add(user)
            yield UserLine(
                id=user,
                name=self.names[user],
                email=self._emails[user],
                password=self._password(user, password, salt),
                powers=self._powers(user, power),
                created_at=self._created(user, registered),
            )

    def _created(self, user: UUID, value: Any) -> Any:
        try:
            found = moment(value)
        except UnreadableValue:
            found = None
        if found is None:
            self.notes.add("registration_unknown", self.names[user])
        return found or UNSET

    def _password(self, user: UUID, password: Any, salt: Any) -> Any:
        digest, salt = text(password, 100), text(salt, LONGEST_SALT + 1)
        if not HASH.fullmatch(digest) or not 1 <= len(salt) <= LONGEST_SALT:
            self.notes.add("password_missing", self.names[user])
            return UNSET
        if bytes.fromhex(digest) == imported_digest(bytes.fromhex(EMPTY), salt):
            self.notes.add("password_missing", self.names[user], "the password is empty")
            return UNSET
        return PasswordField(sha256=digest.lower(), salt=salt)

    def _powers(self, user: UUID, value: Any) -> list[PowerName]:
        try:
            given: Any = json(value)
        except UnreadableValue:
            self.notes.add("value_corrected", self.names[user], "powers are unreadable: none")
            return []
        if not isinstance(given, dict):
            return []
        roles = given.get("ApiRoles")
        flags = {**(roles if isinstance(roles, dict) else {}), **given}
        return sorted(
            {power for name, ours in POWERS.items() if flags.get(name) is True for power in ours}
        )


def _address(given: str) -> str | None:
    try:
        return normal_email(given.strip()) if given.strip() else None
    except InvalidEmail:
        return None


async def _erased(reader: Queryable, ids: list[UUID]) -> set[UUID]:
    """The accounts that were erased here: whoever asked for that must not come back."""
    found: set[UUID] = set()
    for start in range(0, len(ids), WINDOW):
        rows = await reader.rows(
            "SELECT user_id FROM erased_users WHERE user_id = ANY($1)", ids[start : start + WINDOW]
        )
        found |= {row["user_id"] for row in rows}
    return found


async def _owners(reader: Queryable, keys: list[str]) -> dict[str, UUID]:
    found: dict[str, UUID] = {}
    for start in range(0, len(keys), WINDOW):
        rows = await reader.rows(
            "SELECT email_key, user_id FROM user_emails WHERE email_key = ANY($1)",
            keys[start : start + WINDOW],
        )
        found |= {row["email_key"]: row["user_id"] for row in rows}
    return found
