"""Writes python/cute_mlir/kernels/_ops.py: a function of Python for each op of the dialect that has no regions.

    python generate_ops.py           writes the file
    python generate_ops.py --check   fails if it is not what would be written

Both packages must be installed, because the native half of the compiler lists the ops, which are generated from td/.
"""

import json
import keyword
import pathlib
import re
import sys

from cute_mlir_compiler import ops

HEAD = '''"""The ops of the dialect, one function each. Written by generate_ops.py; do not edit.

Operands are values of a trace, or numbers and layouts of Python, which become constants. Attributes are keywords: integers, or
the text of an attribute of MLIR. ``result`` is the text of a type that is not inferred.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from ._trace import called
from ._values import Value

Operands = list[Any]


def _value(op: str, operands: list[Operands], attributes: dict[str, Optional[str]], results: list[str]) -> Value:
    made: Value = called(op, operands, attributes, results)
    return made

'''

#: The type of a parameter, its default, and how it is handed on.
KINDS = {
    "value": ("Any", None, "[{}]"),
    "maybe": ("Any", "None", "[] if {0} is None else [{0}]"),
    "values": ("Operands", None, "{}"),
    "flag": ("bool", "False", '"true" if {} else None'),
    "integer": ("int", None, "str({})"),
    "integers": ("Sequence[int]", "()", '",".join(map(str, {}))'),
    "attribute": ("str", None, "{}"),
    "setting": ("Optional[str]", "None", "{}"),
    "type": ("str", None, "[{}]"),
}
OPERANDS = ("value", "maybe", "values")


def spelled(name):
    """A name as Python spells it; the functions use `map` and `str` themselves."""
    name = re.sub("(?<!^)([A-Z])", r"_\1", name).lower()
    return name + "_" * (keyword.iskeyword(name) or name in ("map", "str"))


def function(op):
    dialect = op["op"].split(".")[0].removeprefix("cute_").removeprefix("cute")
    name = spelled("_".join(filter(None, (dialect, op["name"]))))
    of_kind = [(spelled(one["name"]), one["kind"], one) for one in op["parameters"]]
    operands = [one for one in of_kind if one[1] in OPERANDS]
    others = [one for one in of_kind if one[1] not in OPERANDS]
    parts = []
    for number, (own, kind, _) in enumerate(operands):
        type_, default, _ = KINDS[kind]
        last = all(KINDS[later[1]][1] for later in operands[number:])
        parts.append(f"{own}: {type_} = {default}" if default and last else f"{own}: {type_}")
    if others:
        parts.append("*")
    for own, kind, _ in others:
        type_, default, _ = KINDS[kind]
        parts.append(f"{own}: {type_} = {default}" if default else f"{own}: {type_}")
    returned = {0: "None", 1: "Value"}.get(op["results"], "Any")
    handed = ", ".join(KINDS[kind][2].format(own) for own, kind, _ in operands)
    attributes = [f'"{one["name"]}": {KINDS[kind][2].format(own)}' for own, kind, one in others if kind != "type"]
    results = next((KINDS[kind][2].format(own) for own, kind, _ in others if kind == "type"), "[]")
    word = "_value" if returned == "Value" else "called"
    call = f'{word}("{op["op"]}", [{handed}], {{{", ".join(attributes)}}}, {results})'
    call = call if returned == "None" else f"return {call}"
    summary = op["summary"][:1].upper() + op["summary"][1:]
    head = f"def {name}({', '.join(parts)}) -> {returned}:\n"
    if len(head) > 140:
        head = f"def {name}(\n    {', '.join(parts)},\n) -> {returned}:\n".replace("*,\n", "*\n")
    return f'{head}    """``{op["op"]}``: {summary}."""\n    {call}\n'


def main():
    path = pathlib.Path(__file__).parent / "python/cute_mlir/kernels/_ops.py"
    made = HEAD + "".join("\n" + function(op) + "\n" for op in json.loads(ops())).rstrip("\n") + "\n"
    if "--check" in sys.argv:
        if path.read_text() != made:
            sys.exit(f"{path.name} is not what generate_ops.py writes: run it")
    else:
        path.write_text(made)


main()
