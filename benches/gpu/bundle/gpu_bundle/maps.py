"""Part (d): tensor maps as the driver encodes them, beside ours.

`tiled.npz` has the parameters of maps, and what we say of each: refused, or accepted with 128 bytes. Where we do
not know how the driver encodes a parameter, the bytes are those of the map without it, and what the driver
changes in them is reported. Addresses are distances from an allocation's.
"""

from __future__ import annotations

import base64
import ctypes
import json
import zlib
from collections import Counter
from typing import Any

import numpy as np

from .maps_fake import fakes
from .maps_table import (
    BELOW_A_BYTE,
    FLAGS,
    IM2COL_ROW,
    INVALID_VALUE,
    KNOWN,
    NAMES,
    OTHERS,
    PAGE,
    RECORDED,
    REFUSED,
    SHOWN,
    UNASKED,
    UNKNOWN,
    UNKNOWN_ROWS,
    Table,
    answer_of_unknown,
    by_row,
    load,
    unknown_of,
)

__all__ = ["fakes", "run"]


class Encoder:
    """The driver's functions, which write to a place that is aligned as they ask."""

    def __init__(self, device: Any) -> None:
        self.device = device
        self._memory = np.zeros(256, np.uint8)
        self._place = (self._memory.ctypes.data + 63) // 64 * 64

    def _call(
        self, name: str, table: Table, i: int, address: int, middle: list[Any], shift: int = 0
    ) -> tuple[int, bytes]:
        ctypes.memset(self._place, 0, 192)
        rank = ctypes.c_uint32(int(table.rank[i]))
        flags = [ctypes.c_int(int(table.arrays[flag][i])) for flag in FLAGS]
        element = ctypes.c_int(int(table.element[i]))
        where = ctypes.c_void_p(self._place + shift)
        first = [where, element, rank, ctypes.c_void_p(address), _at(table.dims, i), _at(table.strides, i)]
        code = self.device.code(name, *first, *middle, _at(table.steps, i), *flags)
        return code, ctypes.string_at(self._place + shift, 128)

    def tiled(self, table: Table, i: int, address: int, shift: int = 0) -> tuple[int, bytes]:
        """The code and the bytes of a map of boxes."""
        return self._call("cuTensorMapEncodeTiled", table, i, address, [_at(table.box, i)], shift)

    def im2col(self, table: Table, i: int, address: int) -> tuple[int, bytes]:
        """The code and the bytes of a map of columns of pixels."""
        numbers = [ctypes.c_uint32(int(table.channels[i])), ctypes.c_uint32(int(table.pixels[i]))]
        middle = [_at(table.lower, i), _at(table.upper, i), *numbers]
        return self._call("cuTensorMapEncodeIm2col", table, i, address, middle)


def _at(numbers: np.ndarray, i: int) -> ctypes.c_void_p:
    """The address of the numbers of a map."""
    return ctypes.c_void_p(numbers.ctypes.data + i * numbers.strides[0])


def run(context: Any) -> None:
    """Maps of boxes, what is not known of their encoding, and maps of im2col."""
    device = context.device
    encoder = Encoder(device)
    memory = device.empty((2 * PAGE,), "uint8")
    base = (memory.address + PAGE - 1) // PAGE * PAGE
    table = load(context.folder, "tiled.npz")
    facts = json.loads((context.folder / "facts.json").read_text(encoding="utf-8"))
    codes = np.zeros(table.count, np.int64)
    words = np.zeros((table.count, 16), np.uint64)
    expected = with_base(table, base)

    def count(row: str, maps: list[int]) -> None:
        for i in maps:
            codes[i], found = encoder.tiled(table, i, base + int(table.delta[i]))
            words[i] = np.frombuffer(found, "<u8")
        counts(context.rows, row, maps, table, codes, is_wrong(table, codes, words, expected))

    by_name = by_row(table)
    for row, maps in by_name.items():
        if row not in OTHERS:
            count(row, maps)
    unknown(context.rows, table, tuple(facts["unknown"]), codes, words, base)
    im2col(context.rows, encoder, load(context.folder, "im2col.npz"), base)
    # A driver that does not survive them has answered the rest.
    for row in OTHERS:
        if row in by_name:
            count(row, by_name[row])
    classes(context.rows, table, facts["rules"], codes, words, expected)
    places(context.rows, encoder, table, base)
    memory.free()


def with_base(table: Table, base: int) -> np.ndarray:
    """Our words of maps of an allocation at this address."""
    words: np.ndarray = table.words.copy()
    words[:, 0] += np.uint64(base)
    return words


def is_wrong(table: Table, codes: np.ndarray, words: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Whether the driver does not say of a map what we say."""
    refused, accepted = codes == INVALID_VALUE, codes == 0
    wrong: np.ndarray = np.where(table.verdict == REFUSED, ~refused, ~accepted)
    wrong |= (table.verdict == KNOWN) & accepted & (words != expected).any(axis=1)
    return wrong & (table.verdict != UNASKED)


def counts(rows: Any, row: str, maps: list[int], table: Table, codes: np.ndarray, wrong: np.ndarray) -> None:
    """The row of an element type and rank."""
    verdict = table.verdict[maps]
    facts: dict[str, Any] = {
        "maps": len(maps),
        "wrong": int(wrong[maps].sum()),
        "accepted": int(((verdict == KNOWN) | (verdict == UNKNOWN)).sum()),
        "refused": int((verdict == REFUSED).sum()),
        "without bytes of ours": int((verdict == UNKNOWN).sum()),
        "not asked of us": int((verdict == UNASKED).sum()),
        "codes": {str(code): count for code, count in sorted(Counter(codes[maps].tolist()).items())},
    }
    if facts["wrong"]:
        first = [i for i in maps if wrong[i]][:SHOWN]
        facts["first"] = [{"code": int(codes[i])} | table.parameters(i) for i in first]
    state = "differs" if facts["wrong"] else "equal"
    is_small = row not in OTHERS and int(table.element[maps[0]]) >= BELOW_A_BYTE
    if is_small and not (codes[maps] == 0).any():
        state, facts["note"] = "measured", "the driver refuses all of them, as it may for this device"
    rows.add(row, state, **facts)


def classes(
    rows: Any, table: Table, rules: list[str], codes: np.ndarray, words: np.ndarray, expected: np.ndarray
) -> None:
    """What differs, by its kind; and of each of our rules, how often the driver refuses what breaks it first."""
    accepts = (table.verdict == KNOWN) | (table.verdict == UNKNOWN)
    refuses = table.verdict == REFUSED
    is_small = table.element >= BELOW_A_BYTE
    kinds = {
        "accepted by us, refused by the driver": accepts & (codes != 0) & ~is_small,
        "accepted by us, refused by the driver: elements of less than a byte": accepts & (codes != 0) & is_small,
        "refused by us, accepted by the driver": refuses & (codes == 0),
        "refused, but with another code than CUDA_ERROR_INVALID_VALUE": refuses & ~np.isin(codes, (0, INVALID_VALUE)),
    }
    for kind, mask in kinds.items():
        maps = np.flatnonzero(mask).tolist()
        facts: dict[str, Any] = {"maps": len(maps)}
        if maps:
            facts["by value"] = by_value(table, maps)
            facts["rules"] = dict(Counter(rules[table.rule[i]] for i in maps if table.verdict[i] == REFUSED))
            facts["codes"] = {str(code): count for code, count in Counter(codes[maps].tolist()).items()}
            facts["first"] = [table.parameters(i) for i in maps[:SHOWN]]
        rows.add(kind, "measured", **facts)
    said: dict[str, list[int]] = {}
    for i in np.flatnonzero(refuses).tolist():
        said.setdefault(rules[table.rule[i]], [0, 0])[int(codes[i] == 0)] += 1
    rows.add("our rules: maps that the driver refuses, and accepts", "measured", rules=dict(sorted(said.items())))
    both = (table.verdict == KNOWN) & (codes == 0)
    for word in range(16):
        maps = np.flatnonzero(both & (words[:, word] != expected[:, word])).tolist()
        if not maps:
            continue
        changed = Counter(f"{int(words[i, word] ^ expected[i, word]):#x}" for i in maps)
        first = [
            table.parameters(i) | {"ours": f"{int(expected[i, word]):#x}", "driver": f"{int(words[i, word]):#x}"}
            for i in maps[:SHOWN]
        ]
        facts = {"changed bits": dict(changed.most_common(8)), "by value": by_value(table, maps), "first": first}
        rows.add(f"bytes differ at word {word}", "measured", maps=len(maps), **facts)


def by_value(table: Table, maps: list[int]) -> dict[str, dict[str, int]]:
    """How many of some maps have each value of a parameter."""
    shown = [table.parameters(i) for i in maps]
    names = ("rank", *NAMES, "address")
    return {name: {str(value): n for value, n in Counter(one[name] for one in shown).most_common(8)} for name in names}


def changed_words(words: np.ndarray) -> str:
    """The bits that differ, as WORD:BITS for each word that has some."""
    return " ".join(f"{at}:{int(words[at]):#x}" for at in np.flatnonzero(words).tolist()) or "none"


def unknown(rows: Any, table: Table, among: tuple[str, ...], codes: np.ndarray, words: np.ndarray, base: int) -> None:
    """What the driver changes in the bytes for a parameter whose encoding we do not know."""
    changed = words ^ with_base(table, base)
    learnt: dict[str, str] = {}
    for row, maps in answer_of_unknown(table, among).items():
        maps = [i for i in maps if codes[i] == 0]
        if row == UNKNOWN_ROWS["several"]:
            rows.add(row, "measured", **several(table, among, maps, changed, learnt))
            continue
        values: dict[str, Counter[str]] = {}
        for i in maps:
            values.setdefault(unknown_of(table, i, among)[0], Counter())[changed_words(changed[i])] += 1
        learnt |= {feature: counter.most_common(1)[0][0] for feature, counter in values.items()}
        shown = {feature: dict(counter.most_common(6)) for feature, counter in sorted(values.items())}
        some = maps[:RECORDED]
        text = blob(table, some, codes, words, base)
        rows.add(row, "measured", maps=len(maps), changed=shown, recorded=len(some), blob=text)
    maps = np.flatnonzero(table.verdict == UNASKED).tolist()
    some = [i for i in maps if codes[i] == 0][:RECORDED]
    facts = {"maps": len(maps), "accepted": int((codes[maps] == 0).sum()), "recorded": len(some)}
    text = blob(table, some, codes, words, base)
    rows.add("maps that our interface does not take", "measured", **facts, blob=text)


def several(
    table: Table, among: tuple[str, ...], maps: list[int], changed: np.ndarray, learnt: dict[str, str]
) -> dict[str, Any]:
    """Whether maps with several such parameters have the changes that each of them makes alone."""
    explained, without, others = 0, 0, []
    for i in maps:
        features = unknown_of(table, i, among)
        if any(feature not in learnt for feature in features):
            without += 1
            continue
        alone = np.bitwise_xor.reduce([words_of(learnt[feature]) for feature in features])
        if (alone == changed[i]).all():
            explained += 1
        else:
            others.append(table.parameters(i) | {"changed": changed_words(changed[i])})
    facts = {"maps": len(maps), "explained by each alone": explained, "not explained": len(others)}
    return facts | {"with a value that is never alone": without, "first": others[:SHOWN]}


def words_of(changed: str) -> np.ndarray:
    """The words of `changed_words`."""
    found = np.zeros(16, np.uint64)
    for part in changed.split():
        at, _, bits = part.partition(":")
        if bits:
            found[int(at)] = int(bits, 16)
    return found


def places(rows: Any, encoder: Encoder, table: Table, base: int) -> None:
    """Addresses that no allocation has, and descriptors that are less aligned than documented."""
    plain = (table.verdict == KNOWN) & (table.delta == 0) & (table.element < BELOW_A_BYTE) & (table.interleave == 0)
    i = int(np.flatnonzero(plain)[0])
    some = [0, 16, 1 << 40, 1 << 47, 1 << 49, 1 << 56, (1 << 57) - 16, 1 << 57, 1 << 60, (1 << 64) - 16]
    found = {f"{address:#x}": encoder.tiled(table, i, address) for address in some}
    inside = {at: [code, f"{int.from_bytes(data[:8], 'little'):#x}"] for at, (code, data) in found.items()}
    aligned = {str(shift): encoder.tiled(table, i, base, shift)[0] for shift in (8, 16, 32)}
    rows.add("addresses that no allocation has: code and word 0", "measured", found=inside, map=table.parameters(i))
    rows.add("descriptors at a multiple of less than 64 bytes: codes", "measured", found=aligned)


def im2col(rows: Any, encoder: Encoder, table: Table, base: int) -> None:
    """The driver's words of im2col maps, for whoever learns the encoding: see `blob`."""
    codes = np.zeros(table.count, np.int64)
    words = np.zeros((table.count, 16), np.uint64)
    for i in range(table.count):
        codes[i], found = encoder.im2col(table, i, base + int(table.delta[i]))
        words[i] = np.frombuffer(found, "<u8")
    said = {str(code): count for code, count in sorted(Counter(codes.tolist()).items())}
    text = blob(table, list(range(table.count)), codes, words, base)
    rows.add(IM2COL_ROW, "measured", maps=table.count, codes=said, blob=text)


def blob(table: Table, maps: list[int], codes: np.ndarray, words: np.ndarray, base: int) -> str:
    """Parameters, code and 16 words of maps: `json.loads(zlib.decompress(base64.b64decode(blob)))`.

    The address of the allocation is taken off word 0 of the maps that are accepted.
    """
    lines = []
    for i in maps:
        line = table.parameters(i) | {"code": int(codes[i])}
        if codes[i] == 0:
            first, *rest = words[i].tolist()
            line["words"] = " ".join(f"{word:x}" for word in ((first - base) % 2**64, *rest))
        lines.append(line)
    return base64.b64encode(zlib.compress(json.dumps(lines).encode(), 9)).decode()
