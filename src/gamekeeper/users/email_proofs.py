"""Proofs of email addresses: the link or the code of a mail, or a member of staff."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from gamekeeper.auth import login_throttle
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Invalid, Problem
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.users import mailed_proofs, verified_emails
from gamekeeper.users.email_verification import MailedVerification
from gamekeeper.users.lookup import UserNotFound, find_user_ids, lock
from gamekeeper.users.mailed_proofs import CODE_TRIES
from gamekeeper.users.verified_emails import Method


class InvalidVerification(Invalid):
    """The link or code is wrong, used or expired. Request a new email."""


class EmailProof(Command, frozen=True, kw_only=True):
    """A link or a code that was checked."""

    verification: MailedVerification


class StaffVerification(Command, frozen=True, kw_only=True):
    user_id: UUID


def link_token(vault: Vault, verification: MailedVerification) -> str:
    return mailed_proofs.link_tokens(vault, "verify ", verification.user_id, verification.id)[0]


def code(vault: Vault, verification: MailedVerification) -> str:
    return _codes(vault, verification)[0]


def _codes(vault: Vault, verification: MailedVerification) -> list[str]:
    return mailed_proofs.codes(vault, "verify ", verification.user_id, verification.id)


class LinkProof(Command, frozen=True, kw_only=True):
    token: str

    def __repr__(self) -> str:
        return "LinkProof(***)"


class CodeProof(Command, frozen=True, kw_only=True):
    user: str
    """A name or an id."""
    code: str

    def __repr__(self) -> str:
        return f"CodeProof({self.user!r})"


async def complete_by_link(database: Database, vault: Vault, proof: LinkProof) -> None:
    """Verify an address with the token of the mailed link."""
    if (named := mailed_proofs.parse_token(proof.token)) is None:
        raise InvalidVerification
    right = mailed_proofs.link_tokens(vault, "verify ", *named)
    if not mailed_proofs.is_one_of(proof.token, right):
        raise InvalidVerification
    verification = MailedVerification(user_id=named[0], id=named[1])
    await complete.one(database, EmailProof(verification=verification, by=proof.by))


async def complete_by_code(database: Database, vault: Vault, proof: CodeProof) -> None:
    """
    Verify an address with the mailed code; after five tries only the link is valid.

    An unknown name runs the same statements, so timing does not reveal which accounts exist.
    """
    [user] = await find_user_ids(database.reader, [proof.user])
    given = mailed_proofs.tidy(proof.code)
    budget = f"verify:{login_throttle.from_address(proof.by.address)}"
    for verification in await _try(database, user, budget):
        if mailed_proofs.is_one_of(given, _codes(vault, verification)):
            await database.write(lambda writer: login_throttle.refund(writer, budget))
            await complete.one(database, EmailProof(verification=verification, by=proof.by))
            return
    raise InvalidVerification


async def _try(database: Database, user: UUID | None, budget: str) -> list[MailedVerification]:
    """
    Charge a try to the address's budget and to each open verification; return those with tries.

    The first charge is written whether or not there is one, so that both cases commit
    (timing attacks).
    """

    async def work(writer: Writer) -> list[MailedVerification]:
        await login_throttle.charge_all(writer, [budget])
        return await writer.all(
            MailedVerification,
            """
            UPDATE email_verifications SET code_tries = code_tries + 1
             WHERE user_id = $1 AND used_at IS NULL AND expires_at > statement_timestamp()
               AND code_tries < $2
            RETURNING user_id, id
            """,
            user,
            CODE_TRIES,
        )

    return await database.write(work)


@operation
async def complete(writer: Writer, commands: Sequence[EmailProof]) -> list[Problem | None]:
    """Use up verifications whose address is still that of their account, and record the proof."""
    users = [command.verification.user_id for command in commands]
    # A change of address locks the account, too: it comes before this or after it.
    await lock(writer, users)
    rows = await writer.rows(
        """
        UPDATE email_verifications SET used_at = now()
          FROM users
         WHERE users.id = user_id AND users.email = email_verifications.email
           AND user_id = ANY($1)
           AND (user_id, email_verifications.id)
               IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
           AND used_at IS NULL AND expires_at > statement_timestamp()
        RETURNING user_id, email_verifications.id
        """,
        users,
        [command.verification.id for command in commands],
    )
    used = {(row["user_id"], row["id"]) for row in rows}
    outcomes: list[Problem | None] = []
    good: dict[UUID, Command] = {}
    for command in commands:
        key = (command.verification.user_id, command.verification.id)
        outcomes.append(None if key in used else InvalidVerification())
        if key in used:
            # Of equal commands one uses the link up.
            used.discard(key)
            good[command.verification.user_id] = command
    await _record(writer, good, "mail")
    return outcomes


@operation
async def verify(writer: Writer, commands: Sequence[StaffVerification]) -> list[Problem | None]:
    """Record that staff verified the present addresses of accounts."""
    users = await lock(writer, [command.user_id for command in commands])
    await _record(
        writer,
        {command.user_id: command for command in commands if command.user_id in users},
        "staff",
    )
    return [None if command.user_id in users else UserNotFound() for command in commands]


async def _record(writer: Writer, good: Mapping[UUID, Command], method: Method) -> None:
    new = await verified_emails.record(writer, dict.fromkeys(good, method))
    await actions.record(
        writer,
        [
            Action(kind="users.verify", by=good[user].by, user_id=user, after={"method": method})
            for user in new
        ],
    )
