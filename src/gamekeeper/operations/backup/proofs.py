"""Proofs of a restored database: its ledger, its audit log and the anchors of before."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from msgspec import structs

from gamekeeper.core.progress import ProgressCallback
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.ledger import anchors, verifications, verify_chain, verify_ledger
from gamekeeper.ledger.anchors import BadAnchors


async def verify(settings: Settings, on_progress: ProgressCallback) -> tuple[int, int, list[str]]:
    """Verify ledger and audit log: how many postings and links, and what is wrong."""
    proof = await verify_ledger.verify(
        settings, on_progress=lambda done, total: on_progress("Verifying the ledger", done, total)
    )
    # The anchors were compared: later ones are of the lost time.
    report = await verify_chain.find(
        structs.replace(settings, anchor_file=None),
        lambda done, total: on_progress("Verifying the audit log", done, total),
    )
    async with Database.open(settings) as database:
        await database.write(lambda writer: verifications.record_verification(writer, report))
    breaches = [f"Ledger: {breach.message}." for breach in proof.breaches]
    breaches += [f"Audit log: {breach.message}" for breach in report.breaches]
    return proof.postings, report.links, breaches


# ── Anchors ──


async def compare_anchors(settings: Settings, last: int) -> list[str]:
    """Compare the anchors up to the `last` link that was restored with the chain; what is wrong."""
    try:
        signed = await asyncio.to_thread(anchors.read, settings)
    except BadAnchors as fault:
        return [str(fault)]
    known = [anchor for anchor in signed if anchor.seq <= last]
    async with Database.open(settings) as database:
        rows = await database.reader.rows(
            "SELECT seq, hash FROM chain WHERE seq = ANY($1)", [anchor.seq for anchor in known]
        )
    there = {row["seq"]: row["hash"].hex() for row in rows}
    return [
        f"Anchor {anchor.number} of {anchor.at:%Y-%m-%d %H:%M:%S} UTC is of another audit log."
        for anchor in known
        if there.get(anchor.seq) != anchor.hash
    ][:1]


def set_anchors_aside(settings: Settings) -> str | None:
    """Move the file of anchors away, for it has some of the lost time; a worker begins another."""
    file = Path(settings.anchor_file or "")
    if settings.anchor_file is None or not file.exists():
        return None
    moved = file.with_name(f"{file.name}.before-restore-{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
    file.rename(moved)
    return str(moved)
