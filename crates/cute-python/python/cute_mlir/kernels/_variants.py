"""Which of several kernels is legal, spills nothing, and has the fewest instructions in its loop, without a GPU."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .._compiler import CompileError, _compiler
from ._kernel import Host, Kernel
from ._trace import KernelError

_INSTRUCTION = re.compile(r"^\s+(?:@\S+\s+)?[a-z][\w.]*\b.*;", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Variant:
    """One choice, and what became of it. A number is ``None`` where the choice is not legal, or a tool is not installed."""

    choice: dict[str, Any]
    kernel: Kernel | Host | None
    #: Instructions of the PTX.
    instructions: int | None
    #: Why it is not legal.
    error: Exception | None
    #: Registers of a thread, and bytes that it stores because they do not suffice, by ptxas.
    registers: int | None = None
    spilled: int | None = None
    #: Instructions of the machine code, and of its main loop, by nvdisasm; and how many of those are MMAs.
    sass: int | None = None
    loop: int | None = None
    mmas: int | None = None

    @property
    def data(self) -> dict[str, Any]:
        """The choice and the numbers, with the error as text."""
        numbers = {name: getattr(self, name) for name in _COLUMNS}
        return {**self.choice, **numbers, "error": None if self.error is None else str(self.error)}

    @property
    def _order(self) -> tuple[float, ...]:
        """Legal ones, those without spills, short loops, short code."""
        numbers = [self.loop, self.sass, self.instructions]
        return (self.error is not None, (self.spilled or 0) > 0, *(float("inf") if n is None else n for n in numbers))

    def __str__(self) -> str:
        text = ", ".join(f"{name}={value}" for name, value in self.choice.items())
        if self.error is not None:
            return f"{text}: {self.error}"
        known = [f"{getattr(self, name)} {words}" for name, words in _COLUMNS.items() if getattr(self, name) is not None]
        return f"{text}: {', '.join(known)}"


#: The numbers of a variant, and the words for them.
_COLUMNS = {
    "loop": "instructions in the loop",
    "mmas": "MMAs in the loop",
    "registers": "registers",
    "spilled": "bytes spilled",
    "sass": "instructions",
    "instructions": "instructions of PTX",
}


class Variants(list[Variant]):
    """Variants, the best first; as text a table."""

    @property
    def data(self) -> list[dict[str, Any]]:
        """A dictionary for each variant."""
        return [one.data for one in self]

    def __str__(self) -> str:
        names = list(dict.fromkeys(name for one in self for name in one.choice))
        numbers = [name for name in _COLUMNS if any(getattr(one, name) is not None for one in self)]
        rows = [[*names, *(_COLUMNS[name] for name in numbers), ""]]
        for one in self:
            cells = [one.choice.get(name, "") for name in names]
            cells += [getattr(one, name) for name in numbers]
            why = "" if one.error is None else str(getattr(one.error, "text", one.error)).splitlines()[0]
            rows.append(["-" if cell is None else str(cell) for cell in cells] + [why])
        widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]) - 1)]
        return "\n".join("  ".join([*(cell.rjust(w) for cell, w in zip(row, widths)), row[-1]]).rstrip() for row in rows)


def variants(make: Callable[..., Kernel | Host], choices: Sequence[Mapping[str, Any]]) -> Variants:
    """Compiles a kernel for each choice of arguments of a function that makes it.

    Legal ones come first, those that spill no registers before others, and of these those with the fewest instructions in
    the main loop: the one with the most MMAs, or else the longest innermost one. ptxas and nvdisasm count them, which are
    found as for ``cutec gate``; without them, the instructions of PTX decide. An error that is none of the kernel is raised.
    """
    found = Variants()
    for choice in choices:
        try:
            kernel = make(**choice)
            count = len(_INSTRUCTION.findall(kernel.ptx))
            found.append(Variant(dict(choice), kernel, count, None, **_machine_code(kernel)))
        except (KernelError, CompileError) as error:
            found.append(Variant(dict(choice), None, None, error))
    found.sort(key=lambda one: one._order)
    return found


def _machine_code(kernel: Kernel | Host) -> dict[str, int | None]:
    """The numbers of the machine code, as far as there are tools; of several kernels, the worst."""
    compiler = _compiler()
    compiled = kernel.compiled
    target = str(compiled.manifest["target"])
    try:
        code = json.loads(compiler.machine_code(compiled.ptx, target, compiled._options))
    except compiler.Failed:
        return {}
    except RuntimeError as error:
        # Machine code that ptxas does not make is no legal choice.
        raise KernelError(f"'{kernel.name}' does not assemble: {error}", kernel.place) from None
    numbers: dict[str, int | None] = {name: max(one[name] for one in code) for name in ("registers", "spilled")}
    if any(one["instructions"] is None for one in code):
        return numbers
    numbers["sass"] = sum(one["instructions"] for one in code)
    loops = [own for one in code for own in one["loops"]]
    if loops:
        main = max(loops, key=lambda own: (own["mmas"], own["instructions"]))
        numbers.update(loop=main["instructions"], mmas=main["mmas"])
    return numbers
