"""A GPU beside the simulator: on this machine, or on another one by a bundle."""

import os
import pathlib
import shutil
import subprocess

import needs
import versions
import wheels
from shell import LOCKED, TARGET, die, empty, only, run

INSTRUCTIONS = pathlib.Path("tests/instructions")
CUTEC = TARGET / "release/cutec"


def rows(file):
    """The number of instructions in a file of the tables."""
    return sum(line.startswith("// Words") for line in file.read_text().splitlines())


def self_test():
    """Writes the tables of instructions of crates/cute-assembler/tests/isa as PTX, one file for each target that their rows need, and
    compares them with tests/instructions. The test runs each file in the simulator."""
    needs.must_ptxas("tells the target of each instruction")
    made = empty(TARGET / "self-test")
    run("cargo", "test", "--workspace", "--test", "isa", *LOCKED, env={"CUTE_SELF_TEST": made})
    if os.environ.get("UPDATE_RECORD"):
        shutil.rmtree(INSTRUCTIONS)
        shutil.copytree(made, INSTRUCTIONS)
    run("diff", "-r", INSTRUCTIONS, made)
    files = sorted(INSTRUCTIONS.glob("*.ptx"))
    print(f"self-test: {sum(map(rows, files))} rows in {len(files)} files")


def up(size, tile):
    return -(-size // tile)


def launches():
    """Examples, shapes and the options that run them."""
    for m, n in (32, 128), (1, 4), (33, 132), (1000, 1500):
        array = ["--arg", f"f32[{m}x{n}]", "--arg", m, "--arg", n, "--arg", n]
        given = ["--arg", f"f32[{m}x{n}]=random(7)", *array[2:], *array]
        yield "examples/copy.mlir", f"{m}x{n}", f"{up(n, 128)},{up(m, 32)}", given
    for m, n in (64, 64), (8, 8), (72, 136), (1000, 1496):
        given = ["--arg", f"f16[{m}x{n}]=random(7)", "--arg", m, "--arg", n, "--arg", n]
        given += ["--arg", f"f16[{n}x{m}]", "--arg", n, "--arg", m, "--arg", m]
        yield "examples/transpose.mlir", f"{m}x{n}", f"{up(n, 64)},{up(m, 64)}", given
    # These kernels round: exp2 and sums of products can differ from the simulator in the last bit. The tolerance is one unit of the
    # result.
    for m, n in (4, 1024), (1, 8), (37, 3000):
        given = ["--tolerance", "0.0005", "--arg", f"f16[{m}x{n}]=random(7)", "--arg", f"f16[{m}x{n}]"]
        yield "examples/softmax.mlir", f"{m}x{n}", up(m, 4), given
    for m, n, k in (128, 128, 64), (200, 136, 72), (1000, 504, 1000):
        given = ["--tolerance", "0.008", "--arg", f"bf16[{m}x{k}]=random(7)", "--arg", f"bf16[{n}x{k}]=random(8)"]
        given += ["--arg", f"bf16[{n}]=random(9)", "--arg", f"bf16[{m}x{n}]"]
        yield "examples/gemm_bias_relu.mlir", f"{m}x{n}x{k}", f"{up(n, 128)},{up(m, 128)}", given
    # Queries, keys and heads. A weight that is rounded in the other direction is off by 2^-11.
    for m, n, k in (64, 64, 1), (100, 150, 3), (512, 1000, 2):
        given = ["--tolerance", "0.002", "--arg", f"f16[{m}x64x{k}]=random(7)", "--arg", f"f16[{n}x64x{k}]=random(8)"]
        given += ["--arg", f"f16[{n}x64x{k}]=random(9)", "--arg", f"f16[{m}x64x{k}]", "--arg", "0.125"]
        yield "examples/attention.mlir", f"{m}x{n}x{k}", f"{up(m, 64)},{k}", given
    for file in sorted(INSTRUCTIONS.glob("*.ptx")):
        found = rows(file)
        options = ["--block", "1", "--target", file.stem.rsplit(".", 1)[-1], "--arg", f"found:i64[{2 * found}]"]
        yield file, f"{found} rows", 1, options


def beside(file, shape, grid, options):
    """Runs an example on the GPU and in the simulator, prints a line with the result, and says whether they agree."""
    words = [CUTEC, "run", file, "--gpu", "--compare", "--grid", grid, *options]
    ending = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    name, said = pathlib.Path(file).stem, ending.stdout
    if ending.returncode == 0:
        print(f"{name:<14} {shape:<11} equal  {said.splitlines()[0] if said else ''}")
    elif "does not run on" in said:
        print(f"{name:<14} {shape:<11} not for this GPU")
    elif "no CUDA driver" in said or "finds no device" in said:
        die(f"this needs an NVIDIA GPU. cutec reports: {said.rpartition('error: ')[2].rstrip()}")
    else:
        print(f"{name:<14} {shape:<11} FAILED\n{said}")
        return False
    return True


def compare():
    needs.build()
    needs.ptxas()
    run("cargo", "build", "--release", "-p", "cute-tools", *LOCKED)
    failed = [f"{file} {shape}" for file, shape, grid, options in launches() if not beside(file, shape, grid, options)]
    if failed:
        die(f"the results differ from the simulator: {', '.join(failed)}")


def python_with_numpy():
    """A Python with numpy alone, for the bundle."""
    python = TARGET / "numpy/bin/python"
    if not (python.exists() and subprocess.run([python, "-c", "import numpy"], stderr=subprocess.DEVNULL, check=False).returncode == 0):
        needs.install(TARGET / "numpy", f"numpy<={versions.NUMPY}")
    return python


def write_bundle(*options, cutec=CUTEC, folder=wheels.OUT, tag="manylinux"):
    """Writes the bundle that asks a GPU (docs/gpu.md), with a tool and the wheels of a folder."""
    found = [only(f"{folder}/{name}-*{tag}*_x86_64.whl") for name in ("cute_mlir-*-abi3", "cute_mlir_compiler")]
    if None in found:
        die(f"there are no wheels in {folder}: run ./dev wheels first")
    ptxas = needs.must_ptxas("assembles the kernels")
    if not cutec.exists():
        die(f"there is no {cutec}: run ./dev build first")
    given = ["--cutec", cutec, "--ptxas", ptxas, "--wheel", found[0], "--compiler", found[1]]
    run(python_with_numpy(), "benches/gpu/make.py", *given, "--out", TARGET / "gpu-bundle", *options)


def test_bundle():
    """Makes a sample of the bundle with the libraries of the debug build, whose wheels have another tag, and asks the fake driver."""
    needs.build()
    if not needs.ptxas():
        print("gpu bundle: not run, since there is no ptxas")
        return
    run("cargo", "build", "--workspace", "--lib", "--bins", *LOCKED)
    folder = TARGET / "wheels-debug"
    wheels.pack_debug(folder)
    write_bundle("--sample", cutec=TARGET / "debug/cutec", folder=folder, tag="linux")
    run(python_with_numpy(), "benches/gpu/test_bundle.py", TARGET / "gpu-bundle")


def bundle(*options):
    if "--test" in options:
        test_bundle()
    else:
        write_bundle(*options)


def results(*folders):
    if not folders:
        die("gpu-results takes the folder of results.json")
    run("python3", "benches/gpu/results.py", *folders)
