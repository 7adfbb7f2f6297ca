"""Part (b): each row of the tables of instructions, on the device and in the simulator."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

WORDS = 2


def run(context: Any) -> None:
    """One launch for each table, and one row for each of its rows."""
    wanted = np.load(context.folder / "answers.npz")
    for table in json.loads((context.folder / "tables.json").read_text(encoding="utf-8")):
        name, rows = table["file"], table["rows"]
        if context.rows.has(rows[0]):
            continue
        context.device.asking(name)
        try:
            words = context.device.empty((WORDS * len(rows),), "int64")
            context.device.run(context.folder / name, 1, [words], block=1)
            found = words.read()
            words.free()
        except RuntimeError as error:
            for row in rows:
                context.rows.add(row, "failed", error=str(error))
            context.restart_if_broken(error)
            continue
        for i, row in enumerate(rows):
            mine, theirs = (list(map(int, a[WORDS * i : WORDS * (i + 1)])) for a in (found, wanted[f"{name}/0"]))
            facts = {} if mine == theirs else {"found": hexes(mine), "simulated": hexes(theirs)}
            context.rows.add(row, "differs" if facts else "equal", **facts)


def hexes(words: list[int]) -> list[str]:
    """Words of 64 bits as they are written in PTX."""
    return [f"{word & (2**64 - 1):#018x}" for word in words]
