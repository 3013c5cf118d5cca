"""Over TLS: who answers must prove to be the name that was called, wherever it leads."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from ssl import SSLContext

import pytest

from tests.webhooks.authorities import Authority
from tests.webhooks.receivers import Receiver, receiver
from tests.webhooks.targets import Errand, Knocker, Told
from tests.webhooks.test_targets import name_server

HOST = "hooks.example"


class Target:
    """A receiver, and the names by which it was called."""

    def __init__(self, receiver: Receiver, host: str) -> None:
        self.receiver = receiver
        self.names: list[str | None] = []
        self.url = f"https://{host}:{receiver.port}/hook"


@asynccontextmanager
async def target(tls: SSLContext, host: str = HOST) -> AsyncIterator[Target]:
    async with receiver(tls) as made:
        called = Target(made, host)
        tls.sni_callback = lambda _, name, __: called.names.append(name)
        yield called


async def told(knocker: Knocker, trusted: Path, *targets: Target) -> list[Told]:
    """What a worker whose `SSL_CERT_FILE` is `trusted` hears when it sends."""
    async with name_server({HOST: [["127.0.0.1"]]}) as names:
        urls = [target.url for target in targets]
        errand = Errand(
            urls=urls,
            names_port=names.port,
            hosts=f"{HOST}:*,127.0.0.1:*",
            env={"SSL_CERT_FILE": str(trusted)},
        )
        return await knocker.knock(errand)


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


async def test_it_arrives_where_the_name_is_proven_whatever_the_address(authority, knocker):
    """And at an address, where that is what was named."""
    async with (
        target(authority.server(HOST)) as by_name,
        target(authority.server("127.0.0.1"), "127.0.0.1") as by_address,
    ):
        heard = await told(knocker, authority.file, by_name, by_address)

    assert [(delivery.status, delivery.called) for delivery in heard] == [(200, ["127.0.0.1"])] * 2
    assert (by_name.names, by_address.names) == ([HOST], [None])
    port = by_name.receiver.port
    assert by_name.receiver.received[0].headers["host"] == f"{HOST}:{port}"


async def test_who_does_not_prove_it_is_sent_nothing(authority, knocker):
    servers = {
        "tls: certificate has expired": authority.server(HOST, days=(-3, -1)),
        "tls: certificate is not yet valid": authority.server(HOST, days=(1, 3)),
        "tls: self": authority.server(HOST, self_signed=True),
        "tls: Hostname mismatch (another)": authority.server("other.example"),
        "tls: Hostname mismatch (the address)": authority.server("127.0.0.1"),
        "tls: Hostname mismatch (those below)": authority.server(f"*.{HOST}"),
    }
    async with AsyncExitStack() as stack:
        bad = [await stack.enter_async_context(target(tls)) for tls in servers.values()]
        heard = await told(knocker, authority.file, *bad)

    for why, one in zip(servers, heard, strict=True):
        assert one.status is None
        assert (one.fault or "").startswith(why.partition(" (")[0])
    assert [one.names for one in bad] == [[HOST]] * 6
    assert [one.receiver.received for one in bad] == [[]] * 6


async def test_an_authority_that_is_not_trusted_proves_nothing(authority, knocker, tmp_path):
    other = Authority(tmp_path, "other")
    async with target(authority.server(HOST)) as called:
        [heard] = await told(knocker, other.file, called)

    assert heard.fault == "tls: unable to get local issuer certificate"
    assert called.receiver.received == []
