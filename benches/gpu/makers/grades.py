"""Part (h): expands the templates in `ptx`, assembles them, and holds the simulator to the documents.

A line of a template may end in marks: `// only: a b` keeps it in variants with one of these flags,
`// not: a b` in those with none of them, and `// each i < N` repeats it, with numbers for `$(..)`. Lines
with the same N that follow each other are repeated together. `%f0..63` are 64 registers.
"""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
from collections import Counter
from itertools import groupby
from typing import Any

import numpy as np
from gpu_bundle import grades_tools
from gpu_bundle.grades_case import CONTROL, SILENT, Case, words
from gpu_bundle.grades_cases import CASES

import cute_mlir

PTX = pathlib.Path(__file__).resolve().parent / "ptx"

_REGISTERS = re.compile(r"(%[a-z]+)(\d+)\.\.(\d+)")
_NUMBER = re.compile(r"\$\(((?:[^()]|\([^()]*\))*)\)")


def expand(text: str, flags: set[str]) -> str:
    """The variant of a template that has these flags."""
    kept: list[tuple[str, int]] = []
    for line in text.splitlines():
        code, *marks = [line] if line.lstrip().startswith("//") else line.split(" // ")
        times, is_kept = 1, True
        for mark in marks:
            kind, *rest = mark.split()
            if kind == "only:":
                is_kept &= bool(flags & set(rest))
            elif kind == "not:":
                is_kept &= not flags & set(rest)
            elif kind == "each":
                times = int(rest[2])
            else:
                raise ValueError(f"'{mark}' is not a mark: {line}")
        if is_kept:
            kept.append((code, times))
    lines: list[str] = []
    for times, group in groupby(kept, key=lambda pair: pair[1]):
        codes = [code for code, _ in group]
        lines += [_numbered(code, i) for i in range(times) for code in codes]
    return "\n".join(lines) + "\n"


def _numbered(code: str, i: int) -> str:
    """A line with numbers in place of expressions of `i`, and with lists of registers."""
    code = _NUMBER.sub(lambda found: str(int(eval(found[1], {"__builtins__": {}}, {"i": i}))), code)
    return _REGISTERS.sub(
        lambda found: ", ".join(f"{found[1]}{n}" for n in range(int(found[2]), int(found[3]) + 1)), code
    )


def make(folder: pathlib.Path, tools: Any) -> None:
    """Writes kernels, verdicts, and answers for a fake driver. A verdict of the simulator that is not the one
    of the documents is an error."""
    cases = _sample() if tools.is_sample else list(CASES)
    (folder / "recorded").mkdir()
    made = list(tools.pool.map(lambda case: _make(case, folder, tools), cases))
    wrong = [problem for problem, _, _ in made if problem]
    if wrong:
        raise RuntimeError("\n".join(["the simulator or ptxas is not as grades_cases.py says:", *wrong]))
    np.savez_compressed(folder / "answers.npz", **{f"{case.row}/0": made[i][1] for i, case in enumerate(cases)})
    texts = {case.row: made[i][2] for i, case in enumerate(cases)}
    (folder / "answers.json").write_text(json.dumps(texts, indent=1) + "\n", encoding="utf-8")
    for case in cases:
        for tool in grades_tools.TOOLS if case.is_checked else ():
            text = _recorded(tool, case)
            (folder / "recorded" / grades_tools.recorded_name(case, tool)).write_text(text, encoding="utf-8")


def _sample() -> list[Case]:
    """One case of each role and verdict."""
    found: dict[tuple[str, str], Case] = {}
    for case in CASES:
        found.setdefault((case.role, case.verdict), case)
    return list(found.values())


def _make(case: Case, folder: pathlib.Path, tools: Any) -> tuple[str, np.ndarray, dict[str, Any]]:
    """The files of a case. Returns what is wrong with it, counters as a device may leave them, and facts."""
    codes = _assembled(case.file, case.stem, case, folder, tools)
    if case.second:
        codes += _assembled(case.second, case.second_stem, case, folder, tools)
    verdict, counters = _dependent(case, folder, tools) if case.is_dependent else _simulated(case, folder)
    problem = ""
    if verdict != case.verdict:
        problem = f"{case.row} ({case.stem}): the simulator reports '{verdict}', and not '{case.verdict}'"
    elif case.is_unrepaired and codes:
        problem = f"{case.row} ({case.stem}): ptxas repairs it ({dict(codes)}), so that it asks nothing of a device"
    total = case.total(case.grid, case.rounds)
    share = int(counters[0]) / int(counters[1]) if counters[1] else 0.0
    if case.role == CONTROL:
        share = max(share, 0.5)
    answer = np.zeros(8, np.uint64)
    answer[:2] = int(share * total), total
    facts: dict[str, Any] = {"simulator": verdict, "hangs": "returned_threads" in verdict}
    if codes:
        facts["ptxas"] = ", ".join(f"{code} {count} times" for code, count in sorted(codes.items()))
    return problem, answer, facts


def _expanded(template: str, case: Case, path: pathlib.Path) -> None:
    """Writes the variant of a template."""
    text = (PTX / template).read_text(encoding="utf-8")
    path.write_text(expand(text, set(case.flags.split())), encoding="utf-8")


def _assembled(file: str, stem: str, case: Case, folder: pathlib.Path, tools: Any) -> Counter[str]:
    """Writes PTX and cubin, and returns the numbers of the messages of ptxas."""
    ptx = folder / f"{stem}.ptx"
    _expanded(f"{file}.ptx", case, ptx)
    cubin = ptx.with_suffix(".cubin")
    command = [tools.ptxas, "-arch=sm_90a", case.option or "-O3", ptx, "-o", cubin]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{ptx}\n{done.stdout}{done.stderr}")
    return Counter(re.findall(r"\((C\d{4})\)", done.stdout + done.stderr))


def _verdict(found: set[str]) -> str:
    return ", ".join(sorted(found)) or SILENT


def _simulated(case: Case, folder: pathlib.Path) -> tuple[str, np.ndarray]:
    """The simulator's verdict about the first kernel, and the counters."""
    grid, rounds = case.few
    counters, data = np.zeros(8, np.uint64), words(case, grid)
    how = {"block": case.block, "cluster": case.cluster if case.cluster > 1 else None, "keep_arrays": True}
    found: set[str] = set()
    for stem in filter(None, (case.stem, case.second_stem)):
        ptx = str(folder / f"{stem}.ptx")
        report = cute_mlir.simulate(ptx, grid, [counters, data, rounds], pedantic=True, **how)
        findings = [*report.findings, *report.portability, *report.notes]
        found |= {f"{finding.grade} {finding.kind}" for finding in findings}
    return _verdict(found), counters


def _dependent(case: Case, folder: pathlib.Path, tools: Any) -> tuple[str, np.ndarray]:
    """The verdict about the same two kernels in cute IR: the simulator knows dependent launches there."""
    path = folder / f"{case.stem}.mlir"
    _expanded("dependent.mlir", case, path)
    arguments = ["--host", "--arg", "p:i32[128]", "--arg", "q:i32[128]", "--pedantic", "--report", "json"]
    done = subprocess.run([str(tools.cutec), "run", str(path), *arguments], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        raise RuntimeError(f"{path}\n{done.stdout}{done.stderr}")
    path.unlink()
    launches = json.loads(done.stdout)["launches"]
    findings = [finding for launch in launches for finding in launch["report"]["findings"]]
    return _verdict({f"{finding['grade']} {finding['kind']['kind']}" for finding in findings}), np.zeros(8, np.uint64)


def _recorded(tool: str, case: Case) -> str:
    """Text in the form of compute-sanitizer, for runs without it. No device printed it."""
    found = int(("race" if tool == "racecheck" else "returned_threads") in case.verdict)
    lines = ["COMPUTE-SANITIZER"]
    if tool == "racecheck":
        lines += ["Error: Race reported between Write access at .. and Read access at .."] * found
        lines += [f"RACECHECK SUMMARY: {found} hazard{'' if found == 1 else 's'} displayed ({found} error, 0 warnings)"]
    else:
        lines += ["Barrier error detected. Missing wait."] * found
        lines += [f"ERROR SUMMARY: {found} error{'' if found == 1 else 's'}"]
    return f"{grades_tools.launched(case.stem)} it ended\n" + "".join(f"========= {line}\n" for line in lines)
