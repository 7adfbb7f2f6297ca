"""Part (d): the parameters of tensor maps, drawn by seed, and what we say of them.

About a third of the maps break a rule: a map that keeps all rules is drawn, and one parameter of some of them
becomes a number at a limit or beyond it.
"""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from gpu_bundle import maps_table as device

import cute_mlir as cm

COUNT, COUNT_OF_IM2COL = 10_000, 500
_SEED, _SEED_OF_IM2COL = 20, 21

#: Where the arrays of our maps lie; words are stored as distances from it.
_BASE = 0x7F00_0000_0000

#: Bytes of an element of global memory, and bits of one of shared memory, by the driver's number.
_BYTES = (1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4, 1, 1, 1)
_BITS = (8, 16, 32, 32, 64, 64, 16, 32, 64, 16, 32, 32, 32, 4, 8, 8)
_FLOATS = (6, 7, 8, 9, 10, 11, 12)
_ROWS = (1 << 20, 32, 64, 128, 128, 128, 128)
_UNPACKED = (14, 15)

_T = TypeVar("_T")


class Draw:
    """Random numbers that are the same everywhere: splitmix64."""

    def __init__(self, seed: int) -> None:
        self._state = seed * 0x9E37_79B9_7F4A_7C15 % 2**64

    def below(self, most: int) -> int:
        """A number from 0 to most - 1."""
        self._state = (self._state + 0x9E37_79B9_7F4A_7C15) % 2**64
        x = self._state
        x = (x ^ x >> 30) * 0xBF58_476D_1CE4_E5B9 % 2**64
        x = (x ^ x >> 27) * 0x94D0_49BB_1331_11EB % 2**64
        return (x ^ x >> 31) % most

    def within(self, least: int, most: int) -> int:
        """A number from least to most."""
        return least + self.below(most - least + 1)

    def pick(self, some: Sequence[_T]) -> _T:
        """One of some."""
        return some[self.below(len(some))]

    def one_in(self, n: int) -> bool:
        """True once in n times."""
        return self.below(n) == 0


class Map(NamedTuple):
    """The arguments of `cuTensorMapEncodeTiled`; the address is a distance from the allocation's."""

    element: int
    rank: int
    delta: int
    dims: list[int]
    strides: list[int]
    box: list[int]
    steps: list[int]
    interleave: int
    swizzle: int
    promotion: int
    fill: int


def _extent(draw: Draw) -> int:
    """An extent of a few elements, of many, or at the limit."""
    kind = draw.below(8)
    if kind < 3:
        return draw.within(1, 16)
    if kind < 6:
        return draw.within(1, 4096)
    return draw.within(1, 1 << 24) if kind == 6 else draw.pick((1, 1 << 16, (1 << 32) - 1, 1 << 32))


def _unit(element: int, interleave: int) -> int:
    """Addresses and strides are multiples of this."""
    return 32 if interleave == 2 or element in _UNPACKED else 16


def _strides(draw: Draw, element: int, dims: list[int], unit: int) -> list[int]:
    """Strides of a compact tensor, of one with pads, or any that are allowed."""
    bits = _BITS[element] if element < 13 else (4, 4, 6)[element - 13]
    line, found = (dims[0] * bits + 7) // 8, []
    kind = draw.below(3)
    for extent in dims[1:]:
        if kind == 2 or line >= 1 << 40:
            line = unit * draw.within(0, draw.pick((1 << 4, 1 << 12, 1 << 24, (1 << 40) // unit - 1)))
        else:
            line = (line + unit - 1) // unit * unit + (unit * draw.below(8) if kind else 0)
            line = min(line, (1 << 40) - unit)
        found.append(line)
        line *= extent
    return found


def _interleave(draw: Draw, element: int, rank: int) -> int:
    return draw.pick((0, 0, 0, 0, 0, 0, 1, 2)) if rank >= 3 and element < 13 else 0


def _first_of_box(draw: Draw, element: int, swizzle: int, interleave: int) -> int:
    """The box along the contiguous mode: whole units of 16 bytes, and no more than a swizzle's row."""
    if element in _UNPACKED:
        return 128
    if interleave:
        return draw.within(1, 256)
    step = 128 // _BITS[element]
    most = min(256, _ROWS[swizzle] * 8 // _BITS[element])
    return step * draw.within(1, most // step)


def legal(draw: Draw) -> Map:
    """Arguments that keep the documented rules."""
    element, rank = draw.below(len(device.ELEMENTS)), draw.within(1, 5)
    interleave = _interleave(draw, element, rank)
    swizzle = draw.pick((0, 3, 4, 6) if element in _UNPACKED else (0, 0, 1, 2, 3, 3, 4, 5, 6))
    if interleave == 2:
        swizzle = 1
    unit = _unit(element, interleave)
    dims = [_extent(draw) for _ in range(rank)]
    if element == 13:
        dims[0] = max(2, dims[0] // 2 * 2)
    if element in _UNPACKED:
        dims[0] = max(128, dims[0] // 128 * 128)
    strides = _strides(draw, element, dims, unit)
    box = [_first_of_box(draw, element, swizzle, interleave)]
    box += [draw.within(1, draw.pick((2, 8, 64, 256))) for _ in dims[1:]]
    steps = [draw.within(1, 8) if draw.one_in(2) else 1 for _ in dims] if draw.one_in(6) else [1] * rank
    fill = int(element in _FLOATS and draw.one_in(7))
    delta = unit * draw.below(8) if draw.one_in(4) else 0
    promotion = draw.pick((0, 0, 0, 1, 2, 3))
    return Map(element, rank, delta, dims, strides, box, steps, interleave, swizzle, promotion, fill)


def _replaced(numbers: list[int], draw: Draw, some: Sequence[int]) -> list[int]:
    """The numbers, one of which becomes one of some."""
    at = draw.below(len(numbers)) if numbers else 0
    return [*numbers[:at], draw.pick(some), *numbers[at + 1 :]] if numbers else numbers


def _moved(numbers: list[int], draw: Draw, some: Sequence[int]) -> list[int]:
    """The numbers, to one of which one of some is added."""
    at = draw.below(len(numbers)) if numbers else 0
    return [*numbers[:at], numbers[at] + draw.pick(some), *numbers[at + 1 :]] if numbers else numbers


def _with_rank(draw: Draw, m: Map) -> Map:
    """The map with a rank that is not valid."""
    if draw.one_in(2):
        return m._replace(rank=0)
    more = 6 - m.rank
    line = m.strides[-1] if m.strides else 1024
    lists = {"dims": [2], "box": [1], "steps": [1], "strides": [line]}
    return m._replace(rank=6, **{name: getattr(m, name) + one * more for name, one in lists.items()})


#: Strides, and corners of im2col boxes, at limits and beyond them.
_STRIDES = (0, 16, 1 << 40, (1 << 40) + 32, 1 << 41, 2**64 - 32)
_CORNERS = (-(1 << 15) - 1, 1 << 15, -(1 << 7) - 1, 1 << 7, -17, 16)

#: Changes to a map, most of which break a rule.
_CHANGES: tuple[Callable[[Draw, Map], Map], ...] = (
    lambda draw, m: m._replace(delta=draw.pick((1, 2, 4, 8, 16, 24, 48))),
    lambda draw, m: m._replace(dims=_replaced(m.dims, draw, (0, (1 << 32) + 1, 1 << 33, 1 << 63))),
    lambda draw, m: m._replace(dims=[m.dims[0] + draw.pick((1, 2, 64)), *m.dims[1:]]),
    lambda draw, m: m._replace(strides=_moved(m.strides, draw, (1, 2, 4, 8, 16))),
    lambda draw, m: m._replace(strides=_replaced(m.strides, draw, _STRIDES)),
    lambda draw, m: m._replace(box=_replaced(m.box, draw, (0, 257, 512, 1 << 16, 1 << 31))),
    lambda draw, m: m._replace(box=[m.box[0] + draw.pick((1, 2, 4, 8, -1)), *m.box[1:]]),
    lambda draw, m: m._replace(box=[draw.pick((16, 32, 64, 128, 192, 256)), *m.box[1:]]),
    lambda draw, m: m._replace(steps=_replaced(m.steps, draw, (0, 8, 9, 16, 1 << 16, 1 << 31))),
    lambda draw, m: m._replace(swizzle=draw.below(8)),
    lambda draw, m: m._replace(interleave=draw.below(4)),
    lambda draw, m: m._replace(interleave=draw.within(1, 2), swizzle=draw.below(7)),
    lambda draw, m: m._replace(fill=1 if m.element not in _FLOATS else draw.below(3)),
    lambda draw, m: m._replace(promotion=4) if draw.one_in(4) else m._replace(element=16),
    _with_rank,
)


def drawn(count: int) -> list[Map]:
    """Different maps, by seed."""
    draw, found = Draw(_SEED), dict[str, Map]()
    while len(found) < count:
        made = legal(draw)
        if draw.below(100) < 60:
            made = draw.pick(_CHANGES)(draw, made)
        found.setdefault(repr(made), made)
    return list(found.values())


class _Memory:
    """Memory at an address that is only told: maps of it are made, but none is used."""

    def __init__(self, address: int, size: int) -> None:
        count = (1 << 62) // size
        self.__array_interface__ = {"shape": (count,), "typestr": f"<u{size}", "data": (address, False), "version": 3}


class Own:
    """Our maps, as the wheel makes them."""

    def __init__(self) -> None:
        #: Parameters whose encoding is not known, or that the interface does not have.
        self.unknown = ["swizzle", "fill", "steps"]
        self._has_flags = True
        flags: dict[str, Any] = {"interleave": "none", "promotion": "none"}
        try:
            cm.tensor_map(_Memory(_BASE, 1), [16], shape=[16], **flags)
        except TypeError:
            self._has_flags = False
            self.unknown += ["promotion"]
        self.rules: list[str] = []

    def _rule(self, text: str) -> int:
        """The number of a rule, whose text is without the value that breaks it."""
        field, _, rest = text.partition(" is ")
        rule = f"{field}: {rest.partition(': ')[2].partition(';')[0]}"
        rule = re.sub(r"(: \d+ elements)?, not .*", "", rule)
        if rule not in self.rules:
            self.rules.append(rule)
        return self.rules.index(rule)

    def _words(self, m: Map) -> np.ndarray:
        flags: dict[str, Any] = {}
        if self._has_flags:
            flags = {"interleave": device.INTERLEAVES[m.interleave], "promotion": device.PROMOTIONS[m.promotion]}
        made = cm.tensor_map(
            _Memory(_BASE + m.delta, _BYTES[m.element]),
            m.box,
            # Commas separate the parameters of a map's text.
            device.SWIZZLES[m.swizzle].replace(",", ""),
            element=device.ELEMENTS[m.element],
            steps=m.steps,
            fill=device.FILLS[m.fill],
            shape=m.dims,
            strides=m.strides,
            **flags,
        )
        words = np.frombuffer(bytes(made), "<u8").copy()
        words[0] -= np.uint64(_BASE)
        return words

    def of(self, m: Map) -> tuple[int, int, np.ndarray]:
        """What we say of a map: the verdict, the rule that it breaks, and the words."""
        nothing = np.zeros(16, np.uint64)
        # Our interface has names for values, and no map without modes.
        for name, known in device.NAMES.items():
            if getattr(m, name) >= len(known):
                return device.REFUSED, self._rule(f"the {name} is {getattr(m, name)}: there is no such value"), nothing
        if not 1 <= m.rank <= 5:
            return device.REFUSED, self._rule(f"the rank is {m.rank}: a map has 1 to 5 modes"), nothing
        if m.interleave and not self._has_flags:
            return device.UNASKED, 0, nothing
        is_plain = self._has_flags or m.promotion == 0
        try:
            return device.KNOWN if is_plain else device.UNKNOWN, 0, self._words(m)
        except cm.LayoutError as error:
            text = str(error)
        if text.startswith("the map reaches byte") or "is not a valid swizzle" in text:
            return device.UNASKED, 0, nothing
        if "how the driver encodes it is not known" not in text:
            return device.REFUSED, self._rule(text), nothing
        plain = m._replace(swizzle=min(m.swizzle, 3), fill=0, steps=[1] * m.rank)
        return device.UNKNOWN, 0, self._words(plain)


def _padded(rows: list[list[int]], width: int, kind: str) -> np.ndarray:
    found = np.zeros((len(rows), width), kind)
    for row, numbers in zip(found, rows):
        row[: len(numbers)] = numbers
    return found


_WIDTHS = {"dims": (6, "<u8"), "strides": (5, "<u8"), "box": (6, "<u4"), "steps": (6, "<u4")}
_WIDTHS |= {"lower": (4, "<i4"), "upper": (4, "<i4")}


def arrays_of(maps: Sequence[Any]) -> dict[str, np.ndarray]:
    """The parameters of maps, an array for each."""
    found = {}
    for name in maps[0]._fields:
        column = [getattr(m, name) for m in maps]
        found[name] = _padded(column, *_WIDTHS[name]) if name in _WIDTHS else np.array(column, np.int32)
    return found


class Im2col(NamedTuple):
    """The arguments of `cuTensorMapEncodeIm2col`."""

    element: int
    rank: int
    delta: int
    dims: list[int]
    strides: list[int]
    lower: list[int]
    upper: list[int]
    channels: int
    pixels: int
    steps: list[int]
    interleave: int
    swizzle: int
    promotion: int
    fill: int


def legal_im2col(draw: Draw) -> Im2col:
    """Arguments that keep the documented rules."""
    element, rank = draw.pick((0, 1, 2, 6, 6, 7, 8, 9, 9, 11)), draw.within(3, 5)
    interleave = draw.pick((0, 0, 0, 0, 1, 2))
    swizzle = 1 if interleave == 2 else draw.pick((0, 0, 1, 2, 3, 3, 4, 6))
    unit = _unit(element, interleave)
    dims = [8 * draw.within(1, 64), *(draw.within(8, draw.pick((16, 300, 4000))) for _ in range(rank - 1))]
    strides = _strides(draw, element, dims, unit)
    most = (1 << 15, 1 << 7, 1 << 4)[rank - 3]
    reach = draw.pick((1, 4, most - 1))
    lower = [draw.within(-min(reach, most), min(reach, most - 1)) for _ in range(rank - 2)]
    upper = [draw.within(-min(reach, most), min(reach, most - 1)) for _ in range(rank - 2)]
    channels = _first_of_box(draw, element, swizzle, interleave)
    steps = [1, *(draw.within(1, 8) if draw.one_in(3) else 1 for _ in range(rank - 1))]
    pixels = draw.within(1, draw.pick((16, 256, 1024)))
    fill = int(element in _FLOATS and draw.one_in(5))
    at = (element, rank, 0, dims, strides, lower, upper, channels, pixels)
    return Im2col(*at, steps, interleave, swizzle, draw.below(4), fill)


#: Changes to an im2col map, most of which break a rule.
_CHANGES_OF_IM2COL: tuple[Callable[[Draw, Im2col], Im2col], ...] = (
    lambda draw, m: m._replace(lower=_replaced(m.lower, draw, _CORNERS)),
    lambda draw, m: m._replace(upper=_replaced(m.upper, draw, _CORNERS)),
    lambda draw, m: m._replace(channels=draw.pick((0, 1, 256, 257, 512))),
    lambda draw, m: m._replace(pixels=draw.pick((0, 1024, 1025, 2048))),
    lambda draw, m: m._replace(steps=_replaced(m.steps, draw, (0, 8, 9))),
    lambda draw, m: m._replace(strides=_moved(m.strides, draw, (8, 16))),
    lambda draw, m: m._replace(delta=draw.pick((8, 16))),
)


def drawn_im2col(count: int) -> list[Im2col]:
    """Different im2col maps, by seed."""
    draw, found = Draw(_SEED_OF_IM2COL), dict[str, Im2col]()
    while len(found) < count:
        made = legal_im2col(draw)
        if draw.one_in(4):
            made = draw.pick(_CHANGES_OF_IM2COL)(draw, made)
        found.setdefault(repr(made), made)
    return list(found.values())


def _other_bits(feature: str) -> np.ndarray:
    """Bits that the fake driver changes for a parameter whose encoding is not known."""
    found = np.zeros(16, np.uint64)
    number = sum(feature.encode()) % 61
    found[8 + number % 7] = np.uint64(1 << number)
    return found


def answers_of(table: device.Table, unknown: tuple[str, ...]) -> dict[str, np.ndarray]:
    """The driver's answers if it agrees with us, by row. What we are not asked it refuses."""
    found: dict[str, np.ndarray] = {}
    for row, maps in device.by_row(table).items():
        verdict = table.verdict[maps]
        found[f"{row}/0"] = (verdict[verdict != device.UNASKED] == device.REFUSED).astype(np.uint32)
        known = [i for i in maps if table.verdict[i] == device.KNOWN]
        if known:
            found[f"{row}/1"] = table.words[known]
    for row, maps in device.answer_of_unknown(table, unknown).items():
        changed = [
            np.bitwise_xor.reduce([_other_bits(feature) for feature in device.unknown_of(table, i, unknown)])
            for i in maps
        ]
        found[f"{row}/0"] = table.words[maps] ^ np.stack(changed)
    return found


def make(folder: pathlib.Path, tools: Any) -> None:
    """Writes the maps, what we say of them, and the recorded answers."""
    maps = drawn(COUNT // 10 if tools.is_sample else COUNT)
    own = Own()
    said = [own.of(m) for m in maps]
    verdicts, rules, words = zip(*said)
    arrays = arrays_of(maps) | {
        "verdict": np.array(verdicts, np.int8),
        "rule": np.array(rules, np.int16),
        "words": np.stack(words),
    }
    columns = drawn_im2col(COUNT_OF_IM2COL // 10 if tools.is_sample else COUNT_OF_IM2COL)
    np.savez_compressed(folder / "tiled.npz", **arrays)
    np.savez_compressed(folder / "im2col.npz", **arrays_of(columns))
    facts = {"rules": own.rules, "unknown": own.unknown}
    (folder / "facts.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    answers = answers_of(device.Table(arrays), tuple(own.unknown))
    # Nothing is known of them: the recorded words are numbers that tell one map from another.
    answers[f"{device.IM2COL_ROW}/0"] = np.array([i % 5 == 0 for i in range(len(columns))], np.uint32)
    answers[f"{device.IM2COL_ROW}/1"] = np.arange(16 * len(columns), dtype=np.uint64)
    np.savez_compressed(folder / "answers.npz", **answers)
