#!/usr/bin/env python3
"""tool.py BIN [N]: whole-tool runs of cute-opt beside stock mlir-opt on upstream modules of the same size.

BIN is the folder with cute-opt, N the number of functions (10000). Each row is user + system time and peak resident
memory of one process, the best of three, and the ratio of its time to that of the floor in the same run: stock
mlir-opt parsing, verifying and printing a module of upstream dialects with as many functions, ops and bytes.
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MLIR_OPT = "/usr/lib/llvm-22/bin/mlir-opt"


def generate(script, out, *args):
    with open(out, "w") as f:
        subprocess.run([sys.executable, os.path.join(HERE, script), *args], stdout=f, check=True)


def cost(command):
    """Seconds of user + system time, and MB of peak resident memory, of the best of three runs."""
    best = None
    for _ in range(3):
        pid = os.fork()
        if pid == 0:
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, 1)
            os.dup2(null, 0)
            os.execv(command[0], command)
        _, status, usage = os.wait4(pid, 0)
        if status != 0:
            sys.exit(f"error: {' '.join(command)} ended with status {status}")
        seconds = usage.ru_utime + usage.ru_stime
        if best is None or seconds < best[0]:
            best = (seconds, usage.ru_maxrss / 1024)
    return best


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    bin, n = sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else "10000"
    cute_opt = os.path.join(bin, "cute-opt")
    with tempfile.TemporaryDirectory() as tmp:
        path = lambda name: os.path.join(tmp, name + ".mlir")
        generate("gen_upstream.py", path("upstream"), n)
        generate("gen_static.py", path("static"), n)
        generate("gen_static.py", path("distinct"), n, "--distinct")
        generate("gen_dynamic.py", path("dynamic"), n)
        extend = "--cute-domain=extend"
        fold, base = "builtin.module(canonicalize)", "builtin.module(cute-to-base)"
        rows = [
            ("floor: mlir-opt, upstream dialects", [MLIR_OPT, path("upstream")]),
            ("floor: cute-opt, upstream dialects", [cute_opt, path("upstream")]),
            ("static: parse, verify, print", [cute_opt, extend, path("static")]),
            ("static: parse, verify, fold, print", [cute_opt, extend, f"--pass-pipeline={fold}", path("static")]),
            ("static, distinct types: the same", [cute_opt, extend, f"--pass-pipeline={fold}", path("distinct")]),
            ("dynamic: parse, verify, print", [cute_opt, extend, path("dynamic")]),
            ("dynamic: down to base", [cute_opt, extend, f"--pass-pipeline={base}", path("dynamic")]),
        ]
        print(f"{n} functions{'':31} seconds   x floor   peak MB")
        floor = None
        for name, command in rows:
            seconds, memory = cost(command)
            floor = floor or seconds
            print(f"{name:44} {seconds:7.2f} {seconds / floor:9.2f} {memory:9.0f}")


main()
