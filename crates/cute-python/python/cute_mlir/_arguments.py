"""Arguments that hold addresses: structs, bytes with addresses in them, and addresses of bytes of arrays."""

from __future__ import annotations

import re
import struct as _native_struct
from collections.abc import Mapping
from typing import Any, Union

from ._native import Address, Contents, TensorMap

__all__ = ["address", "raw", "struct"]

#: What stands for an address: an array, what :func:`address` returns, or None for the null pointer.
Pointer = Any

#: The letters of Python's ``struct`` that take a number, a character or a truth value.
_NUMBERS = frozenset("cbB?hHiIlLqQnNefd")


def address(target: Union[Contents, TensorMap, str, Any], offset: int = 0) -> Address:
    """The address of a byte of an array, counted from its first element.

    ``target`` is an array, or the name of one of ``arrays``; or a struct, bytes or a tensor map of this package, for
    the address of new global memory that begins with it.
    """
    return Address(target, offset)


def struct(format: str, *values: Any) -> Contents:
    """A parameter by value, laid out as C lays out a struct.

    ``format`` has the letters of Python's ``struct``, each with a count in front where needed: ``P`` for a pointer,
    whose value is an array that the kernel may write to, :func:`address` or None, numbers (``i``, ``f``, ``Q``, ..),
    ``16s`` for bytes, ``x`` for a byte of padding. ``S`` is another struct, :func:`raw` or a tensor map as a whole.
    """
    fields: list[tuple[int, Any, str]] = []
    left = list(values)
    for count, letter in _letters(format):
        if letter == "x":
            fields.append((1, bytes(1 if count is None else count), f"{count or ''}x"))
        elif letter in "sp":
            size = 1 if count is None else count
            fields.append((1, _packed(f"{size}{letter}", _next(format, left, letter), len(fields)), f"{size}{letter}"))
        elif count == 0 and letter != "S":
            fields.append((_align(letter), b"", f"0{letter}"))
        else:
            for _ in range(1 if count is None else count):
                fields.append(_field(letter, _next(format, left, letter), len(fields)))
    if left:
        raise ValueError(f"struct({format!r}) has {len(values) - len(left)} values, but {len(values)} are given")
    return Contents(f"struct({format!r})", fields)


def raw(data: Union[bytes, bytearray, memoryview], addresses: Mapping[int, Any] = {}) -> Contents:
    """The bytes of a parameter by value, of which some are replaced.

    ``addresses`` has the offsets of words of 8 bytes that become addresses, those of arrays or of :func:`address`;
    a tensor map replaces 128 bytes.
    """
    whole = bytes(data)
    for at in addresses:
        if not isinstance(at, int) or at < 0:
            raise ValueError(f"{at!r} is not an offset: give a number of bytes from the beginning")
    fields = [(at, value, type(value).__name__) for at, value in addresses.items()]
    return Contents(f"raw of {len(whole)} bytes", fields, whole)


def _letters(format: str) -> list[tuple[int | None, str]]:
    """The letters of a format with their counts."""
    own = format.removeprefix("@")
    if own[:1] and own[0] in "<>=!":
        raise ValueError(f"struct({format!r}): a parameter has the places and the order of bytes of C; leave out {own[0]!r}")
    parts = re.findall(r"\s*(\d*)([^\d\s])|(\S)", own)
    for _, letter, odd in parts:
        if odd or not (letter in _NUMBERS or letter in "xspPS"):
            raise ValueError(f"struct({format!r}): {odd or letter!r} is not a letter of a format, such as P, i, f, Q, 16s or S")
    return [(int(count) if count else None, letter) for count, letter, _ in parts]


def _next(format: str, left: list[Any], letter: str) -> Any:
    if not left:
        raise ValueError(f"struct({format!r}): there is no value for a field {letter!r}")
    return left.pop(0)


def _align(letter: str) -> int:
    return _native_struct.calcsize(f"@c{letter}") - _native_struct.calcsize(f"@{letter}")


def _packed(form: str, value: Any, number: int) -> bytes:
    try:
        return _native_struct.pack(f"@{form}", value)
    except (_native_struct.error, OverflowError, TypeError) as error:
        raise ValueError(f"field {number} of type {form!r} cannot be {value!r}: {error}") from None


def _field(letter: str, value: Any, number: int) -> tuple[int, Any, str]:
    if letter == "S":
        if not isinstance(value, (Contents, TensorMap)):
            kind = type(value).__name__
            raise TypeError(f"field {number} of type 'S' is a struct, raw bytes or a tensor map as a whole, not '{kind}'")
        return 1, value, "S"
    if letter != "P":
        return _align(letter), _packed(letter, value, number), letter
    if isinstance(value, int):
        return _align(letter), _packed(letter, value, number), letter
    if isinstance(value, (Contents, TensorMap)):
        raise TypeError(
            f"field {number} is a pointer: give it address(..) of the struct or tensor map, or use the letter S for the whole"
        )
    return _align(letter), value, letter
