"""Runs NVIDIA's tests of pycute with the package cute_mlir: only their import is changed.

    python tests/foreign/pycute/run.py CUTLASS --native LIBRARY

CUTLASS is a checkout of NVIDIA/cutlass, of which test/python/pycute is read, and LIBRARY the native half of the package.
Nothing of CUTLASS is kept.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "crates/cute-python/python/cute_mlir"
OLD, NEW = "from pycute import *", "from cute_mlir.pycute import *"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cutlass", type=pathlib.Path)
    parser.add_argument("--native", type=pathlib.Path, required=True)
    options = parser.parse_args()
    files = sorted((options.cutlass / "test/python/pycute").glob("test_*.py"))
    if not files:
        sys.exit(f"error: {options.cutlass} has no test/python/pycute: it must be a checkout of NVIDIA/cutlass")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        shutil.copytree(PACKAGE, folder / "cute_mlir", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(options.native, folder / "cute_mlir/_native.abi3.so")
        for file in files:
            text = file.read_text()
            if OLD not in text:
                sys.exit(f"error: {file} does not import pycute as it did")
            (folder / file.name).write_text(text.replace(OLD, NEW))
        return subprocess.run([sys.executable, "-m", "unittest", "discover", "--verbose", "."], cwd=folder).returncode


if __name__ == "__main__":
    sys.exit(main())
