#!/usr/bin/env python3
"""layouts.py [PATH]: layouts that authors wrote, beside those that the compiler finds without them.

Each module is taken twice: as it is, and after `cute-forget-layouts`, which leaves the layouts of shared memory and the threads of tiled
copies open, and `cute-assign-layouts`, which chooses them. The modules are the examples, and with PATH modules of CuTe DSL: a file, or a
folder of which those in MODULES are taken.

A row has the number of tiles and of tiled copies that were left open; wavefronts of shared memory and sectors of global memory, as the
simulator counts them for one set of arguments; registers, of the kernel with the most, and SASS instructions without NOPs; and the
seconds of the pass. `author -> compiler` where the two differ. Modules in which nothing is left open have no row.

--check exits with an error where the compiler's choice takes more wavefronts or sectors, more than 1.05 times the registers, or more
than 1.03 times the instructions; where it spills and the author's does not; where arrays differ, of a module of CuTe DSL by more than the
tolerance of its case; where a module does not pass or does not run; and, with a release build, where the pass takes more than a second.
EXCEPTIONS lists what may be, and why.

ptxas and nvdisasm are $CUTE_PTXAS and $CUTE_NVDISASM, or in PATH.
"""
import argparse
import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import dsl
from dsl_reference.cases import CASES, TARGETS
from dsl_reference.check import check as check_case, command_of

ROOT = dsl.ROOT
EXAMPLES = ROOT / "examples"
# Arguments of examples that do not state a command.
ARGUMENTS = ROOT / "crates/cute-tools/tests/run/through_ptx.rs"
# Modules of CuTe DSL with tiles or tiled copies whose layouts are free.
MODULES = ["ampere.sgemm", "ampere.tensorop_gemm", "ampere.flash_attention_v2", "ampere.hstu_attention", "hopper.dense_gemm",
           "hopper.dense_gemm_persistent"]
MOST_REGISTERS, MOST_INSTRUCTIONS, MOST_SECONDS = 1.05, 1.03, 1.0
# By module, and by the limit that does not hold: why.
EXCEPTIONS = {
    ("attention", "registers"): "ptxas orders the loop otherwise; it has 21 instructions fewer, and nothing spills",
    ("hopper/grouped_gemm", "error"): "the layouts of its tiles are those of maps that the kernel changes, which no host function shows",
}


class Failed(Exception):
    """A tool refused a module; what it said."""


def tool(command, **options):
    """A finished command, which must succeed."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines() or ["no message"]
        raise Failed(f"{Path(command[0]).name}: {said[0]}")
    return done


class Example:
    """An example, run with the arguments that its first lines or the tests of the simulator state."""

    def __init__(self, path, arguments):
        self.path, self.name, self.imported = path, str(path.relative_to(EXAMPLES).with_suffix("")), []
        self.arguments = shlex.split(arguments)
        target = self.arguments.index("--target") if "--target" in self.arguments else None
        self.gpu = "sm_90a" if target is None else self.arguments[target + 1]
        self.options = []

    def command(self, cutec, module, folder):
        return [cutec, "run", module, *self.arguments]

    def differs(self, cutec, module):
        """How the arrays differ from those of the author's module; an empty text if they do not."""
        names = [m[1] for word in self.arguments if (m := re.match(r"(\w+):\w+\[", word))]
        arrays = []
        for path in (self.path, module):
            with tempfile.TemporaryDirectory() as folder:
                out = [word for name in names for word in ("--out", f"{name}={folder}/{name}.npy")]
                tool([*self.command(cutec, path, folder), *out])
                arrays.append({name: Path(folder, f"{name}.npy").read_bytes() for name in names})
        return ", ".join(f"array {name} differs" for name in names if arrays[0][name] != arrays[1][name])


class Dsl:
    """A module of CuTe DSL, run with its first case."""

    def __init__(self, path):
        self.path, self.name = path, path.name.removesuffix(".mlir")
        self.imported = ["--import", "--cute-domain=extend"]
        self.gpu, self.case, self.options = TARGETS.get(self.name, "sm_90a"), CASES[self.name]()[0], ["--domain", "extend"]

    def command(self, cutec, module, folder):
        return command_of(str(cutec), str(module), self.case, self.gpu, "lazy", folder)

    def differs(self, cutec, module):
        right, text = check_case(str(cutec), str(module), self.case, self.gpu, "lazy")
        return "" if right else text


def examples():
    """The examples, in the order of their names."""
    listed = dict(re.findall(r'\(\s*"(\w+)",\s*"(--grid[^"]*)",?\s*\)', ARGUMENTS.read_text().partition("const BUILT")[0]))
    for path in sorted(EXAMPLES.rglob("*.mlir")):
        stated = re.search(r"cutec run \S+\.mlir ((?:.*\\\n)*.*)", path.read_text())
        text = stated[1].replace("\\\n//", " ") if stated else listed.get(path.stem)
        if not text:
            raise Failed(f"there are no arguments for {path}")
        yield Example(path, re.sub(r"--out \S+", "", text))


def modules(path):
    """The modules of CuTe DSL that are a file, or in a folder."""
    if path.is_file():
        return [Dsl(path)]
    return [Dsl(found) for name in MODULES if (found := path / f"{name}.mlir").is_file()]


def assigned(cutec, module, folder):
    """The module with the compiler's layouts, the numbers of tiles and copies that were open, and the seconds of the pass."""
    opt = cutec.with_name("cute-opt")
    opened, closed = Path(folder, "open.mlir"), Path(folder, "assigned.mlir")
    tool([opt, module.path, *module.imported, "--pass-pipeline=builtin.module(cute-forget-layouts)", "-o", opened])
    text = opened.read_text()
    counts = [len(re.findall(r"\) layout = auto", text)), len(re.findall(r"\) auto :", text))]
    timing = ["--mlir-timing", "--mlir-timing-display=list", "--pass-pipeline=builtin.module(cute-assign-layouts)"]
    said = tool([opt, opened, *module.imported[1:], *timing, "-o", closed]).stderr
    seconds = re.search(r"([\d.]+) \([^)]*\)\s+CuteAssignLayouts", said)
    return closed, counts, float(seconds[1])


def traffic(cutec, module, path):
    """Wavefronts and sectors of all launches."""
    with tempfile.TemporaryDirectory() as folder:
        report = json.loads(tool([*module.command(cutec, path, folder), "--report", "json"]).stdout)
    launches = [launch.get("report", launch) for launch in report.get("launches", [report])]
    sites = [site for launch in launches for site in launch["sites"]]
    of = lambda shared: sum(site["passes"] for site in sites if (site["traffic"] == "shared") == shared)
    return {"wavefronts": of(True), "sectors": of(False)}


def code(cutec, module, path):
    """Registers, instructions and bytes spilled of the kernels of a module."""
    rows = dsl.compile(cutec, path, module.gpu, module.options)
    if wrong := next((row["error"] for row in rows if "error" in row), None):
        raise Failed(wrong)
    return {"registers": max(row["registers"] for row in rows), "instructions": sum(row["instructions"] for row in rows),
            "spilled": sum(row["spilled"] for row in rows)}


def measure(cutec, module):
    """The row of a module; None if nothing in it is open."""
    with tempfile.TemporaryDirectory() as folder:
        path, (tiles, copies), seconds = assigned(cutec, module, folder)
        if not tiles + copies:
            return None
        sides = [traffic(cutec, module, side) | code(cutec, module, side) for side in (module.path, path)]
        return {"tiles": tiles, "copies": copies, "seconds": seconds, "sides": sides, "differs": module.differs(cutec, path)}


def broken(row, is_release):
    """The limits that a row breaks, each by its name, with the numbers."""
    author, own = row["sides"]
    most = {"wavefronts": 1, "sectors": 1, "registers": MOST_REGISTERS, "instructions": MOST_INSTRUCTIONS}
    found = {name: f"{own[name]} {name}, {author[name]} by the author" for name, n in most.items() if own[name] > n * author[name]}
    if own["spilled"] and not author["spilled"]:
        found["spilled"] = f"{own['spilled']} bytes spilled"
    if row["differs"]:
        found["arrays"] = row["differs"]
    if is_release and row["seconds"] > MOST_SECONDS:
        found["seconds"] = f"the pass takes {row['seconds']:.2f} s"
    return found


def cell(author, own):
    """A number, or two with their ratio."""
    if author == own:
        return str(own)
    return f"{author} -> {own}" + (f" {own / author:.2f}" if author else "")


def line(name, row):
    """A row as text."""
    author, own = row["sides"]
    cells = [cell(author[column], own[column]) for column in ("wavefronts", "sectors", "registers", "instructions")]
    seconds = f"{row['seconds']:.2f}"
    right = row["differs"] or "equal"
    return f"{name:30} {row['tiles']:>5} {row['copies']:>6}" + "".join(f"{c:>22}" for c in cells) + f" {seconds:>6}  {right}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path, nargs="?", help="a module of CuTe DSL, or a folder of them, instead of the examples")
    parser.add_argument("--cutec", type=Path, default=ROOT / "target/release/cutec", help="the compiler, beside which cute-opt is")
    parser.add_argument("--only", metavar="TEXT", help="modules with this text in their names")
    parser.add_argument("--check", action="store_true", help="fail where the compiler's choice is worse than the author's")
    args = parser.parse_args()
    if not args.cutec.is_file():
        sys.exit(f"error: there is no {args.cutec}: './dev build' makes it, --cutec names another one")
    cutec = args.cutec.resolve()
    is_release = "release" in cutec.parts
    given = [module for module in (modules(args.path) if args.path else examples()) if (args.only or "") in module.name]
    if not given:
        sys.exit("error: there is no such module")
    columns = "".join(f"{c:>22}" for c in ("wavefronts", "sectors", "registers", "instructions"))
    print(f"{'module':30} {'tiles':>5} {'copies':>6}{columns} {'pass s':>6}  arrays", flush=True)
    failed = 0
    for module in given:
        try:
            row = measure(cutec, module)
            if not row:
                continue
            print(line(module.name, row), flush=True)
            wrong = broken(row, is_release)
        except Failed as why:
            wrong = {"error": str(why)}
        for limit, text in wrong.items():
            why = EXCEPTIONS.get((module.name, limit))
            print(f"    {'exception' if why else 'error'}: {text}" + (f": {why}" if why else ""), flush=True)
            failed += not why
    sys.exit(bool(args.check and failed))


if __name__ == "__main__":
    main()
