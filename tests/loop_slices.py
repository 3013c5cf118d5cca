"""The most work for which one callback kept the event loop."""

import asyncio
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Slices:
    """What the callbacks of the event loop did: calls of functions."""

    def __init__(self) -> None:
        self.longest = 0
        self.what = ""

    def add(self, calls: int, handle: asyncio.Handle) -> None:
        if calls > self.longest:
            self.longest, self.what = calls, repr(handle)


@contextmanager
def measured_slices(monkeypatch: Any) -> Iterator[Slices]:
    """
    The slices of the ``with`` block.

    Calls and not seconds: on a virtual machine even processor time counts what its host gave to
    others. Without the garbage collector, whose work belongs to no callback.
    """
    slices, run = Slices(), asyncio.Handle._run

    def measured(handle: asyncio.Handle) -> None:
        calls = 0

        def count(_frame: Any, event: str, _argument: Any) -> None:
            nonlocal calls
            calls += event in ("call", "c_call")

        sys.setprofile(count)
        try:
            run(handle)
        finally:
            sys.setprofile(None)
        slices.add(calls, handle)

    gc.disable()
    try:
        with monkeypatch.context() as patch:
            patch.setattr(asyncio.Handle, "_run", measured)
            yield slices
    finally:
        gc.enable()
