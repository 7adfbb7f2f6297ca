#!/usr/bin/env python3
"""dsl.py DIR: the code that ptxas generates for every module of CuTe DSL in a folder.

A row per kernel and GPU: registers, bytes of stack, bytes spilled, instructions without NOPs, instructions of the main
loop, and bytes of static shared memory; `+` where the launch decides about more. The main loop is the loop without loops in it that
has most tensor-core instructions. The GPU is what --arch says, which may be given more than once; else that of the module's rows in
the baseline; else sm_90a.

ptxas and nvdisasm are $CUTE_PTXAS and $CUTE_NVDISASM, or in PATH.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TENSOR_CORE = re.compile(r"^(HMMA|IMMA|DMMA|QMMA|OMMA|HGMMA|IGMMA|QGMMA|BGMMA|UTC.*MMA)\b")
COLUMNS = ["registers", "stack", "spilled", "instructions", "loop", "shared"]


def tool(name):
    """The path of a tool of CUDA's."""
    given = os.environ.get("CUTE_" + name.upper())
    found = shutil.which(given or name)
    if not found:
        sys.exit(f"error: there is no {name} in PATH: set CUTE_{name.upper()}; './dev test' installs it into .venv")
    os.environ["CUTE_" + name.upper()] = found
    return found


def lines(command):
    """Standard output of a command that must succeed."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"error: {' '.join(map(str, command))}: {done.stderr.strip() or done.returncode}")
    return done.stdout.splitlines()


def functions(sass):
    """For each function, its instructions as (opcode, jump label), and the positions of its labels."""
    found, body, labels = {}, [], {}
    for line in sass:
        line = line.strip()
        if section := re.match(r"\.text\.(.+):$", line):
            body, labels = [], {}
            found[section[1]] = (body, labels)
        elif label := re.match(r"(\.L\S+):$", line):
            labels[label[1]] = len(body)
        elif code := re.match(r"/\*[0-9a-f]{4,}\*/\s+(.*?);?\s*(/\*.*)?$", line):
            words = [w for w in code[1].split() if not re.match(r"[{}@]", w)]
            jump = re.search(r"`\((\.L\S+?)\)", code[1])
            if words and words[0] != "NOP":
                body.append((words[0], jump[1] if jump and words[0].startswith("BRA") else None))
    return found


def main_loop(body, labels):
    """The instructions of the main loop; None where no loop has tensor-core instructions."""
    spans = [(labels[to], i) for i, (_, to) in enumerate(body) if to in labels and labels[to] <= i]
    inner = [s for s in spans if not any(s != t and s[0] <= t[0] and t[1] <= s[1] for t in spans)]
    products = lambda span: sum(bool(TENSOR_CORE.match(op)) for op, _ in body[span[0] : span[1] + 1])
    best = max(inner, key=products, default=None)
    return best[1] - best[0] + 1 if best and products(best) else None


def key(row):
    """The key of a row."""
    return row["module"], row["gpu"], row.get("kernel", 0)


def gpus_of(module, baseline):
    """The GPUs that the baseline has a module for."""
    return sorted({gpu for name, gpu, _ in baseline if name == module.name.removesuffix(".mlir")}) or ["sm_90a"]


def compile(cutec, module, gpu, options):
    """Rows of the kernels of a module; an error is one row."""
    name = module.name.removesuffix(".mlir")
    with tempfile.TemporaryDirectory() as tmp:
        cubin = Path(tmp, "module.cubin")
        command = [cutec, module, "--target", gpu, "--emit", "cubin", "-o", cubin, *options]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            text = done.stderr.partition("error: ")[2] or f"exit status {done.returncode}"
            # That ptxas refuses something is a line of its own, and why is the next.
            said = text.splitlines()
            said = " ".join(said[: 1 + said[0].endswith(":")])
            return [{"module": name, "kernel": 0, "gpu": gpu, "error": said}]
        manifest = json.loads(Path(f"{cubin}.json").read_text())
        sass = functions(lines([tool("nvdisasm"), "-c", cubin]))
    rows = []
    for i, kernel in enumerate(manifest["kernels"]):
        text = next(l for l in done.stderr.splitlines() if l.startswith(kernel["name"] + ": "))
        n = dict((what, int(count)) for count, what in re.findall(r"(\d+) (?:bytes )?([a-z]+)", text))
        body, labels = sass[kernel["name"]]
        row = {"module": name, "kernel": i, "gpu": gpu, "registers": n["registers"], "stack": n["stack"]}
        row |= {"spilled": n["spilled"], "instructions": len(body), "loop": main_loop(body, labels)}
        rows.append(row | {"shared": n["static"], "dynamic": kernel["shared_memory"]["dynamic"]})
    return rows


def cell(row, other, column):
    """A number, and how it compares with another one."""
    value, text = row[column], "-" if row[column] is None else str(row[column])
    text += "+" if column == "shared" and row["dynamic"] else ""
    than = other.get(column)
    if than is None or value is None or column == "shared":
        return text
    return f"{text}/{than}" + (f" {value / than:.2f}" if than else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=Path, help="folder of .mlir files, or one such file")
    parser.add_argument("--cutec", type=Path, default=ROOT / "target/release/cutec", help="the compiler")
    parser.add_argument("--arch", action="append", metavar="GPU", help="GPU to compile for: sm_90a")
    parser.add_argument("--option", action="append", default=[], help="option for cutec: --option=--fmad=false")
    parser.add_argument("--baseline", type=Path, metavar="JSON", help="rows to compare with, by module, kernel and GPU")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows, for --baseline")
    parser.add_argument("--run", action="store_true", help="run the modules in the simulator, against plain loops")
    args = parser.parse_args()
    if not args.cutec.is_file():
        sys.exit(f"error: there is no {args.cutec}: './dev build' makes it, --cutec names another one")
    modules = [args.dir] if args.dir.is_file() else sorted(args.dir.glob("*.mlir"))
    if not modules:
        sys.exit(f"error: there is no .mlir file in '{args.dir}'")
    if args.run:
        sys.exit(min(run(args.cutec, modules), 1))
    baseline = {key(row): row for row in json.loads(args.baseline.read_text())} if args.baseline else {}
    print(next(l for l in lines([tool("ptxas"), "--version"]) if "release" in l))
    print(f"{'module':44} {'GPU':8}" + "".join(f"{c:>18}" for c in COLUMNS))
    rows = []
    for module in modules:
        for gpu in args.arch or gpus_of(module, baseline):
            for row in compile(args.cutec, module, gpu, args.option):
                rows.append(row)
                other = baseline.get(key(row), {})
                name = row["module"] + (f" #{row['kernel']}" if row["kernel"] else "")
                cells = "  " + row["error"] if "error" in row else "".join(f"{cell(row, other, c):>18}" for c in COLUMNS)
                print(f"{name:44} {gpu:8}{cells}", flush=True)
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n")


def run(cutec, modules):
    """Runs the modules in the simulator; how many failed."""
    try:
        import dsl_reference
    except ModuleNotFoundError:
        sys.exit("error: --run needs dsl_reference.py beside this file")
    return sum(not dsl_reference.run(str(cutec), str(module)) for module in modules)


if __name__ == "__main__":
    main()
