"""Kernels, programs and tests of others. What comes from folders of checkouts is never kept."""

import filecmp
import os
import pathlib

import house
import needs
import versions
import wheels
from shell import LLVM, LOCKED, TARGET, die, empty, output, run


class Tools:
    """Triton, nvcc, and the headers of CUDA and CUTLASS, in an environment of their own."""

    def __init__(self):
        venv = TARGET / "foreign-tools"
        found = [f"triton=={versions.TRITON}", f"numpy=={versions.NUMPY}", f"ml_dtypes=={versions.ML_DTYPES}"]
        self.python = needs.install(venv, *found, *needs.toolkit())
        # It requires much, but only its headers are used.
        needs.install(venv, "--no-deps", f"nvidia-cutlass=={versions.CUTLASS}")
        site = pathlib.Path(output(self.python, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"))
        self.nvcc = site / "nvidia/cu13/bin/nvcc"
        self.cccl = ["--include", site / "nvidia/cu13/include/cccl"]
        self.headers = [*self.cccl, "--include", site / "cutlass_library/source/include"]

    def run(self, *words):
        run(self.python, *words)


def same(file, made, what):
    if not made.exists() or not filecmp.cmp(file, made, shallow=False):
        die(f"{file} is not {what}")


def foreign():
    """Compiles the kernels of tests/foreign anew, for all targets and with libraries, compares what is checked in, and runs them."""
    needs.build()
    tools, out, tests = Tools(), empty(TARGET / "foreign"), pathlib.Path("tests/foreign")
    tools.run(tests / "public/tables.py")
    tools.run(tests / "programs/tables.py")
    tools.run(tests / "programs/in_python.py", "--tables")
    tools.run(tests / "triton_kernels.py", "--triton", versions.TRITON, "--all", "--out", out)
    compilers = ["--nvcc", tools.nvcc, "--clang", "clang-22"]
    tools.run(tests / "cuda_kernels.py", *compilers, "--all", *tools.headers, "--out", out)
    tools.run(tests / "bug_kernels.py", "--nvcc", tools.nvcc, "--out", out / "bugs")
    for file in sorted(pathlib.Path("examples/bugs").glob("*.ptx")):
        same(file, out / "bugs" / file.name, "what nvcc makes of the kernel")
    for file in sorted([*tests.glob("triton/*.ptx"), *tests.glob("cuda/*.ptx")]):
        # Debian updates clang.
        if ".clang." not in file.name:
            same(file, out / file.relative_to(tests), "what its compiler makes of the kernel")
    recorded = pathlib.Path("crates/cute-machine/tests/ml_dtypes.txt")
    if output(tools.python, recorded.with_suffix(".py")) != recorded.read_text().rstrip("\n"):
        die(f"{recorded} is not what ml_dtypes computes")
    environment = {"CUTE_FULL": 1, "CUTE_FOREIGN": out}
    run("cargo", "test", "-p", "cute-tools", "--test", "foreign", *LOCKED, "files::", env=environment)


def checkouts(words, page):
    """The folder that a command is told."""
    if not words or not os.path.isdir(words[0]):
        die(f"there is no folder '{words[0] if words else ''}': {page} says what lies in it")


def build_cutec():
    run("cargo", "build", "-p", "cute-tools", "--bin", "cutec", *LOCKED)
    house.link_tools(TARGET / "debug")
    return TARGET / "debug/cutec"


def public(*words):
    """Compiles kernels of public repositories, and runs them in the simulator."""
    needs.build()
    checkouts(words, "docs/foreign.md")
    tools, out = Tools(), ["--out", TARGET / "foreign-public"]
    tools.run("tests/foreign/public/run.py", *words, "--nvcc", tools.nvcc, "--cutec", build_cutec(), *tools.headers, *out)


def programs(*words):
    """Builds programs of public repositories, and runs them by cutec exec."""
    needs.build()
    checkouts(words, "docs/foreign_programs.md")
    tools, out = Tools(), ["--out", TARGET / "foreign-programs"]
    tools.run("tests/foreign/programs/run.py", *words, "--nvcc", tools.nvcc, "--cutec", build_cutec(), *tools.cccl, *out)


def in_python(*words):
    """Runs programs with kernels of Triton, as they are, with torch on the CPU."""
    needs.build()
    checkouts(words, "docs/foreign_triton.md")
    venv, out = TARGET / "foreign-torch", TARGET / "wheels-foreign"
    found = [f"triton=={versions.TRITON}", f"numpy=={versions.NUMPY}", f"ml_dtypes=={versions.ML_DTYPES}", f"torch=={versions.TORCH}"]
    python = needs.install(venv, *found, f"transformers=={versions.TRANSFORMERS}", "einops", "pyyaml", "sqlalchemy", "pytest")
    run("cargo", "build", "-p", "cute-python", *LOCKED)
    wheels.pack("cute-python", TARGET / "debug/lib_native.so", out)
    needs.install(venv, "--force-reinstall", "--no-deps", *out.glob("cute_mlir-*.whl"))
    run(python, "tests/foreign/programs/in_python.py", *words, "--out", TARGET / "foreign-python")


def cutlass_compiler(*words):
    """Runs the tests of NVIDIA's compiler for the public CuTe IR."""
    needs.build()
    checkouts(words, "docs/foreign.md")
    build_cutec()
    run("python3", "tests/foreign/cutlass_compiler/run.py", *words, "--bin", TARGET / "debug", "--llvm", LLVM / "bin")


def pycute(*words):
    """Runs NVIDIA's tests of pycute with our package."""
    needs.build()
    checkouts(words, "docs/foreign.md")
    run("cargo", "build", "-p", "cute-python", *LOCKED)
    run("python3", "tests/foreign/pycute/run.py", words[0], "--native", TARGET / "debug/lib_native.so")


KINDS = {"--cutlass-compiler": cutlass_compiler, "pycute": pycute, "programs": programs, "python": in_python}


def command(kind=None, *words):
    if kind is None:
        foreign()
    elif kind in KINDS:
        KINDS[kind](*words)
    else:
        public(kind, *words)
