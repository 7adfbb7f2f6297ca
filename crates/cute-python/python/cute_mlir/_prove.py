"""Are the barriers of a kernel right at every size?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._compiler import Kernel, compile, source
from ._native import Program, Proof, is_ptx
from ._simulate import Extents, Simulated, _program, host_of

__all__ = ["Proof", "prove", "prove_host"]


def _proved(kernel: Simulated, target: str | None, through: str | None) -> Program:
    """The program that a proof is about."""
    if through not in (None, "ptx"):
        raise ValueError(f"through is {through!r}, but must be 'ptx' or None")
    if through is None or isinstance(kernel, Program):
        return _program(kernel, target)
    if not isinstance(kernel, Kernel):
        if is_ptx(source(kernel)[1]):
            return _program(kernel, target)
        kernel = compile(kernel, target)
    return kernel.through_ptx


def _asked(
    program: Program,
    args: Sequence[Any] | Mapping[str, Any],
    arrays: Mapping[str, Any] | None,
    variables: Mapping[str, Any] | None,
    options: dict[str, Any],
) -> Proof:
    return program.prove(
        dict(args) if isinstance(args, Mapping) else list(args),
        arrays=None if arrays is None else dict(arrays),
        variables=None if variables is None else dict(variables),
        **options,
    )


def prove(
    kernel: Simulated,
    grid: Extents,
    args: Sequence[Any] | Mapping[str, Any] = (),
    *,
    name: str | None = None,
    first: int = 1,
    seconds: float = 60,
    strict_isa: bool = False,
    through: str | None = None,
    block: Extents | None = None,
    cluster: Extents | None = None,
    shared: int | None = None,
    arrays: Mapping[str, Any] | None = None,
    variables: Mapping[str, Any] | None = None,
    budget: int | None = None,
    sums: str | None = None,
    sms: int | None = None,
    memory: int = 1024,
    target: str | None = None,
) -> Proof:
    """Answers whether the barriers of a kernel are right at every size ``n`` from ``first`` on.

    ``args`` and ``arrays`` are those of :func:`simulate`. At least one is a text that depends on ``n``, in braces:
    ``"A:f16[128x{64*n}]"`` or ``"{n}"``. Everything else is the same at each size. ``seconds`` bound the time, and
    ``through="ptx"`` asks about the PTX of a kernel in cute IR. An answer raises nothing: see :class:`Proof`.
    """
    options = {
        "kernel": name,
        "grid": grid,
        "block": block,
        "cluster": cluster,
        "shared": shared,
        "first": first,
        "seconds": seconds,
        "strict_isa": strict_isa,
        "budget": budget,
        "sums": sums,
        "sms": sms,
        "memory": memory,
        "target": target,
    }
    return _asked(_proved(kernel, target, through), args, arrays, variables, options)


def prove_host(
    module: Simulated,
    args: Sequence[Any] | Mapping[str, Any] = (),
    *,
    name: str | None = None,
    first: int = 1,
    seconds: float = 60,
    strict_isa: bool = False,
    through: str | None = None,
    arrays: Mapping[str, Any] | None = None,
    variables: Mapping[str, Any] | None = None,
    budget: int | None = None,
    sums: str | None = None,
    sms: int | None = None,
    memory: int = 1024,
    target: str | None = None,
) -> Proof:
    """The same for the kernel that a host function launches. ``args`` are its arguments, without streams."""
    program = _proved(module, target, through)
    options = {
        "host": host_of(program, name),
        "first": first,
        "seconds": seconds,
        "strict_isa": strict_isa,
        "budget": budget,
        "sums": sums,
        "sms": sms,
        "memory": memory,
        "target": target,
    }
    return _asked(program, args, arrays, variables, options)
