"""
Escaping of text from elsewhere, so that it is safe to look at.

A terminal obeys control characters: they clear the screen, move the cursor, and forge
lines. Others reverse or hide what stands beside them. Names, reasons and answers of
webhook targets come from anybody, so what is shown to people goes through here.
"""

import json


def escaped(text: str, *, keep: str = "") -> str:
    """
    The text with everything that is not printable as an escape, such as `\\x1b`.

    That is what Unicode calls Other or Separator, but for the space: controls of ASCII and
    of Latin-1, changes of direction, invisible characters, and all ends of lines.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in keep else _escape(char) for char in text)


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def escaped_json(document: str) -> str:
    """
    The same for a JSON document, which stays what it was to a program.

    Its strings have no raw controls of ASCII; what else is not printable is written as
    JSON's own escapes.
    """
    if document.isprintable():
        return document
    return "".join(
        char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in document
    )
