"""Sixty ways to have us call where we must not, and not one connection."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import dns.message
import dns.rdatatype
import dns.rrset
import pytest
from msgspec import structs

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.egress import http_client, targets
from gamekeeper.egress.targets import InvalidWebhookUrl
from tests.deadlines import PATIENCE
from tests.webhooks.receivers import Receiver, receiver
from tests.webhooks.targets import Errand

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
https://127。0。0。1/
https://ｌｏｃａｌｈｏｓｔ/
https://hooks%2eexample/
https://[fe80::1%25lo]/
https://hooks.example,inside.example/
https://hooks.example;inside.example/
https://.hooks.example/
https://hooks..example/
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
    "LOCALHOST.",
    "0177.0.0.1",
    "[::ffff:7f00:1]",
    "[::ffff:169.254.169.254]",
    "[64:ff9b::169.254.169.254]",
]

NAMES = {
    "inside.example": [["127.0.0.1"]],
    "partly.example": [["8.8.8.8", "127.0.0.1"]],
    "mostly.example": [["127.0.0.1", "8.8.8.8"]],
    "private.example": [["10.0.0.1"]],
    "metadata.example": [["169.254.169.254"]],
    "six.example": [["::1"]],
    "mapped.example": [["::ffff:127.0.0.1"]],
    "both.example": [["8.8.8.8", "::1"]],
    "translated.example": [["64:ff9b::7f00:1"]],
    "any.example": [["0.0.0.0"]],
}

assert len(BAD_URLS) + len(BAD_ADDRESSES) + len(NAMES) >= 60


@pytest.mark.parametrize("url", BAD_URLS)
def test_what_is_no_address_of_a_webhook_is_refused(url):
    with pytest.raises(InvalidWebhookUrl):
        targets.parse(PLAIN, url)


async def test_what_is_not_public_is_not_called(inside, knocker):
    """The whole corpus, sent to as the worker sends; the last one shows that we would see it."""
    hosts = [f"{host}:{inside.port}" for host in [*BAD_ADDRESSES, *NAMES]]
    urls = [*BAD_URLS, *(f"https://{host}/hook" for host in hosts)]
    allowed = f"http://allowed.example:{inside.port}/"
    async with name_server(NAMES | {"allowed.example": [["127.0.0.1"]]}) as names:
        errand = Errand(
            urls=[*urls, allowed],
            names_port=names.port,
            hosts=f"allowed.example:{inside.port}",
            ports=[inside.port],
        )
        *told, last = await knocker.knock(errand)

    assert [delivery.url for delivery in told] == urls
    assert [delivery for delivery in told if delivery.called or delivery.status] == []
    assert {_short(event.fault) for event in told[: len(BAD_URLS)]} == {"invalid_webhook_url"}
    # Some spellings of an address are none to the resolver of this system.
    assert {_short(event.fault) for event in told[len(BAD_URLS) :]} <= {
        "forbidden_target",
        "gaierror",
    }
    assert {event.fault for event in told[-len(NAMES) :]} == {"forbidden_target"}
    assert (last.status, last.called) == (200, ["127.0.0.1"])
    assert inside.connections == 1


def _short(fault: str | None) -> str:
    return (fault or "").partition(":")[0]


async def test_a_name_that_changes_its_mind_gains_nothing(inside, knocker):
    """Public when it is looked at, ours when it would be looked up again: it is not."""
    url = f"https://rebinding.example:{inside.port}/"
    turns = [["8.8.8.8"], ["127.0.0.1"]] * 5
    async with name_server({"rebinding.example": [list(turn) for turn in turns]}) as names:
        errand = Errand(urls=[url] * 10, names_port=names.port, ports=[inside.port])
        told = await knocker.knock(errand)

    assert [delivery.called for delivery in told] == [["8.8.8.8"], []] * 5
    assert [event.fault for event in told[1::2]] == ["forbidden_target"] * 5
    assert names.asked == 10
    assert inside.connections == 0


async def test_the_next_address_of_a_name_is_called_if_the_first_does_not_answer(inside, knocker):
    """All of them were looked at."""
    async with name_server({"two.example": [["127.0.0.9", "127.0.0.1"]]}) as names:
        url = f"http://two.example:{inside.port}/"
        [told] = await knocker.knock(
            Errand(urls=[url], names_port=names.port, hosts=f"two.example:{inside.port}")
        )

    assert (told.status, told.called) == (200, ["127.0.0.9", "127.0.0.1"])
    assert inside.received[0].headers["host"] == f"two.example:{inside.port}"


async def test_names_that_hang_keep_nobody_from_looking_up_others():
    """A lookup cannot be broken off: six that hang took all the threads there were."""
    held = threading.Event()
    try:
        for _ in range(20):
            targets.LOOKUPS.submit(held.wait)
        async with asyncio.timeout(PATIENCE):
            assert "127.0.0.1" in await targets.look_up("127.0.0.1", 443)
            assert await asyncio.to_thread(int) == 0
    finally:
        held.set()


@pytest.mark.parametrize("text", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450::1"])
def test_the_public_internet_is_public(text):
    assert targets.is_public(text)


# ── Names that lead inside, by a name server of our own ──


class Names(asyncio.DatagramProtocol):
    """A name server: each question for a name takes the next of its answers."""

    def __init__(self, answers: dict[str, list[list[str]]]) -> None:
        self._answers = answers
        self._now: dict[str, list[str]] = {}
        self.asked = 0
        self.port = 0

    def connection_made(self, transport) -> None:
        self._transport = transport
        self.port = transport.get_extra_info("sockname")[1]

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        query = dns.message.from_wire(data)
        [question] = query.question
        answer = dns.message.make_response(query)
        if found := self._found(str(question.name).rstrip("."), question.rdtype):
            kind = dns.rdatatype.to_text(question.rdtype)
            answer.answer.append(dns.rrset.from_text(question.name, 0, "IN", kind, *found))
        self._transport.sendto(answer.to_wire(want_shuffle=False), addr)

    def _found(self, name: str, kind: dns.rdatatype.RdataType) -> list[str]:
        """The addresses of one kind; the question for the older kind, which comes first, counts."""
        if kind == dns.rdatatype.A:
            self.asked += 1
            turns = self._answers[name]
            self._now[name] = turns.pop(0) if len(turns) > 1 else turns[0]
        return [one for one in self._now[name] if (":" in one) == (kind == dns.rdatatype.AAAA)]


@asynccontextmanager
async def name_server(answers: dict[str, list[list[str]]]) -> AsyncIterator[Names]:
    loop = asyncio.get_running_loop()
    transport, names = await loop.create_datagram_endpoint(
        lambda: Names(answers), local_addr=("127.0.0.1", 0)
    )
    try:
        yield names
    finally:
        transport.close()


@pytest.fixture
async def inside() -> AsyncIterator[Receiver]:
    """Something on this machine that nobody outside should reach."""
    async with receiver() as made:
        yield made


async def test_a_redirect_is_not_followed(inside):
    named = structs.replace(PLAIN, webhook_hosts="127.0.0.1:*")
    async with receiver() as outside:
        outside.answer = lambda _: (
            b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n"
            b"Location: http://127.0.0.1:%d/\r\n\r\n" % inside.port
        )
        target = targets.parse(named, f"http://127.0.0.1:{outside.port}/")
        outcome = await http_client.send(target, [], b"{}")

    assert (outcome.status, outcome.is_success) == (302, False)
    assert inside.connections == 0


async def test_an_address_inside_cannot_be_made_a_webhook(client):
    """Nor does anybody hear whether there is such a name."""
    inside = ("127.0.0.1", "169.254.169.254", "[::1]", "localhost")
    nowhere = ("no-such-name.invalid", "localhost.no-such-name.invalid")
    heard = set()
    for host in (*inside, *nowhere):
        answer = await client.post("/api/v1/webhooks", json={"url": f"https://{host}/"})
        assert answer.status_code == 400
        heard.add((answer.json()["Code"], answer.json()["Message"]))
    made = await client.post("/api/v1/webhooks", json={"url": "https://8.8.8.8/"})
    path = f"/api/v1/webhooks/{made.json()['Id']}"
    for host in (*inside, *nowhere):
        answer = await client.patch(path, json={"url": f"https://{host}/"})
        heard.add((answer.json()["Code"], answer.json()["Message"]))

    assert {code for code, _ in heard} == {"forbidden_target"}
    assert len(heard) == 1


HOSTS = "hooks.internal,10.0.0.7:9000, Shop.Internal:8000,::1,[fd00::1]:9000,dev:*,two:1,two:2"


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.internal/",
        "https://hooks.internal/",
        "https://hooks.internal:8443/",
        "http://hooks.internal:443/",
        "http://10.0.0.7:9000/",
        "https://shop.internal:8000/",
        "http://[::1]/",
        "http://[fd00::1]:9000/",
        "http://dev:1/",
        "http://dev:65535/",
        "http://two:2/",
    ],
)
def test_the_operator_allows_hosts_and_ports(url):
    assert targets.parse(structs.replace(PLAIN, webhook_hosts=HOSTS), url).named


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.internal:5432/",
        "https://hooks.internal:22/",
        "http://10.0.0.7/",
        "http://10.0.0.7:9001/",
        "http://shop.internal/",
        "http://[::1]:9000/",
        "http://[fd00::1]/",
        "http://two:3/",
        "http://other.internal/",
    ],
)
def test_no_other_port_of_an_allowed_host_is_allowed(url):
    with pytest.raises(InvalidWebhookUrl):
        targets.parse(structs.replace(PLAIN, webhook_hosts=HOSTS), url)


def test_an_allowed_port_does_not_make_the_others_private():
    """https on its usual port is as for everybody: only to what is public."""
    named = structs.replace(PLAIN, webhook_hosts="10.0.0.7:9000")
    assert not targets.parse(named, "https://10.0.0.7/").named
