"""
Redemption of codes: the letter, its postings and the use of the code, in one transaction.

The character is locked first, then the code: as late as possible, because many accounts may redeem
one code at once. The unique row of the account and the campaign makes sure that it happens once,
whatever is sent how often. Limits and economy rules do not apply: they applied to the author of
the batch, who has no limits.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth import login_throttle
from gamekeeper.auth.secrets import Vault
from gamekeeper.codes import checks, locks, storage, symbols
from gamekeeper.codes.records import CodeBatch, RedeemedCode
from gamekeeper.codes.storage import PARTS, StoredCode
from gamekeeper.core import ids
from gamekeeper.core.errors import Conflict, NotFound, Problem
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import AuditContext, Command, operation
from gamekeeper.ledger.actions import Action
from gamekeeper.players import receivers
from gamekeeper.players.lookup import find_player_ids, unknown
from gamekeeper.players.mailbox import rows
from gamekeeper.players.mailbox.letters import Letters
from gamekeeper.players.mailbox.records import Letter
from gamekeeper.players.receivers import WantedReceiver
from gamekeeper.players.state import Needs, State


class UnknownCode(NotFound):
    """This code does not exist. Check the code."""


class CodeExpired(Conflict):
    """The code has expired."""


class CodeNotStarted(Conflict):
    """The code cannot be redeemed yet."""

    cacheable = False


class CodeRevoked(Conflict):
    """The code was revoked."""


class CodeUsedUp(Conflict):
    """The code has no uses left."""


class CodeAlreadyRedeemed(Conflict):
    """The account has already redeemed a code of this campaign."""


class NoCharacter(Conflict):
    """The account has no character to receive the items. Create one first."""

    cacheable = False


class Redeem(Command, frozen=True, kw_only=True):
    """An account redeems a code."""

    user_id: UUID
    hashes: tuple[UUID, ...]
    """Keyed hashes of the code under all keys."""
    player_id: UUID | None = None
    """One of its characters; None: the one that was played last."""

    def __repr__(self) -> str:
        return f"Redeem({self.user_id})"


class CodeReceiver(Struct, frozen=True):
    """The account that redeems, and perhaps the character that was named."""

    user_id: UUID
    player_id: UUID | None = None


async def find_receiver(
    database: Database, user: UUID | None, character: str | None
) -> CodeReceiver:
    """An account, a character, or a character that must belong to the account."""
    if character is None:
        assert user is not None
        return CodeReceiver(user)
    # Not from a replica: the character may be new.
    [player] = await find_player_ids(database.reader, [character])
    owner = await database.reader.value("SELECT user_id FROM players WHERE id = $1", player)
    if owner is None or user not in (None, owner):
        raise unknown(character)
    return CodeReceiver(owner, player)


async def redeem_code(
    database: Database,
    vault: Vault,
    by: AuditContext,
    receiver: CodeReceiver,
    typed: str,
    *,
    source: str,
) -> RedeemedCode:
    """Redeem a code; an unknown one is charged to the account and to the `source` of the guess."""
    subjects = [f"redeem_account:{receiver.user_id}", source]
    await database.write(lambda writer: login_throttle.charge_all(writer, subjects))
    command = Redeem(
        by=by,
        user_id=receiver.user_id,
        hashes=symbols.typed_hashes(vault, typed),
        player_id=receiver.player_id,
    )
    try:
        return await redeem.one(database, command)
    except UnknownCode:
        subjects = []
        raise
    finally:
        # Every other outcome means that the code exists, or that it was not looked up.
        await database.write(lambda writer: _refund(writer, subjects))


async def _refund(writer: Writer, subjects: Sequence[str]) -> None:
    for subject in sorted(subjects):
        await login_throttle.refund(writer, subject)


def source_address(address: str) -> str:
    """The budget of an address from which accounts redeem codes themselves."""
    return f"redeem:{login_throttle.from_address(address)}"


def source_client(actor: str) -> str:
    """The budget of a game server, a website or staff that redeem codes for accounts."""
    return f"redeem_client:{actor}"


# Not batched: it needs the locks of a character and of a code, and would wait for both.
@operation
async def redeem(writer: Writer, commands: Sequence[Redeem]) -> list[RedeemedCode | Problem]:
    """Redeem codes, each once per account and campaign."""
    return [await _attempt(writer, command) for command in commands]


async def _attempt(writer: Writer, command: Redeem) -> RedeemedCode | Problem:
    try:
        return await _redeem(writer, command)
    except Problem as refusal:
        # Everything is checked before anything is written.
        return refusal


async def _redeem(writer: Writer, command: Redeem) -> RedeemedCode:
    code = await storage.find_code(writer, command.hashes)
    if code is None:
        raise UnknownCode
    # Before the batch is read: a revocation waits for this transaction, or is seen by it.
    await writer.run(locks.SHARED, code.batch_id)
    batch = await storage.find_batch(writer, code.batch_id)
    check_batch(batch, await writer.value("SELECT clock_timestamp()"))
    await _check_first(writer, command, batch, code)
    check_code(batch, code)
    return await _give(writer, command, batch, code)


def check_batch(batch: CodeBatch, now: datetime) -> None:
    """Raise the reason why no code of a batch can be redeemed now."""
    if batch.state == "revoked":
        raise CodeRevoked
    if batch.state != "active":
        # Its owner may not have the codes yet; those of a broken download never count.
        raise UnknownCode
    if batch.starts_at and now < batch.starts_at:
        raise CodeNotStarted(None, starts_at=batch.starts_at)
    if batch.expires_at and now >= batch.expires_at:
        raise CodeExpired(None, expired_at=batch.expires_at)


def check_code(batch: CodeBatch, code: StoredCode) -> None:
    """Raise the reason why one code of a batch cannot be redeemed."""
    if code.revoked_at is not None:
        raise CodeRevoked
    if code.used >= batch.uses:
        raise CodeUsedUp


async def _check_first(writer: Writer, command: Redeem, batch: CodeBatch, code: StoredCode) -> None:
    found = await writer.rows(
        """
        SELECT hash, letter_id, redeemed_at FROM code_redemptions
         WHERE user_id = $1 AND campaign = $2
        """,
        command.user_id,
        batch.campaign,
    )
    for row in found:
        # A caller whose answer was lost recognises its own redemption by `same_code`.
        raise CodeAlreadyRedeemed(
            None,
            campaign=batch.campaign,
            same_code=row["hash"] == code.hash,
            letter_id=row["letter_id"],
            redeemed_at=row["redeemed_at"],
        )


async def _give(
    writer: Writer, command: Redeem, batch: CodeBatch, code: StoredCode
) -> RedeemedCode:
    redemption = ids.new_id()
    wanted = WantedReceiver(redemption, command.user_id, command.player_id)
    player = (await receivers.characters_for(writer, [wanted])).get(redemption)
    if player is None:
        raise NoCharacter
    needs = Needs(items={item.item_id for item in batch.items})
    state = await State.lock(writer, [str(player)], needs)
    letter = await _letter(writer, state, command.by, player, batch)
    locked = await storage.lock_code(writer, code.hash)
    check_code(batch, locked)
    await _use(writer, command, batch, locked, redemption, letter)
    await state.save(writer)
    return RedeemedCode(
        id=redemption,
        campaign=batch.campaign,
        player_id=player,
        letter_id=letter.id,
        subject=letter.subject,
        items=batch.items,
        redeemed_at=letter.sent_at,
    )


async def _letter(
    writer: Writer, state: State, by: AuditContext, player: UUID, batch: CodeBatch
) -> Letter:
    """The letter in memory; `save` writes it after the code was used."""
    letters = Letters(
        state, await state.load_letters(writer, ()), await rows.sizes(writer, state.players)
    )
    about = {"batch_id": batch.id, "batch": batch.name, "campaign": batch.campaign}
    action = Action(kind="codes.redeem", by=by, player_id=state.player(str(player)), after=about)
    return letters.send_new(action, checks.draft_of(batch))


async def _use(
    writer: Writer,
    command: Redeem,
    batch: CodeBatch,
    code: StoredCode,
    redemption: UUID,
    letter: Letter,
) -> None:
    """Count one use of a locked code, or raise; the row that is inserted first decides."""
    inserted = await writer.run(
        """
        INSERT INTO code_redemptions (id, hash, batch_id, campaign, user_id, player_id, letter_id,
                                      redeemed_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (user_id, campaign) DO NOTHING
        """,
        redemption,
        code.hash,
        batch.id,
        batch.campaign,
        command.user_id,
        letter.player_id,
        letter.id,
        letter.sent_at,
    )
    if not inserted:
        await _check_first(writer, command, batch, code)
        # Its row is gone already, by an erasure. Without a row there must be no letter.
        raise CodeAlreadyRedeemed(None, campaign=batch.campaign, same_code=False)
    await writer.run("UPDATE codes SET used = used + 1 WHERE hash = $1", code.hash)
    await writer.run(
        """
        INSERT INTO code_counts AS old (batch_id, part, redeemed) VALUES ($1, $2, 1)
        ON CONFLICT (batch_id, part) DO UPDATE SET redeemed = old.redeemed + 1
        """,
        batch.id,
        code.hash.int % PARTS,
    )
