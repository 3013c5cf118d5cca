"""
Statements for pgbench: the same work without the service (the baseline).

Reads are the service's own statements, recorded from its functions as they run, so they
cannot drift from it. A change is the one smallest statement that leaves the same rows
behind; equivalence.py checks that before each run.
"""

import re
from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.db.database import Reader
from gamekeeper.players.records import COLUMNS, JOINS

NUMBER = ":n"
RANDOM = ":r"

PLAYER: LiteralString = "bench_player(:n)"
NAME: LiteralString = "bench_name(:n)"
TOKEN: LiteralString = "bench_token(:n)"  # noqa: S105


class Sent(Struct, frozen=True):
    """A statement and its arguments, as the service sent them."""

    sql: str
    arguments: tuple[Any, ...]


class Bare(Struct, frozen=True, kw_only=True):
    """What pgbench runs for one request."""

    statements: list[str]
    """With pgbench's variables instead of parameters."""
    keys: int = 0
    """The number of keys to pick from; 0 if the request is always the same."""
    planned_once: bool = False
    """Whether each connection plans it once (generic plan): a plan with all keys is large."""

    @property
    def keyed(self) -> bool:
        return self.keys > 0


class Recorder(Reader):
    """A reader that records its statements."""

    def __init__(self, reader: Reader) -> None:
        super().__init__(reader.pool, reader.settings)
        self._reader = reader
        self.sent: list[Sent] = []

    async def rows(self, sql: LiteralString, *args: object) -> list[Any]:
        self.sent.append(Sent(sql, args))
        return await self._reader.rows(sql, *args)


def rendered(sent: Sent, keys: dict[object, str]) -> str:
    """The statement as pgbench sends it: arguments in `keys` become their expressions."""

    def argument(found: re.Match[str]) -> str:
        value = sent.arguments[int(found.group(1)) - 1]
        if not isinstance(value, list):
            return keys.get(value) or _literal(value)
        if any(one in keys for one in value):
            return f"ARRAY[{', '.join(keys.get(one) or _literal(one) for one in value)}]"
        return _literal(value)

    return re.sub(r"\$(\d+)", argument, sent.sql)


def _literal(value: object) -> str:
    match value:
        case int():
            return str(value)
        case str() | UUID():
            return "'" + str(value).replace("'", "''") + "'"
        case list():
            return _literal("{" + ",".join(f'"{one}"' for one in value) + "}")
        case _:
            raise TypeError(f"no way to tell pgbench {value!r}")


def script(bare: Bare) -> str:
    """A file for pgbench. Every statement is a transaction, as in the service."""
    for statement in bare.statements:
        # A recorded statement may contain anything in its literals, also `:name`.
        strangers = set(re.findall(r"(?<!:):[A-Za-z_]\w*", statement)) - {NUMBER, RANDOM}
        assert not strangers, f"pgbench would take {strangers} for variables"
    sets = []
    if bare.keyed:
        sets.append(rf"\set n random(1, {bare.keys})")
    if any(RANDOM in statement for statement in bare.statements):
        sets.append(r"\set r random(0, 9223372036854775806)")
    return "\n".join([*sets, *(f"{statement.strip()};" for statement in bare.statements)]) + "\n"


def at(statement: str, number: int) -> str:
    """The statement for one key, to be sent without pgbench."""
    return statement.replace(NUMBER, str(number)).replace(RANDOM, "0::bigint")


BY_NAME: LiteralString = f"""
    SELECT players.id AS player_id, {COLUMNS}
      FROM player_names JOIN players ON players.id = player_names.player_id {JOINS}
     WHERE player_names.name_key = {NAME}
"""


BY_TOKEN: LiteralString = f"""
    SELECT users.id, users.name, user_query, user_management, personal_information
      FROM access_tokens
      JOIN token_families ON token_families.user_id = access_tokens.user_id
                         AND token_families.id = access_tokens.family_id
      JOIN users ON users.id = access_tokens.user_id
     WHERE access_tokens.hash = {TOKEN} AND access_tokens.expires_at > now()
       AND token_families.revoked_at IS NULL AND token_families.expires_at > now()
       AND users.api
"""


def functions(players: Sequence[UUID], names: Sequence[str], digests: Sequence[bytes]) -> str:
    """
    SQL functions that map a number to a key, because pgbench has only numeric variables.

    PostgreSQL inlines them into the plan as constant arrays of fixed-length values, indexed
    in constant time; docs/benchmarks.md has the cost. pgbench has no other way to pick one of
    many strings without a query to the server first.
    """
    low = [UUID(bytes=digest[:16]) for digest in digests]
    high = [UUID(bytes=digest[16:]) for digest in digests]
    return f"""
        CREATE OR REPLACE FUNCTION bench_player(n int) RETURNS uuid LANGUAGE sql IMMUTABLE AS
        $$ SELECT ({_literal(list(players))}::uuid[])[n] $$;
        CREATE OR REPLACE FUNCTION bench_name(n int) RETURNS text LANGUAGE sql IMMUTABLE AS
        $$ SELECT ({_literal(list(names))}::name[])[n]::text $$;
        CREATE OR REPLACE FUNCTION bench_token(n int) RETURNS bytea LANGUAGE sql IMMUTABLE AS
        $$ SELECT uuid_send(({_literal(low)}::uuid[])[n])
               || uuid_send(({_literal(high)}::uuid[])[n]) $$;
    """


def giving(actor: str, item: UUID) -> str:
    answer = f"""
        format('{{"id":"{item}","quantity":{{"total":%s,"bank":%s,"inventory":%s}}}}',
               banked + quantity, banked, quantity)
    """
    return _change("items.give", "grant", "+", actor, item, answer)


def taking(actor: str, item: UUID) -> str:
    answer = f"""'{{"ItemId":"{item}","Quantity":1,"id":"{item}"}}'"""
    return _change("items.take", "removal", "-", actor, item, answer)


def _change(kind: str, against: str, sign: str, actor: str, item: UUID, answer: str) -> str:
    """Add or remove one item, with all the rows that the service writes for it."""
    held = "'total', {0} + banked, 'bank', banked, 'inventory', {0}"
    before = held.format(f"(quantity - ({sign}1))")
    after = held.format("quantity")
    return f"""
        WITH player AS (
            SELECT id FROM players WHERE id = {PLAYER} FOR NO KEY UPDATE
        ), slot AS (
            INSERT INTO slots AS old (player_id, place, slot, item_id, quantity, stat_buffs)
            SELECT player_id, place, slot, item_id, 1, stat_buffs
              FROM player JOIN slots ON player_id = player.id
             WHERE place = 'inventory' AND item_id = '{item}'
            ON CONFLICT (player_id, place, slot) DO UPDATE
               SET quantity = old.quantity {sign} excluded.quantity
            RETURNING player_id, place, slot, item_id, quantity, stat_buffs
        ), held AS (
            SELECT slot.*, (SELECT coalesce(sum(quantity), 0) FROM slots
                             WHERE player_id = slot.player_id AND place = 'bank'
                               AND item_id = slot.item_id) AS banked
              FROM slot
        ), head AS (
            INSERT INTO ledger_heads AS old (player_id, seq, at)
            SELECT player_id, 1, clock_timestamp() FROM slot
            ON CONFLICT (player_id) DO UPDATE
               SET seq = old.seq + 1, at = greatest(old.at, excluded.at)
            RETURNING seq, at
        ), action AS (
            INSERT INTO actions (id, kind, actor, actor_name, player_id, item_id,
                                 before, after, request_id, address)
            SELECT {_ORDERED_BY_TIME}, '{kind}', {_text(actor)}, 'bench', player_id, item_id,
                   jsonb_build_object({before}), jsonb_build_object({after}),
                   gen_random_uuid()::text, '127.0.0.1'
              FROM held
            RETURNING id
        ), posting AS (
            INSERT INTO postings (player_id, seq, at, action_id, place, slot, item_id, quantity,
                                  against, held_before, held_after, stat_buffs)
            SELECT player_id, seq, head.at, action.id, place::text, slot, item_id, {sign}1,
                   '{against}', quantity - ({sign}1), quantity, stat_buffs
              FROM slot, head, action
        )
        INSERT INTO replies (caller, key, fingerprint, status, body)
        SELECT {_text(actor)}, gen_random_uuid()::text, '{_FINGERPRINT}', 200,
               convert_to({answer.strip()}, 'UTF8')
          FROM held
        RETURNING body
    """


def _text(words: str) -> str:
    """A literal in pieces: pgbench reads a colon and a letter as a variable, even in quotes."""
    return "('" + words.replace(":", ":' || '") + "')"


_FINGERPRINT = r"\x" + "0f" * 32
_ORDERED_BY_TIME = f"""encode(
    int8send((date_part('epoch', clock_timestamp()) * 1000000)::bigint << 12)
    || int8send({RANDOM}), 'hex')::uuid"""
