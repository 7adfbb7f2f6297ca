"""A launch of a kernel as data: its arguments, their inputs by seed, and the comparison of its results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import numbers

#: What fills an input: whole numbers, whose sums of products are exact, or fractions in [-1, 1).
FILLS: dict[str, Callable[[tuple[int, ...], int], np.ndarray]] = {
    "whole": numbers.whole,
    "bits": lambda shape, seed: numbers.whole(shape, seed, most=1),
    "spread": numbers.spread,
    "positive": lambda shape, seed: np.abs(numbers.spread(shape, seed)) + 1,
}


def values(argument: dict[str, Any]) -> np.ndarray:
    """What an array has before the launch, in the order in which it is stored."""
    shape, element = tuple(argument["stored"]), argument["element"]
    if "fill" not in argument:
        return np.zeros(shape, numbers.STORAGE.get(element, np.uint8))
    made = FILLS[argument["fill"]](shape, argument["seed"])
    return numbers.encode(made, element)


def compared(argument: dict[str, Any], found: np.ndarray, wanted: np.ndarray) -> tuple[str, dict[str, Any]]:
    """The state of a row for one result, and the facts: how many values differ, by how much, and the first of them."""
    element = argument["element"]
    same = found.view(np.uint8).reshape(*found.shape, -1) == wanted.view(np.uint8).reshape(*wanted.shape, -1)
    differing = ~same.all(axis=-1)
    facts: dict[str, Any] = {"values": int(found.size)}
    if not differing.any():
        return "equal", facts
    mine, theirs = numbers.decode(found, element), numbers.decode(wanted, element)
    at = np.unravel_index(int(np.flatnonzero(differing)[0]), found.shape)
    with np.errstate(invalid="ignore"):
        distance = np.abs(mine - theirs)
    far = ~(distance <= argument.get("tolerance", 0))
    facts |= {
        "differing": int(differing.sum()),
        "units": float(np.max(numbers.units(found, wanted, element)[differing])),
        "distance": float(np.nanmax(distance)) if not np.isnan(distance).all() else None,
    }
    if far.any():
        at = np.unravel_index(int(np.flatnonzero(far)[0]), found.shape)
    facts |= {"at": [int(i) for i in at], "found": repr(float(mine[at])), "wanted": repr(float(theirs[at]))}
    return ("differs" if far.any() else "close"), facts
