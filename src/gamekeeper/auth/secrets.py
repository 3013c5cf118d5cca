"""
Password hashing (Argon2), and encryption of secrets at rest (AES-GCM).

Clients never send a password, only its SHA-256; for us that *is* the password,
and lists of such hashes leak elsewhere. So it is stretched with Argon2id and the
result is encrypted with AES-GCM under a key (pepper) that is not in the database: a
copy of the tables alone can verify nothing. The record is bound to the account, so
records cannot be swapped between accounts, and names its key, so keys can be rotated.

An imported account brings a SHA-256, which is only encrypted at first: to stretch a million
takes hours, so the worker does it in the background. The first sign-in replaces either form by
an ordinary record.

One evaluation takes tens of milliseconds of a core and 19 MiB. Evaluations run in a
thread pool with a short queue, so the event loop does not block; when the queue is
full, a request gets 503 at once.
"""

import asyncio
import hashlib
import os
import re
import secrets
from base64 import b64decode, b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hmac import compare_digest
from hmac import new as hmac
from time import perf_counter
from typing import TypeVar
from uuid import UUID

from argon2.low_level import Type, hash_secret_raw
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec import Struct

from gamekeeper.core.errors import Unavailable
from gamekeeper.core.observability import loggers, metrics
from gamekeeper.core.settings import BadSettings, Settings

T = TypeVar("T")

log = loggers.get_logger()

LINE = 32
LONGEST_WAIT = 1.0

NOBODY = UUID(int=0)

ORDINARY = "v1"
"""The first word of a record that was made here."""
IMPORTED = "sha256"
"""The first word of an imported record."""
STRETCHED = "i1"
"""The first word of an imported record that was stretched; its last part is the old salt."""
_BASE64 = r"[A-Za-z0-9+/]+={0,2}"
_RECORD = re.compile(
    rf"v1\$m=\d{{1,6}},t=\d,p=\d\${_BASE64}\$[A-Za-z0-9]+\${_BASE64}\${_BASE64}"
    rf"|{IMPORTED}\$[A-Za-z0-9]+\${_BASE64}\${_BASE64}\$(?:{_BASE64})?"
    rf"|{STRETCHED}\$m=\d{{1,6}},t=\d,p=\d\${_BASE64}\$[A-Za-z0-9]+\${_BASE64}\${_BASE64}"
    rf"\$(?:{_BASE64})?"
)


def is_record(text: str) -> bool:
    """Whether a text has the form of a password record."""
    if _RECORD.fullmatch(text) is None:
        return False
    _, *parts = text.split("$")
    encoded = parts[1:] if text.startswith(IMPORTED) else [parts[1], *parts[3:]]
    try:
        return all(b64decode(part) is not None for part in encoded)
    except ValueError:
        return False


class Cost(Struct, frozen=True):
    memory: int = 19_456
    time: int = 2
    lanes: int = 1

    def __str__(self) -> str:
        return f"m={self.memory},t={self.time},p={self.lanes}"

    @classmethod
    def parse(cls, text: str) -> "Cost":
        return cls(*(int(part.partition("=")[2]) for part in text.split(",")))


COST = Cost()


class Vault:
    def __init__(self, settings: Settings, *, waits: bool = False) -> None:
        """With `waits` (for commands) calls queue without limit instead of failing under load."""
        self._waits = waits
        self._keys = _keys(settings)
        self._current = next(iter(self._keys))
        cores = os.cpu_count() or 1
        self._threads = ThreadPoolExecutor(cores, thread_name_prefix="argon2")
        self._free = asyncio.Semaphore(cores)
        self._waiting = 0
        self._usual_seconds = 0.0
        # The hash of nothing: no secret matches it.
        self._decoy = self._encrypt_hash(NOBODY, secrets.token_bytes(16), secrets.token_bytes(32))

    async def hash(self, user: UUID, secret: bytes) -> str:
        """Return the record to store for this user's password."""
        return await self._aside("seal", lambda: self._hash(user, secret))

    async def verify(self, user: UUID, sealed: str, secret: bytes) -> bool:
        """Whether `secret` is the password in the record."""
        return await self._aside("check", lambda: self._verify(user, sealed, secret))

    async def dummy_verify(self, secret: bytes) -> None:
        """Do the work of a check for an account that does not exist (timing attacks)."""
        await self._aside("decoy", lambda: self._verify(NOBODY, self._decoy, secret))

    async def dummy_delay(self) -> None:
        """Take the time of a check without its work, so that a refusal reveals nothing."""
        if self._usual_seconds:
            await asyncio.sleep(self._usual_seconds)
        else:
            # No check was timed yet, so the first delay is a check.
            await self.dummy_verify(bytes(32))

    def needs_rehash(self, sealed: str) -> bool:
        """Whether a record needs a new hash: it is imported, or has an older key or cost."""
        if sealed.startswith((IMPORTED, STRETCHED)):
            return True
        cost, _, key, _ = _parts(sealed)
        return key != self._current or cost != COST

    def encrypt_imported(self, user: UUID, digest: bytes, salt: str) -> str:
        """The record of an imported SHA-256, of the secret or of the secret and a salt."""
        nonce = secrets.token_bytes(12)
        bound = _bound_imported(user, salt)
        box = AESGCM(self._keys[self._current]).encrypt(nonce, digest, bound)
        return "$".join(
            [IMPORTED, self._current, _encode(nonce), _encode(box), _encode(salt.encode())]
        )

    def decrypt_imported(self, user: UUID, sealed: str) -> tuple[bytes, str] | None:
        """The SHA-256 and the salt of an imported record; None if it is not one, or unreadable."""
        word, key, nonce, box, *salts = sealed.split("$")
        if word != IMPORTED or key not in self._keys:
            return None
        salt = b64decode(salts[0]).decode()
        try:
            digest = AESGCM(self._keys[key]).decrypt(
                b64decode(nonce), b64decode(box), _bound_imported(user, salt)
            )
        except InvalidTag:
            return None
        return digest, salt

    async def stretch_imported(self, user: UUID, sealed: str) -> str | None:
        """The stretched form of an imported record; None if it cannot be decrypted."""
        found = self.decrypt_imported(user, sealed)
        if found is None:
            return None
        digest, old_salt = found
        record = await self._aside("stretch", lambda: self._hash(user, digest, STRETCHED))
        return f"{record}${_encode(old_salt.encode())}"

    def is_stretched_of(self, user: UUID, sealed: str, digest: bytes, salt: str) -> bool:
        """Whether a stretched record is of that SHA-256 and salt; takes as long as a check."""
        record, _, old_salt = sealed.rpartition("$")
        return b64decode(old_salt).decode() == salt and self._matches(user, record, digest)

    def hmac(self, text: str) -> bytes:
        """A keyed hash (HMAC), for short secrets that must not be guessable from the database."""
        return self.hmacs(text)[0]

    def hmacs(self, text: str) -> list[bytes]:
        """The HMACs under all keys, current first: those made with older keys stay valid."""
        return [
            hmac(key, b"tag:" + text.encode(), "sha256").digest() for key in self._keys.values()
        ]

    def encrypt(self, about: str, secret: str) -> str:
        """Encrypt a secret that must be readable again; `about` names its owner (AAD)."""
        nonce = secrets.token_bytes(12)
        box = AESGCM(self._keys[self._current]).encrypt(nonce, secret.encode(), about.encode())
        return "$".join(["v1", self._current, _encode(nonce), _encode(box)])

    def is_current(self, sealed: str) -> bool:
        """Whether a secret is encrypted with the current key."""
        return sealed.split("$")[1] == self._current

    def decrypt(self, about: str, sealed: str) -> str:
        """Return the secret; raise Unavailable if its key is missing or it does not decrypt."""
        _, key, nonce, box = sealed.split("$")
        try:
            opened = AESGCM(self._keys[key]).decrypt(
                b64decode(nonce), b64decode(box), about.encode()
            )
        except (KeyError, InvalidTag):
            log.error("secret_unreadable", key_name=key, about=about)  # noqa: TRY400
            raise Unavailable(
                "A stored secret cannot be decrypted. Contact the operator of this service."
            ) from None
        return opened.decode()

    def _hash(self, user: UUID, secret: bytes, form: str = ORDINARY) -> str:
        salt = secrets.token_bytes(16)
        return self._encrypt_hash(user, salt, _stretch(secret, salt, COST), form)

    def _encrypt_hash(self, user: UUID, salt: bytes, stretched: bytes, form: str = ORDINARY) -> str:
        nonce = secrets.token_bytes(12)
        # Bound to the account: a record copied to another one does not decrypt there.
        bound = _bound(user, COST, form)
        box = AESGCM(self._keys[self._current]).encrypt(nonce, stretched, bound)
        return "$".join(
            [form, str(COST), _encode(salt), self._current, _encode(nonce), _encode(box)]
        )

    def _verify(self, user: UUID, sealed: str, secret: bytes) -> bool:
        if sealed.startswith(IMPORTED):
            return self._verify_imported(user, sealed, secret)
        if sealed.startswith(STRETCHED):
            sealed, _, old_salt = sealed.rpartition("$")
            secret = imported_digest(secret, b64decode(old_salt).decode())
        return self._matches(user, sealed, secret)

    def _matches(self, user: UUID, sealed: str, secret: bytes) -> bool:
        cost, salt, key, (nonce, box) = _parts(sealed)
        # Before anything can fail, so that every outcome takes as long.
        stretched = _stretch(secret, salt, cost)
        try:
            stored = AESGCM(self._keys[key]).decrypt(nonce, box, _bound(user, cost, _form(sealed)))
        except InvalidTag:
            return False
        except KeyError:
            # Not a wrong password: an operator removed a key that is still needed.
            log.error("password_key_missing", name=key)  # noqa: TRY400
            raise Unavailable(
                "This password cannot be checked. Contact the operator of this service."
            ) from None
        return compare_digest(stored, stretched)

    def _verify_imported(self, user: UUID, sealed: str, secret: bytes) -> bool:
        _stretch(secret, bytes(16), COST)  # Only for the time: other records take as long.
        key = sealed.split("$")[1]
        if key not in self._keys:
            log.error("password_key_missing", name=key)
            raise Unavailable(
                "This password cannot be checked. Contact the operator of this service."
            )
        stored = self.decrypt_imported(user, sealed)
        return stored is not None and compare_digest(stored[0], imported_digest(secret, stored[1]))

    async def _aside(self, kind: str, work: Callable[[], T]) -> T:
        """Run `work` in a thread; raise Unavailable if the queue is full."""
        if self._waiting >= LINE and not self._waits:
            raise Unavailable("Too many passwords are being checked. Try again.")
        self._waiting += 1
        metrics.HASHING.inc()
        try:
            return await self._in_turn(kind, work)
        finally:
            metrics.HASHING.dec()
            self._waiting -= 1

    async def _in_turn(self, kind: str, work: Callable[[], T]) -> T:
        try:
            with metrics.HASH_WAIT.time():
                async with asyncio.timeout(None if self._waits else LONGEST_WAIT):
                    await self._free.acquire()
        except TimeoutError:
            raise Unavailable("Too many passwords are being checked. Try again.") from None
        begun = perf_counter()
        future = asyncio.get_running_loop().run_in_executor(self._threads, work)
        # Released when the thread is done, even if the caller was cancelled.
        future.add_done_callback(lambda _: self._free.release())
        result = await asyncio.shield(future)
        metrics.HASHES.labels(kind).inc()
        self._learn(perf_counter() - begun)
        return result

    def _learn(self, seconds: float) -> None:
        usual = self._usual_seconds or seconds
        self._usual_seconds = usual + (seconds - usual) / 8


def imported_digest(secret: bytes, salt: str) -> bytes:
    """The SHA-256 that another game stored for a secret; without a salt the secret itself."""
    if not salt:
        return secret
    return hashlib.sha256((secret.hex().upper() + salt).encode()).digest()


def _bound_imported(user: UUID, salt: str) -> bytes:
    return user.bytes + f"{IMPORTED};{salt}".encode()


def _stretch(secret: bytes, salt: bytes, cost: Cost) -> bytes:
    return hash_secret_raw(secret, salt, cost.time, cost.memory, cost.lanes, 32, Type.ID)


def _bound(user: UUID, cost: Cost, form: str) -> bytes:
    # The form too: else a stretched record, called ordinary, would take the old hash as password.
    return user.bytes + f"{form};argon2id;{cost}".encode()


def _form(sealed: str) -> str:
    return sealed.partition("$")[0]


def _parts(sealed: str) -> tuple[Cost, bytes, str, tuple[bytes, bytes]]:
    _, cost, salt, key, nonce, box = sealed.split("$")
    return Cost.parse(cost), b64decode(salt), key, (b64decode(nonce), b64decode(box))


def _encode(raw: bytes) -> str:
    return b64encode(raw).decode()


def _keys(settings: Settings) -> dict[str, bytes]:
    try:
        pairs = [part.strip().split(":") for part in settings.password_keys.split(",")]
        keys = {name: bytes.fromhex(key) for name, key in pairs}
    except ValueError:
        keys = {}
    if not keys or any(len(key) != 32 or not name.isalnum() for name, key in keys.items()):
        raise BadSettings(
            "GAMEKEEPER_PASSWORD_KEYS must be name:64 hex digits, several with commas. "
            "Generate one: echo 2026a:$(openssl rand -hex 32)"
        )
    return keys
