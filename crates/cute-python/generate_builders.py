"""Writes python/cute_mlir/builders.py: a function of Python for each builder, with its options.

    python generate_builders.py           writes the file
    python generate_builders.py --check   fails if it is not what would be written

Both packages must be installed, because the native half of the compiler lists the options.
"""

import json
import keyword
import pathlib
import sys

from cute_mlir_compiler import declared

HEAD = '''"""The builders of kernels, with their options. Written by generate_builders.py; do not edit.

Each function returns a :class:`Kernel`, whose ``text`` is cute IR, and whose :meth:`Kernel.grid` computes the blocks of a
launch from its arguments, where the kernel has no host function that does.
"""

from __future__ import annotations

from typing import Literal, Optional

from ._compiler import Kernel, build_kernel

'''


def kind(option):
    """The type of an option, and its default."""
    default, choices = option["default"], option["choices"]
    if option["kind"] == "flag" or choices == ["true", "false"] or choices == ["false", "true"]:
        return ("bool", "False") if option["kind"] == "flag" else ("Optional[bool]", "None")
    if option["kind"] == "number":
        return ("int", default) if default is not None else ("Optional[int]", "None")
    if option["kind"] == "text":
        return "Optional[str]", "None"
    listed = f"Literal[{', '.join(json.dumps(choice) for choice in choices)}]"
    return (listed, json.dumps(default)) if default is not None else (f"Optional[{listed}]", "None")


def named(option):
    """An option whose name is a word of Python has an underscore behind it."""
    return {**option, "name": option["name"] + "_" * keyword.iskeyword(option["name"])}


def function(builder, rest):
    name, options = builder["name"], [named(option) for option in builder["options"] + rest]
    lines = [f"def {name}(\n    target: Optional[str] = None,\n    *,\n"]
    for option in options:
        type_, default = kind(option)
        lines.append(f"    {option['name']}: {type_} = {default},\n")
    about = [line for line in builder["about"].split("\n\n")[0].split("\n")]
    lines.append(f') -> Kernel:\n    """{about[0]}\n')
    lines += [f"    {line}\n" for line in about[1:]]
    lines.append("\n    ``target`` is a GPU such as ``\"sm_90a\"``; without it, the one with the most shared memory.\n\n")
    for option in options:
        choices = [] if kind(option)[0].endswith("bool]") or kind(option)[0] == "bool" else option["choices"]
        among = f": {', '.join(choices)}" if choices else ""
        sentence = " ".join(option["sentence"].split())
        lines.append(f"    * ``{option['name']}`` - {sentence}{among}\n")
    lines.append(f'    """\n    return build_kernel(\n        "{name}",\n        target,\n')
    lines += [f"        {option['name']}={option['name']},\n" for option in options]
    return "".join(lines) + "    )\n"


def module():
    data = json.loads(declared())
    names = sorted(builder["name"] for builder in data["builders"])
    everything = "__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n"
    functions = [function(builder, data["options"]) for builder in data["builders"]]
    return HEAD + everything + "\n\n" + "\n\n".join(functions)


def main():
    path = pathlib.Path(__file__).parent / "python" / "cute_mlir" / "builders.py"
    if "--check" not in sys.argv:
        path.write_text(module())
    elif path.read_text() != module():
        sys.exit(f"{path.name} is not what generate_builders.py writes: run it")


main()
