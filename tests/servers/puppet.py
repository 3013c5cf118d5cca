"""
A game server of a few lines, as a process of its own, to be stopped at any moment.

It registers, lets one character join, and hands out loot until it is refused; then it
says why. Every request goes out in two pieces with a pause, so that being stopped
often means being stopped in the middle of one.
"""

import json
import socket
import sys
import time
from typing import Any


class Puppet:
    def __init__(self, port: int, key: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._file = self._socket.makefile("rb")
        self._key = key

    def ask(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        content = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self._key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        ).encode()
        self._socket.sendall(head + content[:-5])
        time.sleep(0.02)
        self._socket.sendall(content[-5:])
        status = int(self._file.readline().split()[1])
        length = 0
        while line := self._file.readline().strip():
            name, _, value = line.lower().partition(b":")
            length = int(value) if name == b"content-length" else length
        return status, json.loads(self._file.read(length))


def main(port: str, key: str, name: str, player: str, item: str) -> None:
    puppet = Puppet(int(port), key)
    _, lease = puppet.ask("/api/v1/servers", {"name": name})
    fence, path = lease["Fence"], f"/api/v1/servers/{lease['Id']}"
    puppet.ask(f"{path}/join", {"fence": fence, "players": [player]})
    print("playing", flush=True)
    for number in range(100_000):
        move = {"do": "items", "itemid": item, "quantity": 1, "to": player}
        loot = {"key": f"{name}-{number}", "moves": [move]}
        status, answer = puppet.ask(
            "/api/v1/transactions",
            {"server": lease["Id"], "fence": fence, "transactions": [loot]},
        )
        if status != 200:
            print(status, answer["Code"], flush=True)
            return
        if failure := answer["Values"][0]["Failure"]:
            print("alone", failure["Code"], flush=True)
            return
        if number % 5 == 0:
            status, answer = puppet.ask(f"{path}/heartbeat", {"fence": fence})
            if status != 200:
                print("heart", answer["Code"], flush=True)
                return


if __name__ == "__main__":
    main(*sys.argv[1:])
