"""Commands of redeem codes: create batches to a file, look codes up, redeem and revoke them."""

import os
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from gamekeeper.auth.secrets import Vault
from gamekeeper.cli.actor import By
from gamekeeper.cli.campaigns import more
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.cli.mailbox import letter_item
from gamekeeper.cli.names import FoundPlayer
from gamekeeper.cli.options import Limit, an_id
from gamekeeper.cli.times import Clock, TerminalClock
from gamekeeper.codes import batches, generation, lookup, redemption, storage, symbols
from gamekeeper.codes.batches import BatchCommand, CodeRevocation, NewBatch
from gamekeeper.codes.checks import InvalidCodeBatch
from gamekeeper.codes.records import CodeBatch, CodeItem, CodeRedemption
from gamekeeper.db.database import Database

BatchId = Annotated[UUID, typer.Argument(metavar="BATCH", parser=an_id, help="The batch's id.")]
Code = Annotated[
    str, typer.Argument(metavar="CODE", help="In any letter case, with or without hyphens.")
]
CampaignName = Annotated[
    str,
    typer.Argument(
        metavar="CAMPAIGN", help="An account redeems one code of a campaign: spring-2026."
    ),
]
OfCampaign = Annotated[
    str | None, typer.Option("--campaign", metavar="NAME", help="Only of this campaign.")
]
Count = Annotated[int, typer.Argument(metavar="CODES", help="How many codes, 1 to 1,000,000.")]
CodesFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A new file for the codes.", show_default=False)
]
Subject = Annotated[str, typer.Option(metavar="TEXT", help="The letter's subject.")]
Text = Annotated[str, typer.Option(metavar="TEXT", help="The letter's text.")]
Items = Annotated[
    list[str] | None,
    typer.Option(
        "--item", metavar="ITEM[=QUANTITY]", help="An item, by name or id; repeat it for several."
    ),
]
BatchName = Annotated[
    str | None, typer.Option("--name", metavar="TEXT", help="For staff; default: the campaign.")
]
Prefix = Annotated[
    str | None, typer.Option(metavar="TEXT", help="In front of each code, such as SPRING.")
]
Uses = Annotated[int, typer.Option(metavar="NUMBER", help="How many accounts redeem each code.")]
Starts = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="From when codes can be redeemed; default: at once."),
]
Expires = Annotated[str | None, typer.Option(metavar="TIME", help="Until when; default: no limit.")]
Cursor = Annotated[
    UUID | None, typer.Option(parser=an_id, help="The cursor printed at the end of the last page.")
]


@command
async def list_(
    database: Database,
    *,
    campaign: OfCampaign = None,
    limit: Limit = 20,
    cursor: Cursor = None,
    clock: Clock,
) -> Output:
    """Show batches of codes, newest first."""
    found = await storage.list_batches(database.reader, campaign, cursor, limit)
    head = ["id", "campaign", "name", "state", "redeemed", "created"]
    rows = [[*_row(each), clock.show(each.created_at)] for each in found.values]
    return Output(found, TextTable(head, rows), more(found.next))


@command
async def show(database: Database, batch: BatchId, *, clock: Clock) -> Output:
    """Show a batch, and how many codes were redeemed."""
    found = await storage.find_batch(database.reader, batch)
    return Output(found, _facts(found, clock))


@change("codes.manage")
async def create(
    database: Database,
    campaign: CampaignName,
    codes: Count,
    file: CodesFile,
    *,
    subject: Subject,
    text: Text = "",
    item: Items = None,
    name: BatchName = None,
    prefix: Prefix = None,
    uses: Uses = 1,
    starts: Starts = None,
    expires: Expires = None,
    clock: Clock,
    by: By,
) -> Output:
    """
    Create a batch, write its codes to a file and activate it.

    Each code gives a letter with items. The codes are stored only as keyed hashes: the file is
    the only place where you can read them. If this command is interrupted, the batch stays a
    draft whose codes cannot be redeemed; run it again with a new file. For example:

        gamekeeper codes create spring-2026 1000 codes.csv --subject "Spring gift"
            --item "Health Potion=5" --prefix SPRING --expires 2026-06-01 --as kjell
    """
    _check_new(file)
    order = NewBatch(
        by=by,
        campaign=campaign,
        name=name or campaign,
        codes=codes,
        subject=subject,
        text=text,
        items=tuple([await _item(database, each) for each in item or ()]),
        uses=uses,
        prefix=prefix,
        starts_at=clock.maybe(starts),
        expires_at=clock.maybe(expires, until=True),
    )
    active = await _make(database, order, file)
    return Output(active, f"Wrote {codes:,} codes to {file} and activated the batch {active.id}.")


def _check_new(file: Path) -> None:
    if file.exists():
        raise InvalidCodeBatch(f"{file} exists. Name a new file.", field="file")
    if not file.absolute().parent.is_dir():
        raise InvalidCodeBatch(f"The folder {file.parent} does not exist.", field="file")


async def _item(database: Database, text: str) -> CodeItem:
    stack = await letter_item(database, text)
    return CodeItem(item_id=stack.item_id, quantity=stack.quantity)


async def _make(database: Database, order: NewBatch, file: Path) -> CodeBatch:
    """Create a batch, write its codes and, once they are on the disk, activate it."""
    batch = await batches.create.one(database, order)
    change = BatchCommand(by=order.by, batch_id=batch.id)
    await _write(database, change, file)
    return await batches.activate.one(database, change)


async def _write(database: Database, change: BatchCommand, file: Path) -> None:
    """Write the codes of a batch to a new file that only its owner can read."""
    opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(opened, "wb") as written:
        async for piece in generation.pieces(database, Vault(database.settings), change):
            written.write(piece)
        written.flush()
        # On the disk before the batch is activated: the codes exist nowhere else.
        os.fsync(written.fileno())


@command
async def redemptions(
    database: Database, batch: BatchId, *, limit: Limit = 20, cursor: Cursor = None, clock: Clock
) -> Output:
    """Show the redemptions of a batch."""
    found = await storage.redemptions_of_batch(database.reader, batch, cursor, limit)
    return Output(found, _table(found.values, clock), more(found.next))


@command
async def look_up(database: Database, code: Code, *, clock: Clock) -> Output:
    """Show one code, and who redeemed it."""
    found = await lookup.look_up(database.reader, Vault(database.settings), code)
    used = {"used": f"{found.used:,} of {found.batch.uses:,}"}
    revoked = {"revoked": clock.show(found.revoked_at)} if found.revoked_at else {}
    facts = _facts(found.batch, clock) | used | revoked
    return Output(found, facts, _table(found.redemptions, clock))


@change("codes.redeem")
async def redeem(database: Database, player: FoundPlayer, code: Code, *, by: By) -> Output:
    """
    Redeem a code for a character.

    The letter with the items goes to its mailbox. The account cannot redeem another code of the
    same campaign.
    """
    receiver = await redemption.find_receiver(database, None, str(player.id))
    done = await redemption.redeem_code(
        database,
        Vault(database.settings),
        by,
        receiver,
        code,
        source=redemption.source_client(by.actor),
    )
    return Output(done, f"{player.name} got letter {done.letter_id}.")


@change("codes.manage")
async def revoke(database: Database, batch: BatchId, *, by: By) -> Output:
    """
    Revoke all codes of a batch for good.

    Letters of redeemed codes stay; `gamekeeper actions undo` takes one back.
    """
    after = await batches.revoke.one(database, BatchCommand(by=by, batch_id=batch))
    return Output(after, f"Revoked the batch. Redemptions: {_share(after)}.")


@change("codes.manage")
async def revoke_code(database: Database, code: Code, *, by: By) -> Output:
    """Revoke one code for good."""
    vault = Vault(database.settings)
    hashes = symbols.typed_hashes(vault, code)
    await batches.revoke_code.one(database, CodeRevocation(by=by, hashes=hashes))
    found = await lookup.look_up(database.reader, vault, code)
    return Output(found, f"Revoked the code. Redemptions: {found.used:,}.")


def _row(batch: CodeBatch) -> list[str]:
    return [str(batch.id), batch.campaign, batch.name, batch.state, _share(batch)]


def _share(batch: CodeBatch) -> str:
    return f"{batch.redeemed:,} of {batch.codes * batch.uses:,}"


def _facts(batch: CodeBatch, clock: TerminalClock) -> dict[str, str]:
    return {
        "campaign": batch.campaign,
        "name": batch.name,
        "state": batch.state,
        "redeemed": _share(batch),
        "starts": clock.show(batch.starts_at) if batch.starts_at else "at once",
        "expires": clock.show(batch.expires_at) if batch.expires_at else "never",
        "letter": batch.subject,
    }


def _table(found: list[CodeRedemption], clock: TerminalClock) -> TextTable:
    rows = [
        [each.player_name or "erased", str(each.letter_id), clock.show(each.redeemed_at)]
        for each in found
    ]
    return TextTable(["character", "letter", "redeemed"], rows)
