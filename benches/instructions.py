#!/usr/bin/env python3
"""Counts the instructions that the simulator takes for a GEMM, which do not depend on the load of the machine.

    python3 benches/instructions.py target/release/cutec [OTHER/cutec ..]

It builds gemm_sm90 and runs 512 x 512 x 512 under one schedule in one thread of the host, under valgrind's cachegrind.
Several executables are compared with the first.
"""

import os
import re
import subprocess
import sys
import tempfile


def count(cutec, module):
    matrix = "bf16[512x512]"
    run = [cutec, "run", module, "--host", "--schedule", "lazy"]
    for argument in (f"A:{matrix}=random(1)", f"B:{matrix}=random(2)", f"D:{matrix}", "blocks:4"):
        run += ["--arg", argument]
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    # One core, so that the clusters of the grid run one after the other.
    done = subprocess.run(["taskset", "-c", "0", *valgrind, *run], capture_output=True, text=True, check=True)
    return int(re.search(r"I +refs: +([\d,]+)", done.stderr)[1].replace(",", ""))


def main():
    tools = [os.path.abspath(path) for path in sys.argv[1:]]
    if not tools:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        module = os.path.join(folder, "gemm.mlir")
        subprocess.run([tools[0], "build", "gemm_sm90", "--emit", "cute", "-o", module], check=True)
        first = None
        for tool in tools:
            instructions = count(tool, module)
            first = first or instructions
            print(f"{tool}: {instructions / 1e6:.1f} million instructions, {instructions / first:.3f}")


if __name__ == "__main__":
    main()
