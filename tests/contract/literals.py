"""
Odd literals, and what each of them is.

Written down by hand, as raw JSON, so that no encoder smooths them and no parser
of ours decides what they are.
"""

from msgspec import Struct


class Literal(Struct, frozen=True):
    raw: str
    kinds: str = ""
    """
    What it may be read as: `i` an integer of 32 bits, `l` one of 64, `n` any other
    number, `b` a boolean, `g` a guid, `d` an instant, `p` the hash of a password, `e` an email
    address, `t` text, `0` nothing at all, `*` too large a body. Without any it is
    no scalar, or not even JSON.
    """


GUID = "ABCDEF01-2345-4678-89AB-CDEF01234567"
HASH = "0123456789abcdefABCDEF9876543210" * 2
HASH_OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

LITERALS: dict[str, Literal] = {
    "true": Literal("true", "b"),
    "false": Literal("false", "b"),
    "1.0": Literal("1.0", "n"),
    "1e2": Literal("1e2", "n"),
    "0": Literal("0", "i"),
    "-0": Literal("-0", "i"),
    "5": Literal("5", "i"),
    "-1": Literal("-1", "i"),
    "2^31-1": Literal("2147483647", "i"),
    "2^31": Literal("2147483648", "l"),
    "-2^31": Literal("-2147483648", "i"),
    "-2^31-1": Literal("-2147483649", "l"),
    "2^53+1": Literal("9007199254740993", "l"),
    "2^63-1": Literal("9223372036854775807", "l"),
    "2^63": Literal("9223372036854775808", "n"),
    "2^64": Literal("18446744073709551616", "n"),
    "20 digits": Literal("12345678901234567890", "n"),
    "5000 digits": Literal("1" * 5000),
    "01": Literal("01"),
    "NaN": Literal("NaN"),
    "Infinity": Literal("Infinity"),
    "-Infinity": Literal("-Infinity"),
    "1e400": Literal("1e400"),
    "null": Literal("null", "0"),
    "[]": Literal("[]"),
    "{}": Literal("{}"),
    "[5]": Literal("[5]"),
    "empty string": Literal('""', "t"),
    "space string": Literal('" "', "t"),
    "instant": Literal('"2026-03-14T18:22:05Z"', "dt"),
    "instant without offset": Literal('"2026-03-14T18:22:05"', "t"),
    "'5'": Literal('"5"', "it"),
    "'05'": Literal('"05"', "it"),
    "'-1'": Literal('"-1"', "it"),
    "'+5'": Literal('"+5"', "t"),
    "' 5'": Literal('" 5"', "t"),
    "'5' and a newline": Literal(r'"5\n"', "t"),
    "'1.0'": Literal('"1.0"', "t"),
    "'1e2'": Literal('"1e2"', "t"),
    "'2^31'": Literal('"2147483648"', "lt"),
    "'2^63'": Literal('"9223372036854775808"', "t"),
    "'0x10'": Literal('"0x10"', "t"),
    "'1_0'": Literal('"1_0"', "t"),
    "'１２' in full width": Literal('"１２"', "t"),
    "'٣' in Arabic": Literal('"٣"', "t"),
    "'NaN'": Literal('"NaN"', "t"),
    "'null'": Literal('"null"', "t"),
    "'true'": Literal('"true"', "bt"),
    "'TRUE'": Literal('"TRUE"', "bt"),
    "'yes'": Literal('"yes"', "t"),
    "NUL": Literal(r'"\u0000"'),
    "NUL within": Literal(r'"a\u0000b"'),
    "lone surrogate": Literal(r'"\ud800"'),
    "surrogates the wrong way round": Literal(r'"\udc00\ud800"'),
    "emoji by surrogates": Literal(r'"\ud83d\ude00"', "t"),
    "byte order mark": Literal('"\ufeff"', "t"),
    "right-to-left override": Literal(r'"a\u202eb"', "t"),
    "zero-width joiner": Literal(r'"a\u200db"', "t"),
    "line separator": Literal(r'"a\u2028b"', "t"),
    "carriage return and newline": Literal(r'"a\r\nBcc: b@example.com"', "t"),
    "raw newline": Literal('"a\nb"'),
    "300 characters": Literal(f'"{"x" * 300}"', "t"),
    "64 KiB": Literal(f'"{"x" * 65536}"', "*"),
    "guid": Literal(f'"{GUID.lower()}"', "gt"),
    "guid in upper case": Literal(f'"{GUID}"', "gt"),
    "guid in braces": Literal(f'"{{{GUID}}}"', "gt"),
    "guid without hyphens": Literal(f'"{GUID.replace("-", "")}"', "gt"),
    "guid cut short": Literal(f'"{GUID[:-1]}"', "t"),
    "guid in parentheses": Literal(f'"({GUID})"', "t"),
    "all-zero guid": Literal('"00000000-0000-0000-0000-000000000000"', "gt"),
    "64 hex": Literal(f'"{HASH}"', "pt"),
    "63 hex": Literal(f'"{HASH[1:]}"', "t"),
    "65 hex": Literal(f'"0{HASH}"', "t"),
    "64 hex and a newline": Literal(rf'"{HASH}\n"', "t"),
    "64 with a g": Literal(f'"g{HASH[1:]}"', "t"),
    "64 full-width digits": Literal(f'"{"１" * 64}"', "t"),
    "hash of nothing": Literal(f'"{HASH_OF_NOTHING}"', "pt"),
    "email": Literal('"Odd.One+tag@EXAMPLE.com"', "et"),
    "email of another script": Literal('"odd@bücher.example"', "et"),
    "email without a domain": Literal('"odd@"', "t"),
    "email with a comma": Literal('"odd@example.com,b@example.com"', "t"),
    "SQL": Literal(r'"\u0027; DROP TABLE users; --"', "t"),
    "HTML": Literal('"<script>alert(1)</script>"', "t"),
    "format": Literal('"%s%n{0}${x}"', "t"),
    "path": Literal('"../../etc/passwd"', "t"),
    "backslash": Literal(r'"\\"', "t"),
}
