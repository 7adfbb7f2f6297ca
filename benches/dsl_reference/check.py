"""Runs cases in the simulator and compares the results with those of the loops."""

import itertools
import math
import os
import re
import subprocess
import tempfile

from .arrays import Array, load
from .cases import CASES, MISTAKES, REPEATED_INITS, SCHEDULES, TARGETS, WITH_A_RACE


def difference(found, expected):
    """The largest difference, relative to the larger of 1 and the expected number."""
    if len(found) != len(expected):
        return math.inf
    worst = 0.0
    for x, y in zip(found, expected):
        if x != y:
            off = abs(x - y) / max(1.0, abs(y))
            worst = max(worst, math.inf if math.isnan(off) else off)
    return worst


def command_of(cutec, path, case, target, schedule, folder):
    command = [cutec, "run", path, "--host", "--domain", "extend", "--target", target, "--schedule", schedule]
    for name, value in case.arguments.items():
        text = value.argument(name, folder) if isinstance(value, Array) else f"{name}:{value}"
        command += ["--arg", text]
    for name, value in case.memory.items():
        command += ["--array", value.argument(name, folder)]
    return command


def findings(cutec, path, case, target, schedule):
    """What a run finds: line, op and text of each finding."""
    with tempfile.TemporaryDirectory() as folder:
        command = command_of(cutec, path, case, target, schedule, folder)
        done = subprocess.run(command, capture_output=True, text=True)
    form = re.compile(r"error: .*?:(\d+):\d+: `([\w.]+)` in block [^:]*: (.*)")
    return [(int(line), op, text) for line, op, text in form.findall(done.stdout + done.stderr)]


def without_repeated_inits(cutec, path, case, target, copy):
    """Writes a copy of a module without the ops that initialise an mbarrier again: how many there were."""
    with open(path) as given:
        lines = given.read().split("\n")
    removed = 0
    while True:
        with open(copy, "w") as out:
            out.write("\n".join(lines))
        again = {line for line, op, text in findings(cutec, copy, case, target, "lazy")
                 if op == "nvvm.mbarrier.init" and "is initialised already" in text}
        if not again:
            return removed
        for line in again:
            if "nvvm.mbarrier.init" not in lines[line - 1]:
                raise ValueError(f"{path}:{line} has no nvvm.mbarrier.init")
            lines[line - 1] = ""
        removed += len(again)


def unlike(found, mistakes):
    """What is found beyond the known mistakes, and which of these are not found; empty if neither."""
    known = lambda op, text: {m for m in mistakes if m[0] == op and m[1] in text}
    more = [f"more is found: `{op}`: {text}" for _, op, text in found if not known(op, text)]
    seen = set().union(*(known(op, text) for _, op, text in found))
    return more + [f"not found: `{op}`: {words}" for op, words in sorted(set(mistakes) - seen)]


def check(cutec, path, case, target, schedule, races=True):
    """Runs a case: whether it is right, and why not."""
    with tempfile.TemporaryDirectory() as folder:
        command = command_of(cutec, path, case, target, schedule, folder) + ([] if races else ["--no-races"])
        files = {name: os.path.join(folder, f"{name}.npy") for name in case.expected if name != "stdout"}
        for name, file in files.items():
            command += ["--out", f"{name}={file}"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            lines = [line for line in done.stderr.splitlines() if not line.startswith("note:")]
            return False, (lines or ["no message"])[-1]
        if "stdout" in case.expected and case.expected["stdout"] not in done.stdout:
            return False, "another output"
        worst, arrays = 0.0, case.arguments | case.memory
        for name, file in files.items():
            worst = max(worst, difference(load(file, arrays[name].element), case.expected[name]))
        text = "exact" if worst == 0 else f"off by {worst:.2g}"
        return worst <= case.tolerance, text


def run(cutec, path):
    """Runs the cases of a module and prints a row for each; whether all are right. A module without a reference has a row that says so."""
    name = os.path.basename(path).removesuffix(".mlir")
    target = TARGETS.get(name, "sm_90a")
    cases = CASES.get(name)
    if cases is None:
        print(f"{name}: no reference", flush=True)
        return True
    with tempfile.TemporaryDirectory() as folder:
        return run_cases(cutec, path, name, target, cases(), folder)


def run_cases(cutec, path, name, target, cases, folder):
    all_right = True
    if name in REPEATED_INITS:
        copy = os.path.join(folder, os.path.basename(path))
        removed = without_repeated_inits(cutec, path, cases[0], target, copy)
        right, path = removed == REPEATED_INITS[name], copy
        all_right &= right
        text = f"{'right' if right else 'WRONG'}, mbarriers are initialised again in {removed} places"
        print(f"{name} {cases[0].text} lazy: {text}", flush=True)
    if name in MISTAKES:
        schedule, mistakes = MISTAKES[name]
        wrong = unlike(findings(cutec, path, cases[0], target, schedule), mistakes)
        all_right &= not wrong
        print(f"{name} {cases[0].text} {schedule}: {'WRONG, ' + wrong[0] if wrong else 'right, the known mistakes are found'}", flush=True)
    for case, schedule in itertools.product(cases, SCHEDULES.get(name, ["lazy"])):
        right, text = check(cutec, path, case, target, schedule, name not in WITH_A_RACE)
        all_right &= right
        order = f" {schedule}" if name in SCHEDULES else ""
        print(f"{name} {case.text}{order}: {'right' if right else 'WRONG'}, {text}", flush=True)
    return all_right
