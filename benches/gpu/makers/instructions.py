"""Part (b): the tables of instructions of the simulator's tests, as kernels."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import numpy as np

#: What a device of compute capability 9.0 runs.
TARGETS = ("sm_80", "sm_89", "sm_90", "sm_90a")

#: Words of 64 bits that a row of a table stores.
WORDS = 2


def make(folder: pathlib.Path, tools: Any) -> None:
    """Copies the files, assembles them, and takes the simulator's words as the answers."""
    folder_of = tools.repository / "tests" / "instructions"
    files = sorted(path for path in folder_of.glob("*.ptx") if path.suffixes[-2][1:] in TARGETS)
    files = tools.take(files, 6)
    tables, answers, places = [], {}, {}
    for path, (rows, words) in zip(files, tools.pool.map(lambda path: table(path, tools), files), strict=True):
        name = path.stem
        (folder / path.name).write_bytes(path.read_bytes())
        tools.assemble(folder / path.name, "sm_90a")
        tables.append({"file": name, "rows": rows})
        answers[f"{name}/0"] = words
        places[f"{name}/0"] = [[row, 8 * WORDS * i, 8 * WORDS] for i, row in enumerate(rows)]
    (folder / "tables.json").write_text(json.dumps(tables, indent=0) + "\n")
    (folder / "answers.json").write_text(json.dumps({"places": places}) + "\n")
    np.savez_compressed(folder / "answers.npz", **answers)


def table(path: pathlib.Path, tools: Any) -> tuple[list[str], np.ndarray]:
    """The rows of a file, by their instructions, and the words that the simulator stores."""
    import cute_mlir

    text = path.read_text()
    bodies = re.split(r"^// Words \d+ and \d+\.$", text, flags=re.MULTILINE)[1:]
    rows = [f"{path.stem} {i}: {instruction(body)}" for i, body in enumerate(bodies)]
    words = np.zeros(WORDS * len(rows), np.int64)
    cute_mlir.simulate(path, 1, [words], block=1).raise_if_findings()
    return rows, words


#: What carries operands and results, not what is tried.
_AROUND = ("ld.global", "st.global", "ld.param", "mov.", "ret", "{", "}", "cvt.u64", ".reg", "//")


def instruction(body: str) -> str:
    """The first instruction of a row that is not there to carry operands."""
    lines = [line.strip() for part in body.replace(";", ";\n").splitlines() if (line := part.strip())]
    own = [line for line in lines if not line.startswith(_AROUND)]
    return (own or lines or ["nothing"])[0].rstrip(";")[:90]
