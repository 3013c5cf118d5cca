"""
Operations: the only way in which anything changes.

An operation takes a list of orders and answers a list of outcomes. It owns one
transaction, or joins its caller's. Each order says by whom it is; if it carries
an idempotency key, what was answered is written in the same transaction as the
change, so asking again gives the same bytes and never the same change twice.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Generic, TypeVar

import structlog
from msgspec import Struct

from gamekeeper import replies
from gamekeeper.database import Database, Writer
from gamekeeper.errors import InternalError, Problem, Unavailable
from gamekeeper.replies import Entry, Key, Replayed, Shape, as_is

O = TypeVar("O")  # noqa: E741  an order
R = TypeVar("R")

log = structlog.get_logger()


class By(Struct, frozen=True, kw_only=True):
    """Who wants something done, and what is known about the wish."""

    actor: str
    """`key:<id>`, `user:<id>` or `system`: from the credential, never from what was sent."""
    name: str
    request_id: str = ""
    address: str = ""
    reason: str | None = None
    key: Key | None = None


COMMAND_LINE = By(actor="system", name="command line")


class Order(Struct, frozen=True, kw_only=True):
    """One thing to be done."""

    by: By


class Operation(Generic[O, R]):
    """
    One kind of change.

    An order that must be refused has a ``Problem`` as its outcome and its
    neighbours are carried out all the same. A fault nobody foresaw undoes the
    whole transaction; then the orders are tried one by one, so that only the
    guilty one fails.
    """

    def __init__(self, step: Callable[[Writer, Sequence[O]], Awaitable[list[R | Problem]]]) -> None:
        self._step = step
        self.__name__ = step.__name__
        self.__doc__ = step.__doc__

    async def __call__(self, database: Database | Writer, orders: Sequence[O]) -> list[R | Problem]:
        """Given a database, own the transaction; given a writer, join its transaction."""
        if isinstance(database, Writer):
            return await self._step(database, orders)
        return await self._batch(database, orders, [as_is] * len(orders))

    async def one(self, database: Database | Writer, order: O, shape: Shape[R] = as_is) -> Any:
        """
        Carry out a single order; a refusal is raised.

        `shape` makes the answer of the result: under an idempotency key it is the
        answer that is kept, and raised as ``Replayed`` when it is asked for again.
        """
        if isinstance(database, Writer):
            [outcome] = await self._step(database, [order])
        else:
            [outcome] = await self._batch(database, [order], [shape])
        if isinstance(outcome, Problem):
            raise outcome
        return shape(outcome)

    async def _batch(
        self, database: Database, orders: Sequence[O], shapes: Sequence[Shape[R]]
    ) -> list[R | Problem]:
        try:
            return await database.write(lambda writer: self._once(writer, orders, shapes))
        except Exception as fault:
            if len(orders) == 1 or isinstance(fault, Unavailable):
                raise
        return [
            await self._alone(database, order, shape)
            for order, shape in zip(orders, shapes, strict=True)
        ]

    async def _alone(self, database: Database, order: O, shape: Shape[R]) -> R | Problem:
        try:
            [outcome] = await self._batch(database, [order], [shape])
        except Problem as problem:
            return problem
        except Exception:
            log.exception("fault in a batch", operation=self.__name__)
            return InternalError()
        return outcome

    async def _once(
        self, writer: Writer, orders: Sequence[O], shapes: Sequence[Shape[R]]
    ) -> list[R | Problem]:
        """Do what was not done before, and keep the answers of what has a key."""
        entries = [_entry(order, shape) for order, shape in zip(orders, shapes, strict=True)]
        if not any(entry.key for entry in entries):
            return await self._step(writer, orders)
        known = await replies.claim(writer, entries)
        fresh = [order for order, answer in zip(orders, known, strict=True) if answer is None]
        done = iter(await self._step(writer, fresh) if fresh else [])
        outcomes = [answer or next(done) for answer in known]
        return await replies.keep(writer, entries, outcomes)


def _entry(order: object, shape: Shape[Any]) -> Entry:
    by: By | None = getattr(order, "by", None)
    return Entry(by.key if by else None, by.request_id if by else "", shape)


operation = Operation

__all__ = ["COMMAND_LINE", "By", "Key", "Operation", "Order", "Replayed", "operation"]
