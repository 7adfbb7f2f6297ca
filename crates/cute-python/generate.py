"""Writes python/cute_mlir/_functions.py: a function of Python for each one of the algebra.

    python generate.py           writes the file
    python generate.py --check   fails if it is not what would be written

The package must be installed, because its native half lists the functions.
"""

import pathlib
import sys
import textwrap

HEAD = '''"""The functions of the algebra, by their names in CuTe. Written by generate.py; do not edit."""

from __future__ import annotations

from typing import Any

from ._native import call as _call

'''

MISSING = '''

class _Missing:
    def __repr__(self) -> str:
        return "..."


_MISSING: Any = _Missing()


def _given(*arguments: Any) -> tuple[Any, ...]:
    """The arguments before the first that was left out."""
    for count, argument in enumerate(arguments):
        if argument is _MISSING:
            return arguments[:count]
    return arguments
'''

def function(name, of, parameters, doc, example):
    required, optional, rest = [], [], None
    for parameter in filter(None, parameters.split(", ")):
        own, _, kind = parameter.partition(": ")
        if kind.endswith("..."):
            rest = own.rstrip("?")
        elif own.endswith("?"):
            optional.append(own[:-1])
        else:
            required.append(own)
    taken = [f"{own}: Any" for own in required] + [f"{own}: Any = _MISSING" for own in optional]
    passed = list(required)
    if optional:
        passed.append(f"*_given({', '.join(optional)})")
    if rest is not None:
        taken.append(f"*{rest}: Any")
        passed.append(f"*{rest}")
    text = f'"""{doc[0].upper()}{doc[1:]}.\n\n    ``{example}``\n    """'
    arguments = "".join(f", {argument}" for argument in passed)
    return f"def {name}({', '.join(taken)}) -> Any:\n    {text}\n    return _call({of!r}{arguments})\n"


def python_name(name):
    return name + "_" if name in ("slice",) else name


def module(names):
    exported, functions = [], []
    for name, aliases, parameters, doc, example in names:
        own = python_name(name)
        # `from` is a word of Python.
        functions.append(function(own, name, parameters.replace("from:", "source:").replace("to:", "target:"), doc, example))
        exported.append(own)
        for alias in aliases:
            functions.append(f"{alias} = {own}\n")
            exported.append(alias)
    listed = textwrap.fill(", ".join(f'"{name}"' for name in sorted(exported)), 116)
    everything = "__all__ = [\n" + textwrap.indent(listed, "    ") + ",\n]\n"
    body = "\n\n".join(functions)
    return HEAD + everything + MISSING + "\n\n" + body


if __name__ == "__main__":
    from cute_mlir._native import names

    file = pathlib.Path(__file__).parent / "python/cute_mlir/_functions.py"
    text = module(names())
    if "--check" in sys.argv:
        if file.read_text() != text:
            sys.exit("_functions.py is not current; run python generate.py")
    else:
        file.write_text(text)
