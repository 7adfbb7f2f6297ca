"""Part (h): what the grades of the simulator's findings rest on.

A row of a kernel says how often a device did what the row asks for: `seen` of `of`. A control differs if
it never fails, and a legal kernel if it fails.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from . import grades_ask, grades_tools
from .grades_cases import CASES


def run(context: Any) -> None:
    """Asks each case that the bundle has, and then compute-sanitizer."""
    known = json.loads((context.folder / "answers.json").read_text(encoding="utf-8"))
    cases = [case for case in CASES if case.row in known]
    if only := os.environ.get(grades_tools.ONLY):
        _once(context, only)
        return
    for case in cases:
        if not context.rows.has(case.row):
            facts = {key: value for key, value in known[case.row].items() if key in ("simulator", "ptxas")}
            grades_ask.ask(context, case, facts)
    checked = [case for case in cases if case.is_checked]
    grades_tools.ask(context, checked, {case.row: known[case.row]["simulator"] for case in checked})


def _once(context: Any, stem: str) -> None:
    """Launches one case at the size of the simulator, without a row: a tool watches."""
    outcome = "it ended"
    try:
        grades_ask.counted(context, next(case for case in CASES if case.stem == stem), is_few=True, seconds=15)
    except grades_ask.Broken as error:
        outcome = str(error)
    print(grades_tools.launched(stem), outcome, flush=True)
    if outcome != "it ended":
        os._exit(1)


def fakes(answers: Any) -> dict[str, Callable[..., int]]:
    """A fake driver says of the kernels that do not end in the simulator that they still run."""

    def query(_stream: Any) -> int:
        case = grades_ask.asked[0]
        hangs = answers.value(case.row)["hangs"] and answers.wrong_row != case.row
        return 600 if hangs else 0

    return {"cuStreamQuery": query}
