#!/usr/bin/env python3
"""dsl.py DIR: the code that ptxas generates for every module of CuTe DSL in a folder.

A row per kernel and GPU, as `cutec gate` measures it: registers, bytes of stack, bytes spilled, loads and stores of local memory (LDL,
STL), instructions without NOPs, and bytes of static and dynamic shared memory; `+?` where the launch decides about more. A line below it
has the loops with tensor-core instructions and without such loops in them: instructions / MMAs. Loops of the baseline are those that
hold as many MMAs, by size; where it has none, its loop with the fewest instructions per MMA. The GPU is what --arch says, which may be
given more than once; else that of the module's rows in the baseline; else sm_90a.

--check compares with the baseline, which is another compiler's code, and exits with an error where ours is worse: instructions per MMA
of a loop above 1.05 times; more instructions in the kernel, and more than 10; local memory where the baseline has none; fewer blocks on a
multiprocessor, as registers, threads and shared memory allow. EXCEPTIONS lists what may be, and why.

ptxas and nvdisasm are those of cutec: $CUTE_PTXAS and $CUTE_NVDISASM, or in PATH. Each --assembler is another ptxas, with a table of its own.
"""
import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = ["registers", "stack", "spilled", "ldl", "stl", "instructions", "shared"]
# What cutec says of a module with a host function only.
NO_KERNEL = "there is no gpu.module with a kernel"
# Registers of a multiprocessor, each of whose partitions has a part of them.
REGISTERS, PARTITIONS = 65536, 4
# How many times the baseline's instructions per MMA a loop may take.
MOST = 1.05
# By kernel, and by the limit that does not hold: why.
EXCEPTIONS = {
    (
        "ampere.flash_attention_v2",
        "instructions",
    ): "the main loop is as long as the other one (897); what each block executes once, before and after it, is longer",
    (
        "blackwell.mixed_input_fmha_prefill",
        "loop",
    ): "three loops of 8 MMAs take 240 instructions with ptxas 13.5, and 241 in the baseline, differently divided; until 13.3, ptxas votes "
    "before each UTCHMMA of one of them, because it does not prove that the lanes leave a wait together",
}


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


def ratio(a, b):
    """The instructions for an MMA of a loop, as a multiple of those of another loop."""
    return a[0] * b[1] / (a[1] * b[0])


def blocks(row, registers):
    """Blocks on a multiprocessor with the threads and the shared memory of a row, and so many registers."""
    warps = -(-row["threads"] // 32)
    of_warp = -(-registers // 8) * 8 * 32
    held = REGISTERS // PARTITIONS // of_warp * PARTITIONS // warps
    return min([held, *(row["occupancy"][name] for name in ("blocks", "threads", "shared_memory") if row["occupancy"])])


def broken(row, other):
    """The limits that a row breaks, each by its name, with the numbers."""
    found = {}
    ours, theirs = row["instructions"], other["instructions"]
    if ours > max(theirs, theirs + 10):
        found["instructions"] = f"{ours} instructions, {theirs} in the baseline"
    compared = pairs(row["loops"], other["loops"])
    high = [f"{a[0]} for {a[1]} ({b[0]} for {b[1]})" for a, b in compared if ratio(a, b) > MOST]
    if high:
        found["loop"] = "loops of these instructions for so many MMAs (in the baseline): " + ", ".join(high)
    if not other["ldl"] + other["stl"] and row["ldl"] + row["stl"] + row["spilled"]:
        found["local"] = f"{row['ldl']} local loads, {row['stl']} local stores, {row['spilled']} bytes spilled, none in the baseline"
    if row["threads"] and blocks(row, row["registers"]) < blocks(row, other["registers"]):
        held = f"{blocks(row, row['registers'])} blocks instead of {blocks(row, other['registers'])}"
        found["occupancy"] = f"{row['registers']} registers, {other['registers']} in the baseline, for {row['threads']} threads: {held}"
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


def means(rows, baseline):
    """How the code of all kernels compares with that of the baseline."""
    both = [(row, baseline[key(row)]) for row in rows if "error" not in row and key(row) in baseline]
    loops = [ratio(a, b) for row, other in both for a, b in pairs(row["loops"], other["loops"])]
    kernels = [row["instructions"] / other["instructions"] for row, other in both]
    texts = ((loops, "loops: instructions per MMA"), (kernels, "kernels: instructions"))
    return [f"{len(all)} {what}: mean {sum(all) / len(all):.3f}, most {max(all):.3f}" for all, what in texts if all]


def gpus_of(module, baseline):
    """The GPUs that the baseline has a module for."""
    return sorted({gpu for name, gpu, _ in baseline if name == module.name.removesuffix(".mlir")}) or ["sm_90a"]


def compile(cutec, module, gpu, options):
    """Rows of the kernels of a module; an error is one row."""
    name = module.name.removesuffix(".mlir")
    command = [cutec, "gate", module, "--target", gpu, "--report", "json", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        text = done.stderr.partition("error: ")[2] or f"exit status {done.returncode}"
        # That ptxas refuses something is a line of its own, and why is the next.
        said = text.splitlines()
        said = " ".join(said[: 1 + said[0].endswith(":")])
        return [{"module": name, "kernel": 0, "gpu": gpu, "error": said}]
    rows = []
    # Kernels are numbered as they are in the cubin.
    for i, kernel in enumerate(json.loads(done.stdout)["kernels"]):
        row = {"module": name, "kernel": i, "gpu": gpu, "ldl": kernel["local_loads"], "stl": kernel["local_stores"]}
        row |= {what: kernel[what] for what in ("registers", "stack", "spilled", "instructions", "threads", "occupancy")}
        row |= {"shared": kernel["static_shared"], "dynamic": kernel["dynamic_shared"]}
        rows.append(row | {"loops": [loop for loop in kernel["loops"] if loop[1]], "ptxas": kernel["ptxas"]})
    return rows


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
            text += f" ({a} / {b}: {ratio((n, products), (a, b)):.2f})"
        texts.append(text)
    return "    loops: " + ", ".join(texts) if texts else None


def cell(row, other, column):
    """A number, and how it compares with another one."""
    value, text = row[column], "-" if row[column] is None else str(row[column])
    if column == "shared" and row["dynamic"] != 0:
        text += "+?" if row["dynamic"] is None else f"+{row['dynamic']}"
    than = other.get(column)
    if than is None or value is None or column == "shared":
        return text
    return f"{text}/{than}" + (f" {value / than:.2f}" if than else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=Path, help="folder of .mlir files, or one such file")
    parser.add_argument("--cutec", type=Path, default=ROOT / "target/release/cutec", help="the compiler")
    parser.add_argument("--arch", action="append", metavar="GPU", help="GPU to compile for: sm_90a")
    parser.add_argument("--assembler", action="append", default=[], metavar="[NAME=]FILE", help="a ptxas; may be repeated")
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
    rows, failed = [], 0
    for options in [["--assembler", file] for file in args.assembler] or [[]]:
        measured = table(args.cutec, modules, args.arch, options + args.option, baseline)
        if args.check:
            failed += check(measured, baseline)
        rows += measured
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n")
    sys.exit(min(failed, 1))


def table(cutec, modules, gpus, options, baseline):
    """Prints a table of the modules, and returns its rows."""
    print(f"{'module':44} {'GPU':8}" + "".join(f"{c:>17}" for c in COLUMNS))
    rows = []
    for module in modules:
        for gpu in gpus or gpus_of(module, baseline):
            for row in compile(cutec, module, gpu, options):
                rows.append(row)
                other = baseline.get(key(row), {})
                name = row["module"] + (f" #{row['kernel']}" if row["kernel"] else "")
                cells = "  " + row["error"] if "error" in row else "".join(f"{cell(row, other, c):>17}" for c in COLUMNS)
                print(f"{name:44} {gpu:8}{cells}", flush=True)
                if line := loops_line(row, other) if "error" not in row else None:
                    print(line, flush=True)
    print(f"ptxas {', '.join(sorted({row['ptxas'] for row in rows if 'ptxas' in row}))}", *means(rows, baseline), sep="\n")
    return rows


def run(cutec, modules):
    """Runs the modules in the simulator; how many failed."""
    try:
        import dsl_reference
    except ModuleNotFoundError:
        sys.exit("error: --run needs the folder dsl_reference beside this file")
    return sum(not dsl_reference.run(str(cutec), str(module)) for module in modules)


if __name__ == "__main__":
    main()
