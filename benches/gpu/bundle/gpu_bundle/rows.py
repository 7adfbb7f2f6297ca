"""Rows of results. A process writes each row at once, so that none is lost when it is killed."""

from __future__ import annotations

import json
import pathlib
from typing import Any, TextIO

#: The version of results.json.
SCHEMA = 1

#: The states of a row. `equal` is to the bit, `close` within the tolerance of the row, `measured` and
#: `seen` have numbers only, and `skipped` says why nothing was asked.
STATES = ("equal", "close", "differs", "failed", "measured", "seen", "skipped")

#: States that need somebody's look.
BAD = ("differs", "failed")


class Writer:
    """Appends rows to a file, one JSON text in each line."""

    def __init__(self, path: pathlib.Path | None) -> None:
        # A process that goes on after another one has its rows.
        self._known = {row["row"] for row in read(path)[0]} if path else set()
        self._file: TextIO | None = path.open("a", encoding="utf-8") if path else None

    def _write(self, line: dict[str, Any]) -> None:
        text = json.dumps(line)
        if self._file is None:
            print(text)
            return
        self._file.write(text + "\n")
        self._file.flush()

    def add(self, name: str, state: str, **facts: Any) -> None:
        """A row: its name, unique in the part, its state, and what was found."""
        if state not in STATES:
            raise ValueError(f"'{state}' is no state of a row")
        self._write({"row": name, "state": state, **facts})

    def has(self, name: str) -> bool:
        """Whether an earlier process of the part wrote this row."""
        return name in self._known

    def facts(self, **facts: Any) -> None:
        """Facts of the whole part."""
        self._write({"facts": facts})


def read(path: pathlib.Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The rows and facts of a file. A last line that is cut off is left out."""
    found: list[dict[str, Any]] = []
    facts: dict[str, Any] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if "facts" in entry:
            facts.update(entry["facts"])
        else:
            found.append(entry)
    return found, facts
