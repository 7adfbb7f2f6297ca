"""Layouts and what is asked about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from . import _native
from ._errors import LayoutError
from ._native import (
    Atom,
    ComposedLayout,
    E,
    Expression,
    Int,
    Layout,
    Swizzle,
    TensorMap,
    Tile,
    TiledCopy,
    TiledMma,
    compositions,
    divides,
    evaluate,
)

__all__ = [
    "Atom",
    "ComposedLayout",
    "E",
    "Expression",
    "Int",
    "Layout",
    "LayoutError",
    "Placement",
    "Swizzle",
    "TensorMap",
    "Tile",
    "TiledCopy",
    "TiledMma",
    "atoms",
    "banks",
    "choose_swizzle",
    "compositions",
    "divides",
    "domain",
    "evaluate",
    "explain",
    "request",
    "svg",
    "tensor_map",
]


@contextmanager
def domain(policy: str) -> Iterator[None]:
    """Sets the domain policy of this thread: ``"strict"`` or ``"extend"``, CuTe's, which is the default.

    The strict policy raises a :class:`LayoutError` where CuTe reads past an operand.
    """
    before = _native.set_policy(policy)
    try:
        yield
    finally:
        _native.set_policy(before)


def request(op: str, /, **fields: Any) -> Any:
    """The answer to a request, as ``cute-calc --json`` answers it.

    >>> request("coalesce", args=["(2,4):(1,2)"])
    '8:1'
    """
    return _answer(op, fields)["result"]


def _answer(op: str, fields: dict[str, Any]) -> dict[str, Any]:
    """The answer with the result, and where there is one, its value as a tree."""
    import json  # not at the top, because it takes longer than all of the package

    answer = json.loads(_native.request(json.dumps({"op": op, **fields})))
    if "error" in answer:
        raise LayoutError(answer["error"], rule=answer.get("rule", ""))
    return dict(answer)


def explain(call: str, /, *arguments: Any) -> str:
    """The steps of an operation: ``explain("coalesce((2,4):(1,2))")``, or ``explain("coalesce", A)``."""
    if arguments:
        call = f"{call}({', '.join(_text(argument) for argument in arguments)})"
    return _native.explain(call)


def _text(value: Any) -> str:
    """A value in the language of expressions."""
    if value is None:
        return "_"
    if isinstance(value, (tuple, list)):
        return f"({','.join(_text(item) for item in value)})"
    return str(value)


def svg(value: Any, **options: Any) -> str:
    """The picture of a layout, an atom or a tiling. ``bits``, ``tile`` and ``corner`` as for ``cute-calc svg``."""
    return str(request("svg", args=[_text(value)], **options))


def banks(layout: Any, bits: int, access: Sequence[str] | str = (), **options: Any) -> dict[str, Any]:
    """The passes of shared memory that each access to a tile takes, as ``cute-calc banks`` counts them."""
    access = [access] if isinstance(access, str) else list(access)
    return dict(_answer("banks", {"args": [_text(layout)], "bits": bits, "access": access, **options})["value"])


def choose_swizzle(layout: Any, bits: int, access: Sequence[str] | str) -> Swizzle:
    """The swizzle under which the accesses take the fewest passes."""
    return Swizzle(banks(layout, bits, access, choose="swizzle")["choice"]["form"])


def tensor_map(
    array: Any,
    box: Sequence[int],
    swizzle: str = "none",
    *,
    element: str | None = None,
    steps: Sequence[int] | None = None,
    fill: str = "zero",
    shape: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
    interleave: str = "none",
    promotion: str = "none",
) -> TensorMap:
    """The descriptor of the TMA for an array; ``bytes()`` of it are the 128 that a kernel takes by value.

    ``box`` and ``steps`` are in the order of the array's extents. A map of other extents has a ``shape``, whose
    contiguous extent is the first, and ``strides`` in bytes for all the others, as ``cuTensorMapEncodeTiled``
    takes them; ``box`` and ``steps`` are then in its order. ``swizzle`` is ``"none"``, ``"32B"``, ``"64B"``, ``"128B"``,
    ``"128B by 32B"``, ``"128B by 32B, 8B exchanged"`` or ``"128B by 64B"``, ``interleave`` ``"none"``, ``"16B"`` or ``"32B"``, and
    ``promotion`` to L2 ``"none"``, ``"64B"``, ``"128B"`` or ``"256B"``.
    """
    steps, shape, strides = (None if given is None else list(given) for given in (steps, shape, strides))
    return TensorMap(
        array,
        list(box),
        swizzle=swizzle,
        element=element,
        steps=steps,
        fill=fill,
        shape=shape,
        strides=strides,
        interleave=interleave,
        promotion=promotion,
    )


class _Atoms(Mapping[str, Atom]):
    """The atoms by name."""

    def __init__(self) -> None:
        self._names: list[str] | None = None

    def _all(self) -> list[str]:
        if self._names is None:
            self._names = str(request("atoms", args=[])).split()
        return self._names

    def __getitem__(self, name: str) -> Atom:
        try:
            return Atom(name)
        except (ValueError, TypeError) as error:
            raise KeyError(str(error)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


atoms: Mapping[str, Atom] = _Atoms()


class Placement:
    """A placement along named axes, in TIRx's notation: ``Placement("S[(4,32) : (1@warpid,1@laneid)]")``."""

    def __init__(self, notation: str, target: str | None = None) -> None:
        self._target = target
        self._text = notation
        # An operation, because it reads the notation.
        self._ask("canonicalize")

    def _ask(self, op: str, **arguments: Any) -> Any:
        fields: dict[str, Any] = {"self": self._text, "args": arguments}
        if self._target is not None:
            fields["target"] = self._target
        return request(op, **fields)

    def apply(self, op: str, /, **arguments: Any) -> Any:
        """An operation by its name; placements come back as placements."""
        answer = self._ask(op, **arguments)
        if isinstance(answer, dict) and "notation" in answer:
            return Placement(answer["notation"], self._target)
        return answer

    def canonicalize(self) -> Placement:
        """The same placement in its canonical form."""
        return Placement(self._ask("canonicalize")["notation"], self._target)

    def places(self, shape: Sequence[int], coord: Sequence[int]) -> Any:
        """The places of an element of a tensor of this shape."""
        return request("placements", layout=self._text, shape=list(shape), coord=list(coord))

    @classmethod
    def of(cls, layout: Any, target: str | None = None) -> Placement:
        """The placement that a layout is."""
        return cls(request("from_layout", args=[_text(layout)])["notation"], target)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Placement({self._text!r})" if self._target is None else f"Placement({self._text!r}, {self._target!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Placement) and (self._text, self._target) == (other._text, other._target)

    def __hash__(self) -> int:
        return hash((self._text, self._target))
