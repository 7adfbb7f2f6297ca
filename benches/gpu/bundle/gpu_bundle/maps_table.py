"""Tables of tensor maps: parameters, what we say of each map, and the rows that they are counted in."""

from __future__ import annotations

from typing import Any

import numpy as np

ELEMENTS = (
    *("u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f64", "bf16", "f32.ftz", "tf32", "tf32.ftz"),
    *("u4", "u4 in 8 bits", "u6 in 8 bits"),
)
INTERLEAVES = ("none", "16B", "32B")
SWIZZLES = ("none", "32B", "64B", "128B", "128B by 32B", "128B by 32B, 8B exchanged", "128B by 64B")
PROMOTIONS = ("none", "64B", "128B", "256B")
FILLS = ("zero", "nan")

#: Names of the values of each parameter that has names.
NAMES = {
    "element": ELEMENTS,
    "interleave": INTERLEAVES,
    "swizzle": SWIZZLES,
    "promotion": PROMOTIONS,
    "fill": FILLS,
}

#: Elements from this number on have less than a byte; devices before 10.0 do not copy them.
BELOW_A_BYTE = 13

#: What we say of a map: refused; accepted with these bytes; accepted, but its encoding is not known; or nothing,
#: because our interface does not take these parameters.
REFUSED, KNOWN, UNKNOWN, UNASKED = range(4)

#: A rank that is not valid has room too.
MOST_MODES = 6

#: Maps begin at a multiple of this, and less than it after it.
PAGE = 4096

#: Examples that a row shows, and maps whose words it records.
SHOWN, RECORDED = 3, 200

INVALID_VALUE = 1
FLAGS = ("interleave", "swizzle", "promotion", "fill")

#: The parameters that may have an encoding that is not known; their rows in the results.
UNKNOWN_ROWS = {
    "swizzle": "encoding of swizzles",
    "fill": "encoding of the NaN fill",
    "steps": "encoding of steps",
    "interleave": "encoding of interleaves",
    "promotion": "encoding of L2 promotions",
    "several": "encoding of several of these at once",
}
IM2COL_ROW = "im2col maps"

#: The rows of ranks and elements that do not exist.
OTHERS = ("maps of other elements", "maps of other ranks")


def row_of(element: int, rank: int) -> str:
    """The row that a map is counted in."""
    if not 1 <= rank <= 5:
        return OTHERS[1]
    return f"maps of {ELEMENTS[element]}, rank {rank}" if element < len(ELEMENTS) else OTHERS[0]


class Table:
    """Maps and their parameters, an array for each."""

    def __init__(self, arrays: Any) -> None:
        self.arrays = {name: np.ascontiguousarray(arrays[name]) for name in arrays}
        self.count = len(self.arrays["rank"])

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["arrays"][name]
        except KeyError:
            raise AttributeError(name) from None

    def key(self, i: int) -> tuple[Any, ...]:
        """The parameters of a map, as the fake driver looks it up."""
        rank = int(self.rank[i])
        lists = [tuple(self.arrays[name][i, : max(rank - less, 0)].tolist()) for name, less in self.lists()]
        flags = [int(self.arrays[name][i]) for name in ("element", "rank", "delta", *FLAGS, *self.numbers())]
        return (*flags, *lists)

    def lists(self) -> list[tuple[str, int]]:
        """The parameters that have a number for each mode, or for all but some."""
        lists = [("dims", 0), ("strides", 1), ("steps", 0)]
        return [*lists, ("lower", 2), ("upper", 2)] if "lower" in self.arrays else [*lists, ("box", 0)]

    def numbers(self) -> list[str]:
        """The parameters of im2col maps that are one number."""
        return ["channels", "pixels"] if "lower" in self.arrays else []

    def parameters(self, i: int) -> dict[str, Any]:
        """The parameters of a map as a row shows them."""
        rank = int(self.rank[i])
        shown: dict[str, Any] = {"map": i, "rank": rank}
        for name, known in NAMES.items():
            value = int(self.arrays[name][i])
            shown[name] = known[value] if value < len(known) else value
        shown["address"] = f"+{int(self.delta[i])}"
        for name, less in self.lists():
            shown[name] = self.arrays[name][i, : max(rank - less, 0)].tolist()
        return shown | {name: int(self.arrays[name][i]) for name in self.numbers()}


def unknown_of(table: Table, i: int, among: tuple[str, ...]) -> list[str]:
    """The parameters of a map, out of some, that are not the plain ones, each with its value."""
    found = []
    for name in among:
        if name == "steps":
            steps = table.steps[i, : table.rank[i]].tolist()
            found += [f"step of mode {mode}: {step}" for mode, step in enumerate(steps) if step != 1]
        else:
            value = int(table.arrays[name][i])
            plain = value <= 3 if name == "swizzle" else value == 0
            found += [] if plain else [f"{name} {NAMES[name][value]}"]
    return found


def answer_of_unknown(table: Table, among: tuple[str, ...]) -> dict[str, list[int]]:
    """The maps whose encoding is not known, by the row that reports it."""
    rows: dict[str, list[int]] = {row: [] for row in UNKNOWN_ROWS.values()}
    for i in np.flatnonzero(table.verdict == UNKNOWN).tolist():
        features = unknown_of(table, i, among)
        kinds = {"steps" if feature.startswith("step") else feature.split()[0] for feature in features}
        rows[UNKNOWN_ROWS[kinds.pop() if len(features) == 1 else "several"]].append(i)
    return {row: maps for row, maps in rows.items() if maps}


def by_row(table: Table) -> dict[str, list[int]]:
    """The maps of each row of counts."""
    rows: dict[str, list[int]] = {}
    for i in range(table.count):
        rows.setdefault(row_of(int(table.element[i]), int(table.rank[i])), []).append(i)
    return dict(sorted(rows.items()))


def load(folder: Any, name: str) -> Table:
    """A table of the bundle."""
    with np.load(folder / name) as arrays:
        return Table(arrays)
