"""
Descriptions of fields: the docstring below a field of a schema.

Python keeps no such docstring at run time, so the source is parsed, and only when the
document is built. That also works with `python -OO`, and from an installed wheel.
"""

import ast
import inspect
import sys
from functools import cache

from gamekeeper.http.openapi.operations import Json


def described(shape: type, field: str) -> Json:
    """The description of a field, by its name in Python; a subclass inherits it."""
    owners = [owner for owner in shape.__mro__ if field in inspect.get_annotations(owner)]
    for owner in owners:
        if text := _docstrings(owner.__module__).get(owner.__name__, {}).get(field):
            return {"description": text}
    return {}


@cache
def _docstrings(module: str) -> dict[str, dict[str, str]]:
    """The docstrings below the fields of the classes of a module, by class and field."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: _fields(node) for node in tree.body if isinstance(node, ast.ClassDef)}


def _fields(shape: ast.ClassDef) -> dict[str, str]:
    found = {}
    for field, below in zip(shape.body, shape.body[1:], strict=False):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                found[name] = _unwrapped(text)
    return found


def _unwrapped(text: str) -> str:
    """Line ends inside of a paragraph are the source's, not the reader's."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(" ".join(paragraph.split("\n")) for paragraph in paragraphs)
