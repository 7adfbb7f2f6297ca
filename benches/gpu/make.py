"""Makes the bundle that asks a GPU: kernels, their inputs and the answers of the simulator.

    python3 benches/gpu/make.py --cutec target/release/cutec --ptxas PTXAS --wheel WHEEL --out target/gpu-bundle

`./dev gpu-bundle` calls it. `--sample` takes a few rows of each part, for tests.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import importlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE / "bundle")]

#: The most that the bundle may have, with the library of a debug build, too.
MOST_BYTES = 28 << 20


class Tools:
    """What makers work with."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.cutec: pathlib.Path = options.cutec.resolve()
        self.ptxas: pathlib.Path = options.ptxas.resolve()
        self.is_sample: bool = options.sample
        self.repository = REPOSITORY
        #: For independent steps: programs that run beside this one, and runs of the simulator.
        self.pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())

    def run(self, *command: Any) -> str:
        """Runs a program; a failure is an error with what it printed."""
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=self.repository)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
        return done.stdout

    def assemble(self, ptx: pathlib.Path, target: str, *options: str) -> pathlib.Path:
        """The cubin of a file of PTX, beside it."""
        cubin = ptx.with_suffix(".cubin")
        self.run(self.ptxas, f"-arch={target}", *options, ptx, "-o", cubin)
        return cubin

    def take(self, rows: list[Any], few: int) -> list[Any]:
        """The rows, or for a sample a few of them from the whole range."""
        if not self.is_sample or len(rows) <= few:
            return rows
        return [rows[i * len(rows) // few] for i in range(few)]


def unpacked(wheel: pathlib.Path, folder: pathlib.Path) -> None:
    """The wheel as a folder that Python imports from: the machine may have no pip."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)


def size_of(folder: pathlib.Path) -> int:
    """The bytes of all files."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cutec", type=pathlib.Path, required=True)
    parser.add_argument("--ptxas", type=pathlib.Path, required=True)
    parser.add_argument("--wheel", type=pathlib.Path, required=True, help="the wheel of the base package")
    parser.add_argument("--compiler", type=pathlib.Path, required=True, help="the wheel of the compiler")
    parser.add_argument("--sample", action="store_true", help="a few rows of each part")
    parser.add_argument("--parts", help="letters of parts; without it all")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    out: pathlib.Path = options.out
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    unpacked(options.wheel, out / "wheel")
    sys.path.insert(0, str(out.resolve() / "wheel"))
    # The compiler stays here.
    compiler = tempfile.TemporaryDirectory()
    unpacked(options.compiler, pathlib.Path(compiler.name))
    sys.path.append(compiler.name)
    os.environ["CUTE_PTXAS"] = str(options.ptxas.resolve())
    shutil.copytree(HERE / "bundle", out, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(REPOSITORY / "LICENSE", out)

    from gpu_bundle import parts

    import cute_mlir

    tools = Tools(options)
    seconds: dict[str, float] = {}
    for letter, part in parts.PARTS.items():
        folder = out / "parts" / part.module
        folder.mkdir(parents=True)
        if options.parts and letter not in options.parts:
            continue
        start = time.monotonic()
        importlib.import_module(f"makers.{part.module}").make(folder, tools)
        seconds[letter] = round(time.monotonic() - start, 1)
    (out / "bundle.json").write_text(
        json.dumps({"version": cute_mlir.__version__, "sample": options.sample, "made in": seconds}, indent=1) + "\n"
    )
    for cache in out.rglob("__pycache__"):
        shutil.rmtree(cache)
    size = size_of(out)
    print(f"{out}: {size / 2**20:.1f} MiB; seconds of each part: {seconds}")
    if size > MOST_BYTES:
        print(f"error: the bundle has {size} bytes; {MOST_BYTES} is the most", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
