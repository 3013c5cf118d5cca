"""Sixty ways to have us call where we must not, and not one connection."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import dns.asyncresolver
import dns.message
import dns.rdatatype
import dns.rrset
import pytest
from msgspec import structs

from gamekeeper.settings import Hidden, Settings
from gamekeeper.webhooks import sending, targets
from gamekeeper.webhooks.targets import ForbiddenTarget, InvalidWebhookUrl
from tests.webhooks.receivers import Receiver, receiver

PLAIN = Settings(database_url=Hidden("postgresql://x/y"))

BAD_URLS = """
http://hooks.example/
ftp://hooks.example/
file:///etc/passwd
gopher://hooks.example/
//hooks.example/
hooks.example
https://
https:///path
https://user@hooks.example/
https://user:password@hooks.example/
https://hooks.example:22/
https://hooks.example:80/
https://hooks.example:5432/
https://hooks.example:0/
https://hooks.example:65536/
https://hooks.example:x/
https://hooks.example/#part
https://hooks.example/a b
https://hooks.example/\\evil
https://hooks.example/<x>
https://[::1
https://hooks.exa\x00mple/
https://hooks.example/\r\nHost:evil
""".strip("\n").split("\n")

BAD_ADDRESSES = [
    "127.0.0.1",
    "127.1",
    "127.255.255.254",
    "0.0.0.0",
    "0",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "017700000001",
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "169.254.0.1",
    "100.64.0.1",
    "192.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.7",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "localhost",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:10.0.0.1]",
    "[::127.0.0.1]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[2001:db8::1]",
    "[2001::1]",
    "[fec0::1]",
]

assert len(BAD_URLS) + len(BAD_ADDRESSES) >= 60


@pytest.mark.parametrize("url", BAD_URLS)
def test_what_is_no_address_of_a_webhook_is_refused(url):
    with pytest.raises(InvalidWebhookUrl):
        targets.parse(PLAIN, url)


@pytest.mark.parametrize("host", BAD_ADDRESSES)
async def test_what_is_not_public_is_not_called(host, monkeypatch):
    """Neither to be a webhook nor to be sent anything."""
    opened: list[object] = []

    async def refuse(*args: object, **about: object) -> None:
        opened.append(args)
        raise OSError

    monkeypatch.setattr(asyncio, "open_connection", refuse)
    target = targets.parse(PLAIN, f"https://{host}/hook")

    with pytest.raises((ForbiddenTarget, OSError)):
        await targets.addresses(target)
    outcome = await sending.send(target, [], b"{}")

    assert opened == []
    assert outcome.fault == "forbidden_target" or "gaierror" in (outcome.fault or "")


@pytest.mark.parametrize("text", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450::1"])
def test_the_public_internet_is_public(text):
    assert targets.is_public(text)


# ── Names that lead inside, by a name server of our own ──


class Names(asyncio.DatagramProtocol):
    """A name server: each question for a name takes the next of its answers."""

    def __init__(self, answers: dict[str, list[list[str]]]) -> None:
        self._answers = answers
        self.asked = 0

    def connection_made(self, transport) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        query = dns.message.from_wire(data)
        [question] = query.question
        answer = dns.message.make_response(query)
        name = str(question.name).rstrip(".")
        if question.rdtype == dns.rdatatype.A and name in self._answers:
            self.asked += 1
            turns = self._answers[name]
            now = turns.pop(0) if len(turns) > 1 else turns[0]
            answer.answer.append(dns.rrset.from_text(question.name, 0, "IN", "A", *now))
        self._transport.sendto(answer.to_wire(), addr)


@asynccontextmanager
async def name_server(answers: dict[str, list[list[str]]]) -> AsyncIterator[targets.Resolve]:
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(
        lambda: Names(answers), local_addr=("127.0.0.1", 0)
    )
    resolver = dns.asyncresolver.Resolver(configure=False)
    resolver.nameservers = ["127.0.0.1"]
    resolver.port = transport.get_extra_info("sockname")[1]

    async def resolve(host: str, port: int) -> list[str]:
        return [str(one) for one in await resolver.resolve(host, "A")]

    try:
        yield resolve
    finally:
        transport.close()


@pytest.fixture
async def inside() -> AsyncIterator[Receiver]:
    """Something on this machine that nobody outside should reach."""
    async with receiver() as made:
        yield made


@pytest.mark.parametrize(
    "addresses",
    [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["127.0.0.1", "8.8.8.8"], ["10.0.0.1"]],
)
async def test_a_name_that_leads_inside_even_in_part_is_not_called(inside, monkeypatch, addresses):
    monkeypatch.setattr(targets, "PORTS", targets.PORTS | {inside.port})
    target = targets.parse(PLAIN, f"https://inside.example:{inside.port}/")
    async with name_server({"inside.example": [addresses]}) as resolve:
        outcome = await sending.send(target, [], b"{}", resolve)

    assert outcome.fault == "forbidden_target"
    assert inside.connections == 0


async def test_a_name_that_changes_its_mind_gains_nothing(inside, monkeypatch):
    """Public when it is looked at, ours when it would be looked up again: it is not."""
    monkeypatch.setattr(targets, "PORTS", targets.PORTS | {inside.port})
    opened: list[str] = []
    real = asyncio.open_connection

    async def watched(host: str, *args: object, **about: object):
        opened.append(host)
        if host == "8.8.8.8":
            raise OSError("nobody is called in a test")
        return await real(host, *args, **about)

    monkeypatch.setattr(asyncio, "open_connection", watched)
    target = targets.parse(PLAIN, f"https://rebinding.example:{inside.port}/")
    async with name_server({"rebinding.example": [["8.8.8.8"], ["127.0.0.1"]]}) as resolve:
        first = await sending.send(target, [], b"{}", resolve)
        second = await sending.send(target, [], b"{}", resolve)

    assert opened == ["8.8.8.8"]
    assert "nobody is called" in (first.fault or "")
    assert second.fault == "forbidden_target"
    assert inside.connections == 0


async def test_a_host_that_the_operator_names_is_called_wherever_it_is(inside):
    """So that the tests above mean something: the same, allowed, arrives."""
    named = structs.replace(PLAIN, webhook_hosts="other.example, inside.example")
    target = targets.parse(named, f"http://Inside.Example.:{inside.port}/")
    async with name_server({"inside.example": [["127.0.0.1"]]}) as resolve:
        outcome = await sending.send(target, [], b'{"data": 1}', resolve)

    assert (outcome.status, outcome.answer) == (200, "thanks")
    assert inside.received[0].headers["host"] == f"inside.example:{inside.port}"


async def test_a_redirect_is_not_followed(inside):
    named = structs.replace(PLAIN, webhook_hosts="127.0.0.1")
    async with receiver() as outside:
        outside.answer = lambda _: (
            b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n"
            b"Location: http://127.0.0.1:%d/\r\n\r\n" % inside.port
        )
        target = targets.parse(named, f"http://127.0.0.1:{outside.port}/")
        outcome = await sending.send(target, [], b"{}")

    assert (outcome.status, outcome.is_success) == (302, False)
    assert inside.connections == 0


async def test_an_address_inside_cannot_be_made_a_webhook(client):
    for host in ("127.0.0.1", "169.254.169.254", "[::1]", "localhost"):
        answer = await client.post("/api/v1/webhooks", json={"url": f"https://{host}/"})
        assert (answer.status_code, answer.json()["Code"]) == (400, "forbidden_target")
