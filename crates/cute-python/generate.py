"""Writes python/cute_mlir/_functions.py and .pyi: a function of Python for each one of the algebra, and its types.

    python generate.py           writes the files
    python generate.py --check   fails if they are not what would be written

The package must be installed, because its native half lists the functions.
"""

import pathlib
import sys
import textwrap

HEAD = '''"""The functions of the algebra, by their names in CuTe. Written by generate.py; do not edit."""

from __future__ import annotations

'''

RUNTIME = '''from ._native import call as _call

'''

GIVEN = '''

def _given(*arguments):
    """The arguments up to the last that is not None, which stands for one that was left out."""
    count = len(arguments)
    while count and arguments[count - 1] is None:
        count -= 1
    return arguments[:count]


'''

TYPES = '''from typing import Any, TypeAlias, overload

from ._native import ComposedLayout, Layout, Swizzle, TiledCopy, TiledMma

'''

# An integer that is known at run time only is an `Int`. As in typeshed, `Any` stands for the case that would make each
# program with static layouts test for it.
ALIASES = '''
_Integer: TypeAlias = int | Any
_IntTuple: TypeAlias = Any
_Plain: TypeAlias = Layout | int | tuple[Any, ...]
_AnyLayout: TypeAlias = Layout | ComposedLayout

'''

# The kind of a result as the native half names it: its type, or that for a plain layout and that for any other operand.
RESULTS = {
    "layout": ("Layout", "_AnyLayout"),
    "plain": "Layout",
    "composed": "ComposedLayout",
    "count": "int",
    "integer": "_Integer",
    "tuple": "_IntTuple",
    "stride": "_IntTuple",
    "truth": "bool | None",
    "part": ("tuple[_IntTuple, Layout]", "tuple[_IntTuple, _AnyLayout]"),
    "tiled MMA": "TiledMma",
    "tiled copy": "TiledCopy",
    "same": ("Layout", "Any"),
}


def parameters(text):
    """The name, the kind, and whether it may be left out and repeated, of each parameter."""
    for parameter in filter(None, text.split(", ")):
        name, _, kind = parameter.partition(": ")
        is_optional, repeats = name.endswith("?"), kind.endswith("...")
        # `from` is a word of Python.
        name = {"from": "source", "to": "target"}.get(name.rstrip("?"), name.rstrip("?"))
        yield name, kind, is_optional or repeats, repeats


def signature(taken, types=None):
    """The parameters in Python, with a type for some of them."""
    parts = []
    for name, _, is_optional, repeats in taken:
        typed = "" if types is None else f": {types.get(name, 'Any')}"
        parts.append(name + typed + ((" = ..." if typed else "=None") if is_optional else ""))
        if repeats:
            parts.append("*more: Any" if typed else "*more")
    return ", ".join(parts)


def function(name, of, taken, doc, example):
    passed = [own for own, _, is_optional, _ in taken if not is_optional]
    optional = [own for own, _, is_optional, _ in taken if is_optional]
    optional += ["*more"] if any(repeats for *_, repeats in taken) else []
    passed += [f"*_given({', '.join(optional)})"] if optional else []
    text = f'"""{doc[0].upper()}{doc[1:]}.\n\n    ``{example}``\n    """'
    arguments = "".join(f", {argument}" for argument in passed)
    return f"def {name}({signature(taken)}):\n    {text}\n    return _call({of!r}{arguments})\n"


def stub(name, taken, kind):
    result = RESULTS[kind]
    layout = next((own for own, kind, *_ in taken if kind.startswith("layout")), None)
    if isinstance(result, str) or layout is None:
        result = result if isinstance(result, str) else result[1]
        return f"def {name}({signature(taken, {})}) -> {result}: ...\n"
    # A tuple is a shape, except where tuples are operands of their own.
    kinds = next(kind for own, kind, *_ in taken if own == layout)
    cases = [("Layout" if kind == "same" else "_Plain", result[0])]
    cases += [("Swizzle", "ComposedLayout")] if "swizzle" in kinds else []
    cases += [("Any", result[1])]
    return "".join(f"@overload\ndef {name}({signature(taken, {layout: own})}) -> {made}: ...\n" for own, made in cases)


def python_name(name):
    return name + "_" if name in ("slice",) else name


def modules(names):
    """The module and its stub."""
    exported, functions, stubs = [], [], []
    for name, aliases, described, doc, example, kind in names:
        own, taken = python_name(name), list(parameters(described))
        functions.append(function(own, name, taken, doc, example))
        stubs.append(stub(own, taken, kind))
        exported.append(own)
        for alias in aliases:
            functions.append(f"{alias} = {own}\n")
            stubs.append(f"{alias} = {own}\n")
            exported.append(alias)
    listed = textwrap.fill(", ".join(f'"{name}"' for name in sorted(exported)), 116)
    everything = "__all__ = [\n" + textwrap.indent(listed, "    ") + ",\n]\n"
    return {
        "_functions.py": HEAD + RUNTIME + everything + GIVEN + "\n\n".join(functions),
        "_functions.pyi": HEAD + TYPES + everything + ALIASES + "".join(stubs),
    }


if __name__ == "__main__":
    from cute_mlir._native import names

    folder = pathlib.Path(__file__).parent / "python/cute_mlir"
    for name, text in modules(names()).items():
        if "--check" not in sys.argv:
            (folder / name).write_text(text)
        elif (folder / name).read_text() != text:
            sys.exit(f"{name} is not current; run python generate.py")
