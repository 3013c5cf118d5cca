"""
Codes that people read aloud and type: Crockford's base 32, read generously.

Every kind of code (of sanctions, claims of orders, redeem codes) has the same alphabet, so that
the same mistakes are forgiven everywhere.
"""

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O and U, which people misread or that spell words."""
BITS = 5
"""Bits of one symbol."""
VALUES = {symbol: value for value, symbol in enumerate(ALPHABET)}
MISREAD = str.maketrans({"I": "1", "L": "1", "O": "0", "-": "", " ": ""})


def spell(number: int, length: int) -> str:
    """The symbols of a number, the lowest bits first; higher bits than fit are ignored."""
    return "".join(ALPHABET[number >> BITS * place & 31] for place in range(length))


def read(text: str, longest: int) -> str:
    """The symbols that were typed, in any letter case; empty if they cannot be a code."""
    if len(text) > longest:
        return ""
    symbols = text.strip().upper().translate(MISREAD)
    return symbols if set(symbols) <= VALUES.keys() else ""


def hyphenated(symbols: str) -> str:
    """The symbols in groups of four."""
    return "-".join(symbols[start : start + 4] for start in range(0, len(symbols), 4))
