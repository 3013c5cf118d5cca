"""
Escaping of untrusted text for terminals (terminal escape injection).

A terminal obeys control characters: they clear the screen, move the cursor, and forge
lines. Others reverse or hide the text beside them. Names, reasons and responses of
webhook targets are untrusted, so all text shown to people is escaped here.
"""

import json


def escaped(text: str, *, keep: str = "") -> str:
    """
    Replace every character that is not printable by an escape, such as `\\x1b`.

    These are the Unicode categories Other and Separator, except the space: controls of ASCII
    and Latin-1, bidirectional controls, invisible characters, and all line ends.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in keep else _escape(char) for char in text)


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def escaped_json(document: str) -> str:
    """
    The same for a JSON document, whose meaning does not change.

    Its strings have no raw ASCII controls; other characters that are not printable become
    JSON escapes.
    """
    if document.isprintable():
        return document
    return "".join(
        char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in document
    )
