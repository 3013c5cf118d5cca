"""
Writes src/gamekeeper/users/common_passwords.bin: the passwords that attackers try first.

    python tools/common_passwords.py LIST OUTPUT

LIST has one password a line, or is a gzip of that. Ours is `common-passwords.txt.gz` of Django
5.2 (django/contrib/auth), the 20,000 most frequent passwords of published breaches, by Royce
Williams. The file has the first hundred of them, and of the others those of eight characters or
more: forms refuse shorter ones by their length. Clients send the SHA-256 of a password, so it is
the first six bytes of each hash, in order, and no password in clear.
"""

import gzip
import sys
from hashlib import sha256
from pathlib import Path

PREFIX = 6
WORST, SHORTEST = 100, 8


def main() -> None:
    source, output = map(Path, sys.argv[1:])
    raw = source.read_bytes()
    text = (gzip.decompress(raw) if source.suffix == ".gz" else raw).decode()
    lines = [line for line in text.splitlines() if line]
    passwords = {line for at, line in enumerate(lines) if at < WORST or len(line) >= SHORTEST}
    # The list is folded. People begin with a capital where a letter must be one.
    spellings = {*passwords, *(each.capitalize() for each in passwords)}
    hashes = sorted(sha256(each.encode()).digest()[:PREFIX] for each in spellings)
    output.write_bytes(b"".join(hashes))
    sys.stdout.write(f"{len(passwords)} passwords in {len(hashes)} spellings\n")


if __name__ == "__main__":
    main()
