"""Password records of imported accounts."""

from msgspec import UNSET

from gamekeeper.auth.secrets import STRETCHED, Vault
from gamekeeper.transfer.lines import UserLine


def record(vault: Vault, line: UserLine) -> str | None:
    """The record to store; None if the line has no password."""
    if line.password is UNSET:
        return None
    given = line.password
    if given.sealed is not None:
        return given.sealed
    return vault.encrypt_imported(line.id, bytes.fromhex(given.sha256 or ""), given.salt or "")


def replacement(vault: Vault, line: UserLine, stored: str | None) -> str | None:
    """
    The record that replaces the stored one; None if that stays.

    A password that was changed here, or used since the last import, is newer than the file.
    """
    if line.password is UNSET:
        return None
    if stored is None:
        return record(vault, line)
    given = line.password
    if given.sha256 is None:
        return None
    now = (bytes.fromhex(given.sha256), given.salt or "")
    if stored.startswith(STRETCHED):
        return None if vault.is_stretched_of(line.id, stored, *now) else record(vault, line)
    before = vault.decrypt_imported(line.id, stored)
    return record(vault, line) if before is not None and now != before else None
