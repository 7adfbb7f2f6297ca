"""Which lines, branches and waits of a source the runs of its kernels have reached."""

from __future__ import annotations

import dataclasses
import linecache
import os
from collections.abc import Iterable
from typing import Any, Optional

__all__ = ["Coverage", "Missed"]

#: An instruction: operation, place, executions by threads, and for a branch how many went each way.
Reached = tuple[str, Any, int, Optional[tuple[int, int]]]
Line = tuple[str, int]

#: A line with this comment is not missed.
NO_COVER = "pragma: no cover"


@dataclasses.dataclass(frozen=True)
class Missed:
    """A line, or a way of its branches, that no run has reached."""

    file: str
    line: int
    #: ``"line"``, ``"wait"``, ``"true"`` or ``"false"``: never executed, or the condition never had this value.
    what: str

    @property
    def source(self) -> str:
        """The line of the source; empty if it is not there."""
        return linecache.getline(self.file, self.line).strip()

    def __str__(self) -> str:
        source = self.source
        text = {"line": "is never executed", "wait": "never waits, because it is never executed"}.get(self.what)
        if text is None:
            never_runs = source.startswith("for ") and self.what == "true"
            text = "is a loop that never runs" if never_runs else f"has a condition that is never {self.what}"
        return f"{_short(self.file)}:{self.line} {text}" + (f"\n    {source}" if source else "")


class Coverage:
    """The executions of the lines of kernels, over one run or several: ``a + b``."""

    def __init__(self, reached: Iterable[Reached] = ()) -> None:
        #: Executions by threads, by file and line: the most of the line's instructions.
        self.lines: dict[Line, int] = {}
        #: How often the conditions of a line were true, and how often false.
        self.branches: dict[Line, tuple[int, int]] = {}
        #: The lines that wait for a barrier, or for asynchronous work.
        self.waits: set[Line] = set()
        for op, place, threads, ways in reached:
            if place.file is None or place.line is None:
                continue
            at = (place.file, place.line)
            self.lines[at] = max(self.lines.get(at, 0), threads)
            if "wait" in op:
                self.waits.add(at)
            if ways is not None:
                yes, no = self.branches.get(at, (0, 0))
                self.branches[at] = (yes + ways[0], no + ways[1])

    def __add__(self, other: Coverage) -> Coverage:
        made = Coverage()
        made.waits = self.waits | other.waits
        for at in self.lines | other.lines:
            made.lines[at] = self.lines.get(at, 0) + other.lines.get(at, 0)
        for at in self.branches | other.branches:
            (yes, no), (more, less) = self.branches.get(at, (0, 0)), other.branches.get(at, (0, 0))
            made.branches[at] = (yes + more, no + less)
        return made

    @property
    def missed(self) -> list[Missed]:
        """What was not reached, line by line, without lines that have the comment ``pragma: no cover``.

        A line is reached if one of its instructions was. Of a branch that was reached, both ways count; a wait may go on
        at once.
        """
        found = []
        for (file, line), threads in sorted(self.lines.items()):
            if NO_COVER in linecache.getline(file, line):
                continue
            if threads == 0:
                found.append(Missed(file, line, "wait" if (file, line) in self.waits else "line"))
            elif (file, line) in self.branches and (file, line) not in self.waits:
                ways = zip(("true", "false"), self.branches[file, line])
                found += [Missed(file, line, word) for word, count in ways if count == 0]
        return found

    def __str__(self) -> str:
        missed = self.missed
        if not missed:
            return f"all {len(self.lines)} lines are reached, and both ways of all branches"
        return "\n".join(str(one) for one in missed)

    def __repr__(self) -> str:
        return f"<Coverage: {len(self.lines)} lines, {len(self.missed)} missed>"


def _short(file: str) -> str:
    """A file relative to the current folder, if it lies in it."""
    here = os.getcwd() + os.sep
    return file[len(here) :] if file.startswith(here) else file
