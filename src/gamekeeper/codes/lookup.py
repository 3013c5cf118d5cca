"""Lookup of one code by the text that was typed."""

from gamekeeper.auth.secrets import Vault
from gamekeeper.codes import storage, symbols
from gamekeeper.codes.records import CodeFacts
from gamekeeper.codes.redemption import UnknownCode
from gamekeeper.db.database import Reader


async def look_up(reader: Reader, vault: Vault, typed: str) -> CodeFacts:
    """A code with its batch and who redeemed it; raises UnknownCode."""
    found = await storage.find_code(reader, symbols.typed_hashes(vault, typed))
    if found is None:
        raise UnknownCode
    return await storage.facts_of(reader, found)
