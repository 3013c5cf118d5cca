"""What a drill does: its size, its faults, the settings of Patroni."""

import argparse

from msgspec import Struct

from tests.failover.crowd import OPERATIONS

KINDS = ("kill", "freeze", "cut", "disk", "switchover")
PATRONI: dict[str, dict[str, object]] = {
    "tuned": {},
    "default": {"ttl": 30, "loop_wait": 10, "retry_timeout": 10},
}


class Options(Struct, frozen=True, kw_only=True):
    failovers: int = 30
    clients: int = 64
    kinds: tuple[str, ...] = KINDS
    operations: tuple[str, ...] = OPERATIONS
    settings: str = "tuned"
    asynchronous: bool = False
    seconds: float = 60
    """How long a fault lasts."""

    @property
    def patroni(self) -> dict[str, object]:
        """The values that differ from those of the page."""
        synchronous = {"synchronous_mode": "false"} if self.asynchronous else {}
        return PATRONI[self.settings] | synchronous

    @property
    def order(self) -> list[str]:
        """The kind of each failover: all in turn."""
        return [self.kinds[number % len(self.kinds)] for number in range(self.failovers)]


def parse(words: list[str]) -> tuple[Options, argparse.Namespace]:
    parser = argparse.ArgumentParser(
        prog="just failover",
        description="Fail three PostgreSQL servers over under load, and prove after each failover "
        "that no acknowledged change was lost or made twice, that ledger and audit log verify, "
        "and that each event was streamed once. Takes about two minutes for each failover.",
        epilog="For example: just failover --failovers 10 --clients 8 --kinds kill,cut",
    )
    standard = Options()
    parser.add_argument("--failovers", type=_count, default=standard.failovers, metavar="N")
    parser.add_argument("--clients", type=_count, default=standard.clients, metavar="N")
    parser.add_argument(
        "--kinds", type=_chosen(KINDS), default=KINDS, help=f"of {','.join(KINDS)}; in turn"
    )
    parser.add_argument(
        "--operations",
        type=_chosen(OPERATIONS),
        default=OPERATIONS,
        help=f"of {','.join(OPERATIONS)}; a name given twice is chosen twice as often",
    )
    parser.add_argument(
        "--settings",
        choices=tuple(PATRONI),
        default=standard.settings,
        help="of Patroni: tuned as in docs/operate/failover.md, or Patroni's default",
    )
    parser.add_argument(
        "--asynchronous",
        action="store_true",
        help="without synchronous_mode: count what each failover loses, instead of failing",
    )
    parser.add_argument(
        "--seconds", type=float, default=standard.seconds, help="how long a fault lasts"
    )
    parser.add_argument("--report", metavar="FILE", help="write the report as JSON")
    parser.add_argument(
        "--docs",
        action="store_true",
        help="add the report to docs/operate/failover.json, and write table and plot of the page",
    )
    chosen = parser.parse_args(words)
    names = Options.__struct_fields__
    return Options(**{name: getattr(chosen, name) for name in names}), chosen


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _chosen(known: tuple[str, ...]):
    def parse(text: str) -> tuple[str, ...]:
        names = tuple(text.split(","))
        if unknown := [name for name in names if name not in known]:
            raise argparse.ArgumentTypeError(f"{unknown[0]!r} is not one of {', '.join(known)}")
        return names

    return parse
