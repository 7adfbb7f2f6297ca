"""Compiles the kernels of examples/bugs to the PTX that is checked in, with the options that each file gives.

    python tests/foreign/bug_kernels.py --nvcc NVCC [--out FOLDER] [NAME..]
"""

import argparse
import re
import shlex
import subprocess
from pathlib import Path

import cases
from cuda_kernels import same_everywhere

ROOT = Path(__file__).parents[2]
BUGS = ROOT / "examples/bugs"


def relative(path):
    """The name of a source from the top of the repository; headers of CUDA have a name alone."""
    path = Path(path)
    return f"examples/bugs/{path.name}" if (BUGS / path.name).exists() else path.name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--out", type=Path, default=BUGS)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for source in sorted(BUGS.glob("*.cu")):
        if options.names and source.stem not in options.names:
            continue
        nvcc, *words = shlex.split(re.search(r"^// Compile: (nvcc .*)$", source.read_text(), re.MULTILINE)[1])
        out = options.out.absolute() / f"{source.stem}.ptx"
        run = subprocess.run([options.nvcc, *words, "-o", out], cwd=BUGS, capture_output=True, text=True, timeout=120)
        if run.returncode:
            raise SystemExit(f"{source}: {run.stderr}")
        out.write_text(cases.shortened(same_everywhere(out.read_text()), relative))


if __name__ == "__main__":
    main()
