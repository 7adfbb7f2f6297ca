"""Which of several kernels is legal, and how many instructions each has, without a GPU."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .._compiler import CompileError
from ._kernel import Host, Kernel
from ._trace import KernelError

_INSTRUCTION = re.compile(r"^\s+(?:@\S+\s+)?[a-z][\w.]*\b.*;", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Variant:
    """One choice, and what became of it."""

    choice: dict[str, Any]
    kernel: Kernel | Host | None
    #: Instructions of the PTX; ``None`` if the choice is not legal.
    instructions: int | None
    #: Why it is not legal.
    error: Exception | None

    def __str__(self) -> str:
        text = ", ".join(f"{name}={value}" for name, value in self.choice.items())
        return f"{text}: {self.instructions} instructions" if self.error is None else f"{text}: {self.error}"


def variants(make: Callable[..., Kernel | Host], choices: Sequence[Mapping[str, Any]]) -> list[Variant]:
    """Compiles a kernel for each choice of arguments of a function that makes it.

    Legal ones come first, those with the fewest instructions of PTX before others. An error that is none of the kernel is
    raised.
    """
    found = []
    for choice in choices:
        try:
            kernel = make(**choice)
            count = len(_INSTRUCTION.findall(kernel.ptx))
            found.append(Variant(dict(choice), kernel, count, None))
        except (KernelError, CompileError) as error:
            found.append(Variant(dict(choice), None, None, error))
    return sorted(found, key=lambda one: (one.error is not None, one.instructions or 0))
