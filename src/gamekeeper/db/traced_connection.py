"""Connections whose statements are spans of a trace; used only while traces are on."""

from typing import Any

from gamekeeper.core.observability import traces
from gamekeeper.db.connection_pool import PoolConnection


class TracedConnection(PoolConnection):
    __slots__ = ()

    async def fetch(self, query: str, *args: Any, **options: Any) -> Any:
        with traces.NO_SPAN if traces.recorder is None else traces.recorder.statement(query):
            return await super().fetch(query, *args, **options)

    async def execute(self, query: str, *args: Any, **options: Any) -> str:
        with traces.NO_SPAN if traces.recorder is None else traces.recorder.statement(query):
            return await super().execute(query, *args, **options)
