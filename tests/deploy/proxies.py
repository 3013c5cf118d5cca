"""The reverse proxies that we ship a configuration for, as real programs with TLS on loopback."""

import os
import shutil
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from msgspec import Struct

from tests import processes
from tests.deadlines import PATIENCE
from tests.server import free_port

CONFIGURATIONS = Path(__file__).parents[2] / "deploy" / "proxy"


class Proxy(Struct, frozen=True):
    """A proxy that runs before a service."""

    port: int
    trust: ssl.SSLContext

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    def client(self, address: str = "127.0.0.1", **headers: str) -> httpx2.AsyncClient:
        """Somebody at this address, which is one of loopback's."""
        transport = httpx2.AsyncHTTPTransport(verify=self.trust, local_address=address)
        return httpx2.AsyncClient(
            transport=transport, base_url=self.url, headers=headers, timeout=PATIENCE
        )


def program(name: str) -> str:
    """The path of a program; where CI runs it must be there."""
    found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin")
    if found is None and "CI" not in os.environ:
        pytest.skip(f"there is no {name} here: apt install {name}")
    assert found, f"there is no {name} here"
    return found


@contextmanager
def caddy(upstream: str, folder: Path, port: int) -> Iterator[Proxy]:
    """Our Caddyfile, with the certificate that Caddy makes for localhost."""
    # The ports of the redirect and of the administration are the machine's, and others test too.
    text = (CONFIGURATIONS / "Caddyfile").read_text()
    changed = text.replace("\tservers", f"\tadmin off\n\thttp_port {free_port()}\n\tservers")
    assert changed != text
    (folder / "Caddyfile").write_text(changed)
    env = {"SITE": f"localhost:{port}", "UPSTREAM": upstream, "HOME": str(folder)}
    env |= {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    command = [program("caddy"), "run", "--adapter", "caddyfile"]
    root = folder / "caddy/pki/authorities/local/root.crt"
    with _running([*command, "--config", str(folder / "Caddyfile")], folder, env) as process:
        _wait(process, folder, root.exists)
        trust = ssl.create_default_context(cafile=root)
        _wait(process, folder, lambda: _answers(port, trust))
        yield Proxy(port, trust)


@contextmanager
def nginx(upstream: str, folder: Path, port: int) -> Iterator[Proxy]:
    """Our nginx.conf, with a certificate of our own; only names, ports and files are changed."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    _make_certificate(certificate, key)
    text = (CONFIGURATIONS / "nginx.conf").read_text()
    live = "/etc/letsencrypt/live/play.example.org/"
    for old, new in {
        "127.0.0.1:8000": upstream,
        f"{live}fullchain.pem": str(certificate),
        f"{live}privkey.pem": str(key),
        "play.example.org": "localhost",
        "listen 443": f"listen 127.0.0.1:{port}",
        "    listen [::]:443 ssl http2;\n": "",
        "listen 80": f"listen 127.0.0.1:{free_port()}",
        "    listen [::]:80;\n": "",
    }.items():
        assert old in text, f"nginx.conf has no {old}"
        text = text.replace(old, new)
    (folder / "gamekeeper.conf").write_text(text)
    (folder / "nginx.conf").write_text(WHOLE.format(folder=folder))
    command = [program("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")]
    with _running(command, folder, {}) as process:
        trust = ssl.create_default_context(cafile=certificate)
        _wait(process, folder, lambda: _answers(port, trust))
        yield Proxy(port, trust)


PROXIES: dict[str, Callable[..., object]] = {"caddy": caddy, "nginx": nginx}

# What Debian's /etc/nginx/nginx.conf has around conf.d, without the machine's own paths.
WHOLE = """
daemon off;
worker_processes 2;
error_log stderr warn;
pid {folder}/nginx.pid;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/gamekeeper.conf;
}}
"""


@contextmanager
def _running(
    command: list[str], folder: Path, env: dict[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    # nginx gives its workers to nobody, who must be able to come here.
    for parent in (folder, *folder.parents[:-2]):
        parent.chmod(parent.stat().st_mode | 0o011)
    with (folder / "log").open("wb") as log:
        process = processes.start(command, env=os.environ | env, stdout=log, stderr=log)
        try:
            yield process
        finally:
            processes.kill(process)


def _wait(process: subprocess.Popen[bytes], folder: Path, is_there: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_there():
        alive = process.poll() is None and time.monotonic() < deadline
        assert alive, f"the proxy did not start:\n{(folder / 'log').read_text()}"
        time.sleep(0.05)


def _answers(port: int, trust: ssl.SSLContext) -> bool:
    try:
        return httpx2.get(f"https://localhost:{port}/", verify=trust, timeout=5).status_code < 500
    except httpx2.TransportError:
        return False


def _make_certificate(certificate: Path, key: Path) -> None:
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "1", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost"),
            *("-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
