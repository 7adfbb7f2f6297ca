"""Runs the parts, each in a process of its own, and keeps results.json up to date."""

from __future__ import annotations

import json
import os
import pathlib
import platform
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from typing import Any

from . import fake, parts, rows


def run_all(options: Any) -> int:
    """Runs the parts that were asked for, and prints a table. Returns 1 if a row needs a look."""
    results: dict[str, Any] = {
        "schema": rows.SCHEMA,
        "bundle": json.loads((parts.BUNDLE / "bundle.json").read_text(encoding="utf-8")),
        "fake": options.fake,
        "seed": options.seed,
        "date": time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime()),
        "host": {"python": platform.python_version(), "machine": platform.machine(), "kernel": platform.release()},
        "parts": {},
    }
    start = time.monotonic()
    for letter in options.parts:
        left = float("inf") if options.seconds is None else options.seconds - (time.monotonic() - start)
        part = parts.PARTS[letter]
        if left <= 0:
            results["parts"][letter] = {"state": "not run", "seconds": 0.0, "rows": [], "facts": {}}
        else:
            results["parts"][letter] = run_part(letter, options, min(part.seconds, left))
        results["parts"][letter]["question"] = part.question
        results["seconds"] = round(time.monotonic() - start, 1)
        write(options.out, results)
        show(letter, results["parts"][letter])
    print(f"{results['seconds']} s; results in {options.out}")
    if options.wrong and not knows(results, fake.split(options.wrong)[0]):
        print(f"error: there is no row '{options.wrong}' in the parts {options.parts}", file=sys.stderr)
        return 2
    return int(any(is_bad(part) for part in results["parts"].values()))


def knows(results: dict[str, Any], name: str) -> bool:
    """Whether a part has a row of this name."""
    return any(row["row"] == name for part in results["parts"].values() for row in part["rows"])


def run_part(letter: str, options: Any, seconds: float) -> dict[str, Any]:
    """Runs a part until its end, or until its time is over."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "rows"
        log = pathlib.Path(folder) / "log"
        command = [sys.executable, str(parts.BUNDLE / "run.py"), "--one", letter, "--rows", str(path)]
        command += ["--seed", str(options.seed)]
        command += ["--fake"] * options.fake
        command += ["--wrong", options.wrong] if options.wrong else []
        start = time.monotonic()
        while True:
            known = len(rows.read(path)[0])
            state = run_once(command, log, seconds - (time.monotonic() - start))
            # A kernel broke the context of this process, and the next one takes the rows that follow.
            if state != "restart" or len(rows.read(path)[0]) == known:
                break
        found, facts = rows.read(path)
        said = log.read_text(encoding="utf-8", errors="replace")[-4000:]
    state = "failed" if state == "restart" else state
    return {"state": state, "seconds": round(time.monotonic() - start, 1), "rows": found, "facts": facts, "log": said}


def run_once(command: list[str], log: pathlib.Path, seconds: float) -> str:
    """Runs a process of a part, and says how it ended."""
    with log.open("a", encoding="utf-8") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)
    try:
        code = process.wait(timeout=max(seconds, 0.1))
    except subprocess.TimeoutExpired:
        return f"killed after {seconds:.0f} s"
    finally:
        end(process)
    return {0: "answered", parts.RESTART: "restart"}.get(code, "failed")


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends the process and those that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def write(path: pathlib.Path, results: dict[str, Any]) -> None:
    """Replaces the file at once: a reader never sees a part of it."""
    beside = path.with_name(path.name + ".new")
    beside.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    beside.replace(path)


def is_bad(part: dict[str, Any]) -> bool:
    """Whether the part needs a look."""
    return part["state"] != "answered" or any(row["state"] in rows.BAD for row in part["rows"])


def show(letter: str, part: dict[str, Any]) -> None:
    """Prints the part: a line with the counts, and one for each row that is not as expected."""
    counts = Counter(row["state"] for row in part["rows"])
    said = ", ".join(f"{counts[state]} {state}" for state in rows.STATES if counts[state])
    print(f"({letter}) {part['question']}  {part['state']}, {part['seconds']} s: {said or 'no rows'}")
    for row in part["rows"]:
        if row["state"] in rows.BAD:
            facts = ", ".join(f"{name} {value}" for name, value in row.items() if name not in ("row", "state"))
            print(f"    {row['row']}: {row['state']}, {facts}"[:400])
    if part["state"] == "failed" and part["log"]:
        print("    " + part["log"].strip().replace("\n", "\n    "))
    sys.stdout.flush()
