"""Part (g): the bits of tensor cores, for dot products whose results are published or follow from a published rule.

A case is one dot product d = c + a . b. Its tile has `a` in every row and `b` in every column, so that every
output of the instruction is the same dot product, and every one of them is compared.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

#: Bits of an element in the vectors' text.
BITS = {"f64": 64, "f32": 32, "s32": 32, "tf32": 32, "f16": 16, "bf16": 16, "s4": 4, "u4": 4}

#: Bits of exponent and fraction of the elements of chains.
_FLOATS = {"f16": (5, 10), "bf16": (8, 7), "tf32": (8, 23), "e4m3": (4, 3), "e5m2": (5, 2)}

#: Differing cases that a row shows.
SHOWN = 3


def bits(element: str) -> int:
    """Bits of an element; those that are not named have 8."""
    return BITS.get(element, 8)


def packed(text: str, element: str) -> np.ndarray:
    """The elements of a vector, which are hexadecimal, as bytes in the order of memory."""
    raw = bytes.fromhex(text)
    if bits(element) == 4:
        # The first element is in the lower half of its byte.
        return np.array([byte >> 4 | (byte & 15) << 4 for byte in raw], np.uint8)
    size = bits(element) // 8
    return np.frombuffer(raw, f">u{size}").astype(f"<u{size}").view(np.uint8)


def word(text: str, element: str) -> np.ndarray:
    """One word of C or D as the registers have it: f16 twice in 32 bits, f64 as two words of 32 bits."""
    value = int(text, 16)
    if element == "f16":
        value |= value << 16
    count = 2 if element == "f64" else 1
    return np.array([value >> 32 * i & 0xFFFF_FFFF for i in range(count)], np.uint32)


def numbers(seed: int) -> Iterator[int]:
    """The random numbers of a chain: the upper halves of a linear congruence."""
    state = seed
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 32


def element_of(number: int, element: str) -> int:
    """The bits of an element from a random number: a float with an exponent from -4 to 3."""
    exponent, fraction = _FLOATS[element]
    field = 2 ** (exponent - 1) - 1 - 4 + (number >> 28 & 7)
    return number >> 31 << (exponent + fraction) | field << fraction | number % 2**fraction


def chain_inputs(chain: dict[str, Any]) -> list[tuple[str, str]]:
    """A and B of each step of a chain, as the text of a vector."""
    draw = numbers(chain["seed"])
    k = chain["K"] // chain["steps"]

    def elements(element: str) -> str:
        digits = bits(element) // 4
        return "".join(f"{element_of(next(draw), element):0{digits}x}" for _ in range(k))

    return [(elements(chain["a"]), elements(chain["b"])) for _ in range(chain["steps"])]


def run(context: Any) -> None:
    """One launch for each row of the table."""
    table = json.loads((context.folder / "rows.json").read_text(encoding="utf-8"))
    for row in table:
        if context.rows.has(row["row"]):
            continue
        try:
            found = asked(context, row)
        except RuntimeError as error:
            context.rows.add(row["row"], "failed", error=str(error))
            context.restart_if_broken(error)
            continue
        {"vectors": compare, "chain": follow, "disputed": show}[row["kind"]](context.rows, row, found)


def asked(context: Any, row: dict[str, Any]) -> np.ndarray:
    """The words of D: [case, step, output, words of 32 bits of a register]."""
    if row["kind"] == "chain":
        cases = [(chain_inputs(row["chain"]), row["C"][0])]
    else:
        cases = [([(a, b)], c) for a, b, c in zip(row["A"], row["B"], row["C"])]
    steps = len(cases[0][0])
    a = np.concatenate([packed(step[0], row["a"]) for case, _ in cases for step in case])
    b = np.concatenate([packed(step[1], row["b"]) for case, _ in cases for step in case])
    c = np.concatenate([word(c, row["d"]) for _, c in cases])
    size = len(word(row["C"][0], row["d"]))
    shape = (len(cases), steps, row["threads"] * row["registers"], size)
    device = context.device
    device.asking(row["row"])
    arrays = [device.array(a, "uint8"), device.array(b, "uint8"), device.array(c, "uint32")]
    d = device.empty(shape, "uint32", fill=0xEE)
    device.run(context.folder / row["file"], len(cases), [*arrays, d, steps], block=row["threads"], name=row["kernel"])
    found = d.read()
    for array in (*arrays, d):
        array.free()
    return found


def text_of(words: np.ndarray, element: str) -> str:
    """A word of D as the vectors have it; a pair of f16 that are not the same is shown whole."""
    value = int.from_bytes(words.astype("<u4").tobytes(), "little")
    if element == "f16" and value >> 16 == value & 0xFFFF:
        return f"{value & 0xFFFF:04x}"
    return f"{value:0{16 if element == 'f64' else 8}x}"


def outputs(found: np.ndarray, element: str) -> dict[str, int]:
    """The different words of the outputs of a case, with how many outputs have each."""
    rows, counts = np.unique(found, axis=0, return_counts=True)
    order = np.argsort(-counts)
    return {text_of(rows[i], element): int(counts[i]) for i in order[:4]}


def compare(rows: Any, row: dict[str, Any], found: np.ndarray) -> None:
    """Every output of every case is the word of its vector."""
    wanted = np.stack([word(d, row["d"]) for d in row["D"]])[:, None, None, :]
    is_wrong = (found != wanted).any(axis=(1, 2, 3))
    facts: dict[str, Any] = {"vectors": len(is_wrong), "wrong": int(is_wrong.sum()), "outputs": found[..., 0].size}
    if is_wrong.any():
        facts["first"] = [
            {name: row[name][i] for name in "ABCD"} | {"found": outputs(found[i, 0], row["d"])}
            for i in np.flatnonzero(is_wrong)[:SHOWN]
        ]
    rows.add(row["row"], "differs" if is_wrong.any() else "equal", **facts, source=row["source"])


def follow(rows: Any, row: dict[str, Any], found: np.ndarray) -> None:
    """Every output of every step of a chain."""
    wanted = np.stack([word(d, row["d"]) for d in row["D"]])[None, :, None, :]
    is_wrong = (found != wanted).any(axis=(0, 2, 3))
    facts: dict[str, Any] = {"steps": len(is_wrong), "wrong": int(is_wrong.sum()), "outputs": found[..., 0].size}
    if is_wrong.any():
        inputs = chain_inputs(row["chain"])
        # A step after a wrong one has another C: only the first one tells what differs.
        first = int(np.flatnonzero(is_wrong)[0])
        before = row["D"][first - 1] if first else row["C"][0]
        facts["first"] = [
            {"step": first, "A": inputs[first][0], "B": inputs[first][1], "C": before, "D": row["D"][first]}
            | {"found": outputs(found[0, first], row["d"])}
        ]
    rows.add(row["row"], "differs" if is_wrong.any() else "equal", **facts, source=row["source"])


def show(rows: Any, row: dict[str, Any], found: np.ndarray) -> None:
    """The word of a case that publications dispute, beside their claims, and which of them are right."""
    gave = outputs(found[0, 0], row["d"])
    agree = [name for name, claim in row["claims"].items() if list(gave) == [claim]]
    inputs = {name: row[name][0] for name in "ABC"}
    rows.add(row["row"], "measured", found=gave, claims=row["claims"], agree=agree, **inputs)
