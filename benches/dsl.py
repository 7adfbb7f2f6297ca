#!/usr/bin/env python3
"""dsl.py DIR: the code that ptxas generates for every module of CuTe DSL in a folder.

A row per kernel and GPU: registers, bytes of stack, bytes spilled, loads and stores of local memory (LDL, STL), instructions without
NOPs, and bytes of static shared memory; `+` where the launch decides about more. A line below it has the loops with tensor-core
instructions and without such loops in them: instructions / MMAs. Loops of the baseline are those that hold as many MMAs, by size;
where it has none, its loop with the fewest instructions per MMA. The GPU is what --arch says, which may be given more than once; else
that of the module's rows in the baseline; else sm_90a.

--check compares with the baseline, which is another compiler's code, and exits with an error where ours is worse: instructions per MMA,
over the loops of a kernel, above 1.02 times; a loop above 1.10 times; more instructions, and more than 10; local memory where the
baseline has none; fewer blocks on a multiprocessor. EXCEPTIONS lists what may be, and why.

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
COLUMNS = ["registers", "stack", "spilled", "ldl", "stl", "instructions", "shared"]
LOCAL_LOAD, LOCAL_STORE = re.compile(r"^LDL\b"), re.compile(r"^STL\b")
# What cutec says of a module with a host function only.
NO_KERNEL = "there is no gpu.module with a kernel"
REGISTERS, MOST_THREADS = 65536, 2048
# By kernel, and by the limit that does not hold: why.
EXCEPTIONS = {
    (
        "ampere.flash_attention_v2",
        "instructions",
    ): "the main loop is as long as the other one (897); what each block executes once, before and after it, is longer",
    (
        "blackwell.grouped_gemm",
        "occupancy",
    ): "the loop over tiles keeps the swizzled addresses of the epilogue; registers are left for four blocks instead of five",
    (
        "blackwell.mixed_input_fmha_prefill",
        "loop",
    ): "ptxas does not prove that the lanes leave a wait together, so it votes before each UTCHMMA; `bra.uni` in the wait would make "
    "it 80, and is undefined where lanes disagree",
}


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
    """The code of each function."""
    found, code = {}, Code()
    for line in sass:
        line = line.strip()
        if section := re.match(r"\.text\.(.+):$", line):
            code = found[section[1]] = Code()
        elif label := re.match(r"(\.L\S+):$", line):
            code.labels[label[1]] = len(code.ops)
        elif text := re.match(r"/\*[0-9a-f]{4,}\*/\s+(.*?);?\s*(/\*.*)?$", line):
            code.add(text[1])
    return found


class Code:
    """Instructions without NOPs, and the places that they jump to."""

    def __init__(self):
        self.ops, self.labels, self.jumps = [], {}, []

    def add(self, text):
        words = [w for w in text.split() if not re.match(r"[{}@]", w)]
        if words and words[0] != "NOP":
            target = re.search(r"`\((\.L\S+?)\)", text)
            self.ops.append(words[0])
            # Executed without a condition: no guard, and no predicate before the target.
            always = "@" not in text and (not target or words[1].startswith("`"))
            self.jumps.append((target[1] if target else None, always))

    def count(self, pattern):
        return sum(bool(pattern.match(op)) for op in self.ops)

    def successors(self):
        """Where control may go to, for each instruction."""
        after = []
        for i, (op, (target, always)) in enumerate(zip(self.ops, self.jumps)):
            to = self.labels.get(target) if op.startswith("BRA") else None
            ends = op.startswith(("EXIT", "RET", "BRX", "BRA")) and always
            after.append(([] if to is None else [to]) + ([] if ends else [i + 1]))
        return [[to for to in all if to < len(self.ops)] for all in after]

    def loops(self):
        """[instructions, MMAs] of each loop that has MMAs and no other loop with MMAs in it, by size.

        Only the instructions from the first run with an MMA to the last one count: those that ptxas puts at the end of the function,
        such as a wait that is tried again, do not.
        """
        after, found = self.successors(), []
        before = [[] for _ in after]
        for at, all in enumerate(after):
            for to in all:
                before[to].append(at)
        todo = [set(range(len(self.ops)))]
        while todo:
            nodes = todo.pop()
            for loop in cycles(nodes, after):
                if not any(self.is_product(at) for at in loop):
                    continue
                # Without the ways from outside into the loop and back there, what is left is the loops in it.
                entries = {to for to in loop if any(at not in loop for at in before[to])}
                inside = loop - entries
                if any(self.is_product(at) for inner in cycles(inside, after) for at in inner):
                    todo.append(inside)
                    continue
                # Two loops may begin at one place: the inner one is shorter.
                ways = [(e, at) for e in entries for at in before[e] if at in loop]
                bodies = [self.extent(sorted(body(*way, loop, before))) for way in ways]
                found.append(min((b for b in bodies if b), key=lambda b: (-b[1], b[0])))
        return sorted(found)

    def is_product(self, at):
        return bool(TENSOR_CORE.match(self.ops[at]))

    def extent(self, loop):
        """The instructions between the first and the last run of a loop that have MMAs, and the MMAs."""
        runs = [[loop[0]]]
        for at in loop[1:]:
            runs[-1].append(at) if at == runs[-1][-1] + 1 else runs.append([at])
        with_products = [i for i, run in enumerate(runs) if any(self.is_product(at) for at in run)]
        if not with_products:
            return None
        kept = sum(runs[with_products[0] : with_products[-1] + 1], [])
        return [len(kept), sum(self.is_product(at) for at in kept)]


def body(entry, end, loop, before):
    """The nodes of a loop from which its end is reached without its entry, and the entry."""
    found, todo = {entry}, [end]
    while todo:
        at = todo.pop()
        if at in loop and at not in found:
            found.add(at)
            todo += before[at]
    return found


def cycles(nodes, after):
    """The largest sets of nodes that all reach one another, by Tarjan's algorithm; single nodes only if they reach themselves."""
    number, low, stack, on, found = {}, {}, [], set(), []
    for root in nodes:
        if root in number:
            continue
        work = [(root, iter(after[root]))]
        number[root] = low[root] = len(number)
        stack.append(root)
        on.add(root)
        while work:
            at, rest = work[-1]
            for to in rest:
                if to not in nodes:
                    continue
                if to not in number:
                    number[to] = low[to] = len(number)
                    stack.append(to)
                    on.add(to)
                    work.append((to, iter(after[to])))
                    break
                if to in on:
                    low[at] = min(low[at], number[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[at])
                if low[at] == number[at]:
                    part = set()
                    while at not in part:
                        part.add(stack.pop())
                    on -= part
                    if len(part) > 1 or at in after[at]:
                        found.append(part)
    return found


def key(row):
    """The key of a row."""
    return row["module"], row["gpu"], row.get("kernel", 0)


def baseline_of(path):
    """The rows of a file by their keys: those that --json wrote, or {"kernels": [..]} with NVIDIA's code for each kernel."""
    try:
        given = json.loads(path.read_text())
    except (OSError, ValueError) as why:
        sys.exit(f"error: cannot read the baseline '{path}': {why}")
    if isinstance(given, dict):
        rows = []
        for kernel in given["kernels"]:
            if code := kernel.get("nvidia"):
                row = {"module": Path(kernel["module"]).name.removesuffix(".mlir"), "gpu": kernel["target"]}
                row |= {"kernel": kernel["kernel_index"], "loops": code["mma_loops"]}
                rows.append(row | {name: code[name] for name in COLUMNS if name in code})
        given = rows
    rows = {key(row): row for row in given if "error" not in row}
    for row in rows.values():
        if missing := [name for name in ("instructions", "registers", "ldl", "stl", "loops") if name not in row]:
            sys.exit(f"error: the baseline '{path}' has no {', '.join(missing)} for {row['module']}: write it again with --json")
    return rows


def pairs(loops, others):
    """Each loop with the one of the baseline that it is compared with."""
    left, found = sorted(others), []
    best = min((n / products for n, products in left), default=0)
    for n, products in sorted(loops):
        # A loop that takes more than twice as much for an MMA holds another loop.
        same = next((o for o in left if o[1] == products and o[0] <= 2 * best * o[1]), None)
        if same:
            left.remove(same)
        other = same or min(others, key=lambda o: o[0] / o[1], default=None)
        if other:
            found.append(([n, products], other))
    return found


def blocks(row, threads):
    """Blocks of so many threads for which a multiprocessor has registers."""
    warps = -(-threads // 32)
    return min(REGISTERS // (-(-row["registers"] // 8) * 8 * 32 * warps), MOST_THREADS // (32 * warps))


def broken(row, other):
    """The limits that a row breaks, each by its name, with the numbers."""
    found = {}
    ours, theirs = row["instructions"], other["instructions"]
    if ours > max(theirs, theirs + 10):
        found["instructions"] = f"{ours} instructions, {theirs} in the baseline"
    compared = pairs(row["loops"], other["loops"])
    high = [f"{a[0]} for {a[1]} ({b[0]} for {b[1]})" for a, b in compared if a[0] * b[1] > 1.10 * b[0] * a[1]]
    if high:
        found["loop"] = "loops of these instructions for so many MMAs (in the baseline): " + ", ".join(high)
    total = [sum(n / products for n, products in side) for side in zip(*compared)]
    if total and total[0] > 1.02 * total[1]:
        found["loops"] = f"{total[0] / total[1]:.3f} times the instructions per MMA over its loops"
    if not other["ldl"] + other["stl"] and row["ldl"] + row["stl"] + row["spilled"]:
        found["local"] = f"{row['ldl']} local loads, {row['stl']} local stores, {row['spilled']} bytes spilled, none in the baseline"
    if blocks(row, row["threads"]) < blocks(other, row["threads"]):
        found["occupancy"] = f"{row['registers']} registers, {other['registers']} in the baseline, for {row['threads']} threads"
    return found


def check(rows, baseline):
    """Prints what breaks a limit and what no longer does; how many rows do so without a reason."""
    failed, seen = 0, set()
    for row in rows:
        name, _, kernel = key(row)
        name += f" #{kernel}" if kernel else ""
        if NO_KERNEL in row.get("error", ""):
            continue
        if "error" in row:
            expected = EXCEPTIONS.get((name, "error"))
            print(f"{'exception' if expected else 'error'}: {name}: {row['error']}")
            failed += not expected
        elif key(row) in baseline:
            for limit, text in broken(row, baseline[key(row)]).items():
                seen.add((name, limit))
                why = EXCEPTIONS.get((name, limit))
                print(f"exception: {name}: {text}: {why}" if why else f"error: {name}: {text}")
                failed += not why
    compared = {name + (f" #{kernel}" if kernel else "") for name, _, kernel in (key(r) for r in rows if key(r) in baseline)}
    for name, limit in EXCEPTIONS:
        if name in compared and (name, limit) not in seen:
            print(f"error: {name}: '{limit}' is listed in EXCEPTIONS, but holds")
            failed += 1
    return failed


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
    # Kernels are numbered as they are in the cubin.
    for i, kernel in enumerate(sorted(manifest["kernels"], key=lambda kernel: list(sass).index(kernel["name"]))):
        text = next(l for l in done.stderr.splitlines() if l.startswith(kernel["name"] + ": "))
        n = dict((what, int(count)) for count, what in re.findall(r"(\d+) (?:bytes )?([a-z]+)", text))
        code = sass[kernel["name"]]
        row = {"module": name, "kernel": i, "gpu": gpu, "registers": n["registers"], "stack": n["stack"]}
        row |= {"spilled": n["spilled"], "ldl": code.count(LOCAL_LOAD), "stl": code.count(LOCAL_STORE)}
        row |= {"instructions": len(code.ops), "loops": code.loops(), "threads": threads(kernel)}
        rows.append(row | {"shared": n["static"], "dynamic": kernel["shared_memory"]["dynamic"]})
    return rows


def threads(kernel):
    """The most threads of a block that the kernel declares; 128 if it declares none."""
    x, y, z = kernel.get("block") or kernel.get("max_block") or [128, 1, 1]
    return x * y * z


def loops_line(row, other):
    """The loops of a row, and how they compare."""
    compared = {}
    for a, b in pairs(row["loops"], other.get("loops", [])):
        compared.setdefault(tuple(a), []).append(b)
    texts = []
    for n, products in row["loops"]:
        text = f"{n} / {products}"
        if rest := compared.get((n, products)):
            a, b = rest.pop(0)
            text += f" ({a} / {b}: {n * b / (products * a):.2f})"
        texts.append(text)
    return "    loops: " + ", ".join(texts) if texts else None


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
    parser.add_argument("--check", action="store_true", help="fail where the code is worse than the baseline's")
    parser.add_argument("--run", action="store_true", help="run the modules in the simulator, against plain loops")
    args = parser.parse_args()
    if not args.cutec.is_file():
        sys.exit(f"error: there is no {args.cutec}: './dev build' makes it, --cutec names another one")
    modules = [args.dir] if args.dir.is_file() else sorted(args.dir.glob("*.mlir"))
    if not modules:
        sys.exit(f"error: there is no .mlir file in '{args.dir}'")
    if args.run:
        sys.exit(min(run(args.cutec, modules), 1))
    if args.check and not args.baseline:
        sys.exit("error: --check compares with a baseline: give --baseline")
    baseline = baseline_of(args.baseline) if args.baseline else {}
    print(next(l for l in lines([tool("ptxas"), "--version"]) if "release" in l))
    print(f"{'module':44} {'GPU':8}" + "".join(f"{c:>17}" for c in COLUMNS))
    rows = []
    for module in modules:
        for gpu in args.arch or gpus_of(module, baseline):
            for row in compile(args.cutec, module, gpu, args.option):
                rows.append(row)
                other = baseline.get(key(row), {})
                name = row["module"] + (f" #{row['kernel']}" if row["kernel"] else "")
                cells = "  " + row["error"] if "error" in row else "".join(f"{cell(row, other, c):>17}" for c in COLUMNS)
                print(f"{name:44} {gpu:8}{cells}", flush=True)
                if line := loops_line(row, other) if "error" not in row else None:
                    print(line, flush=True)
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n")
    if args.check:
        sys.exit(min(check(rows, baseline), 1))


def run(cutec, modules):
    """Runs the modules in the simulator; how many failed."""
    try:
        import dsl_reference
    except ModuleNotFoundError:
        sys.exit("error: --run needs the folder dsl_reference beside this file")
    return sum(not dsl_reference.run(str(cutec), str(module)) for module in modules)


if __name__ == "__main__":
    main()
