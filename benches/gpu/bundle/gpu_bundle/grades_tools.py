"""compute-sanitizer on kernels of part (h), beside the simulator's verdict."""

from __future__ import annotations

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Any

from .grades_case import Case

TOOLS = ("racecheck", "synccheck")

#: The variable that names the one case that a process launches.
ONLY = "CUTE_GRADES_ONLY"

#: Processes at a time, and the seconds that each may take.
_AT_ONCE, _SECONDS = 8, 25

_ELSEWHERE = "/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer"

_SUMMARY = {
    "racecheck": re.compile(r"RACECHECK SUMMARY: (\d+) hazard"),
    "synccheck": re.compile(r"ERROR SUMMARY: (\d+) error"),
}


def row_of(case: Case) -> str:
    """The name of the row."""
    return f"compute-sanitizer and the simulator: {case.stem}"


def recorded_name(case: Case, tool: str) -> str:
    """The file that has the tool's output."""
    return f"{tool}-{case.stem}"


def launched(stem: str) -> str:
    """The text with which a process says that it has launched a case."""
    return f"launched {stem}:"


def verdict(tool: str, case: Case, said: str) -> str:
    """The verdict that a tool printed."""
    if launched(case.stem) not in said:
        return "none: the kernel was not launched"
    found = _SUMMARY[tool].search(said)
    if found is None:
        return "none: it printed no summary"
    return f"{found[1]} found" if int(found[1]) else "silent"


def ask(context: Any, cases: list[Case], simulated: dict[str, str]) -> None:
    """A row for each of the cases."""
    cases = [case for case in cases if not context.rows.has(row_of(case))]
    program = _program()
    if program is None and not context.is_fake:
        for case in cases:
            context.rows.add(row_of(case), "skipped", why="compute-sanitizer is not installed")
        return
    with concurrent.futures.ThreadPoolExecutor(_AT_ONCE) as pool:
        works = {(case, tool): pool.submit(_said, context, program, case, tool) for case in cases for tool in TOOLS}
        for case in cases:
            said = {tool: works[case, tool].result() for tool in TOOLS}
            facts = {tool: verdict(tool, case, text) for tool, text in said.items()}
            lines = {f"{tool} said": _first(text) for tool, text in said.items() if facts[tool] != "silent"}
            context.rows.add(row_of(case), "measured", **facts, simulator=simulated[case.row], **lines)


def _program() -> str | None:
    """The path of compute-sanitizer, which may not be on the path."""
    return shutil.which("compute-sanitizer") or shutil.which("compute-sanitizer", path=_ELSEWHERE)


def _said(context: Any, program: str | None, case: Case, tool: str) -> str:
    if context.is_fake:
        said: str = context.recorded(recorded_name(case, tool))
        row, _, word = (context.options.wrong or "").rpartition(":")
        if row_of(case) in (context.options.wrong, row if word.isdigit() else None):
            said = _SUMMARY[tool].sub(lambda found: found[0].replace(found[1], str(int(found[1]) + 65)), said)
        return said
    # The folder above this package has run.py.
    run = context.folder.parent.parent / "run.py"
    command = [str(program), "--tool", tool, "--print-limit", "3", sys.executable, str(run), "--one", context.letter]
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        # Not a pipe: a process that the tool started may keep it open.
        process = subprocess.Popen(command, stdout=output, stderr=output, env={**os.environ, ONLY: case.stem})
        ended = ""
        try:
            process.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            ended = f"\nit did not end within {_SECONDS} s"
        output.seek(0)
        return output.read() + ended


def _first(said: str) -> str:
    """The first line that a tool printed about the kernel, or else the last line."""
    lines = [line.removeprefix("=========").strip() for line in said.splitlines() if line.strip("= ")]
    about = [line for line in lines if re.match(r"(Error|Warning|Barrier error|Invalid|Divergent)", line)]
    return (about or lines[-1:] or ["nothing"])[0][:300]
