"""The session cookie: which one is set and read, by whom, over what."""

import pytest

from gamekeeper.core import origins
from gamekeeper.http import cookies
from gamekeeper.http.admission import credential_of
from gamekeeper.http.cookies import DEVELOPMENT_NAME, NAME, SessionCookie
from gamekeeper.http.requests import Request

LOCAL, PUBLIC = "http://127.0.0.1:8000", "https://play.example.org"


def asked(peer: str = "127.0.0.1", scheme: str = "http", **headers: str) -> Request:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Request(
        id="1",
        method="GET",
        raw_path=b"/",
        query_string=b"",
        headers=named,
        peer=peer,
        scheme=scheme,
    )


@pytest.mark.parametrize(
    ("url", "request_", "name"),
    [
        (LOCAL, asked(), DEVELOPMENT_NAME),
        ("http://localhost:5000", asked("::1"), DEVELOPMENT_NAME),
        (LOCAL, asked("192.0.2.1"), NAME),
        (LOCAL, asked(scheme="https"), NAME),
        (LOCAL, asked(x_forwarded_for="192.0.2.1"), NAME),
        (LOCAL, asked(x_forwarded_proto="https"), NAME),
        (LOCAL, asked(forwarded="for=192.0.2.1"), NAME),
        (PUBLIC, asked(), NAME),
        ("http://play.example.org", asked(), NAME),
        ("http://127.0.0.1.example.org", asked(), NAME),
    ],
    ids=[
        *("at home", "IPv6", "from elsewhere", "by TLS", "behind a proxy", "a proxy's TLS"),
        *("a standard proxy", "in public", "in public without TLS", "a name like an address"),
    ],
)
def test_without_tls_there_is_a_cookie_on_ones_own_machine_only(url, request_, name):
    header, value = SessionCookie(url).issued(request_, "gks_x")
    assert header == "Set-Cookie"
    parts = value.split("; ")
    assert parts[0] == f"{name}=gks_x"
    assert {"Path=/", "HttpOnly", "SameSite=Strict"} <= set(parts)
    assert ("Secure" in parts) == (name == NAME)
    assert not [part for part in parts if part.startswith(("Domain", "Expires"))]
    sent = Request(
        **{field: getattr(request_, field) for field in request_.__struct_fields__}
        | {"headers": request_.headers | {"cookie": f"{DEVELOPMENT_NAME}=gks_x"}}
    )
    assert SessionCookie(url).read(sent) == ("gks_x" if name == DEVELOPMENT_NAME else "")


def test_a_removed_cookie_is_the_one_that_was_set():
    _, value = SessionCookie(PUBLIC).removed(asked())
    assert value.startswith(f"{NAME}=; ")
    assert value.endswith("; Max-Age=0")


def test_of_several_cookies_the_one_with_the_prefix_counts_and_the_first_of_a_name():
    header = f"a=b; {DEVELOPMENT_NAME}=two; {NAME}=one; {NAME}=three"
    assert cookies.values(header) == {NAME: "one", DEVELOPMENT_NAME: "two"}
    assert SessionCookie(LOCAL).read(asked(cookie=header)) == "one"


def test_the_header_stands_for_the_caller_before_the_cookie():
    cookie = (b"cookie", f"theme=dark; {NAME}=gks_x".encode())
    header = (b"authorization", b"Bearer gk_y")
    assert credential_of([cookie, header]) == credential_of([header])
    assert credential_of([cookie]) not in (0, credential_of([header]))
    assert credential_of([(b"cookie", b"theme=dark")]) == 0


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://play.example.org/game/", "https://play.example.org"),
        ("https://play.example.org:443", "https://play.example.org"),
        ("http://play.example.org:80", "http://play.example.org"),
        ("https://Play.Example.org:8443", "https://play.example.org:8443"),
        ("http://[::1]:8000/", "http://[::1]:8000"),
    ],
)
def test_an_origin_is_written_as_browsers_do(url: str, origin: str):
    assert origins.origin_of(url) == origin
