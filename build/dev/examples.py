"""The examples of the C library and of the plugin, memory that they lose, and what other programs read of our output."""

import json
import pathlib
import re
import subprocess

import needs
import versions
from shell import CI, LLVM, TARGET, die, expect, is_full, output, run

C_FLAGS = ["-O1", "-Wall", "-Wextra", "-Werror", "-I", "crates/cute-capi/include"]


def linked(library):
    """Options that link with a library, and find it at run time."""
    folder = pathlib.Path(library).resolve().parent
    return ["-L", folder, "-lcute", f"-Wl,-rpath,{folder}"]


def libraries():
    out, library = TARGET / "debug/library-examples", TARGET / "debug/libcute.so"
    out.mkdir(parents=True, exist_ok=True)
    strict = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++"]
    run("clang++-22", *strict, "crates/cute-capi/include/cute.h")
    expect("soname: [libcute.so]", "readelf", "-d", library)
    for name in ("copy", "backend"):
        run("cc", "-std=c11", *C_FLAGS, f"examples/c/{name}.c", "-o", out / name, *linked(library))
    run(out / "copy", "examples/copy.mlir")
    module = "crates/cute-tools/tests/run/versions/v46.mlir"
    expect('"name": "meet"', out / "backend", module, "dsl-4.6", "sm_100a", "ptx", out / "v46.ptx")
    expect(".entry meet(", "cat", out / "v46.ptx")
    run(repeat_with(library), "examples/copy.mlir", 1000 if is_full() else 50, 8)
    run("python3", "examples/python/run_copy.py", library, "examples/copy.mlir")
    plugins()


def plugins():
    out, plugin = TARGET / "debug/plugin-examples", TARGET / "debug/libcute_mlir.so"
    defined = {
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_CXX_COMPILER": LLVM / "bin/clang++",
        "MLIR_DIR": LLVM / "lib/cmake/mlir",
        "CUTE_INCLUDE": pathlib.Path("crates/cute-capi/include").resolve(),
        "CUTE_PLUGIN": plugin,
    }
    run("cmake", "-S", "examples/cpp", "-B", out, *(f"-D{name}={value}" for name, value in defined.items()))
    run("cmake", "--build", out)
    expect("arith.muli", out / "loads", plugin)
    expect("arith.muli", out / "links")


def repeat_with(library):
    """Compiles the program that compiles many times, with a library."""
    source = "crates/cute-capi/tests/repeat.c"
    run("cc", "-std=c11", "-D_GNU_SOURCE", *C_FLAGS, "-pthread", source, "-o", TARGET / "repeat", *linked(library))
    return TARGET / "repeat"


def lost(count):
    """The bytes and blocks that valgrind finds lost after a number of compilations."""
    words = ["valgrind", "--leak-check=full", TARGET / "repeat", "examples/copy.mlir", str(count), "1"]
    said = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
    found = re.findall(r"definitely lost: .*|Invalid (?:read|write).*", said)
    return "; ".join(line.removeprefix("definitely lost: ") for line in found)


def leaks(library=TARGET / "debug/libcute.so"):
    """Fails if the memory that is lost depends on the number of compilations."""
    needs.packages("valgrind")
    needs.rust()
    repeat_with(library)
    once, thrice = lost(1), lost(3)
    print(f"lost after one compilation: {once}; after three: {thrice}")
    if not once or once != thrice:
        die("compilations lose memory")


def readers(step, *wheels):
    """A Python with what reads our output, or None if it cannot be had."""
    venv = TARGET / "traces/venv"
    venv.parent.mkdir(parents=True, exist_ok=True)
    if needs.pip(venv, "install", *needs.PATIENCE, *wheels):
        return venv / "bin/python"
    name = wheels[0].split("=")[0]
    if CI:
        die(f"{name} could not be installed")
    print(f"{step}: not run, because {name} could not be installed")
    return None


def traces():
    """Reads traces of runs with the description of them in Perfetto's own package, and asks them the queries of docs/seeing.md."""
    python = readers("traces", f"perfetto=={versions.PERFETTO}", f"protobuf=={versions.PROTOBUF}")
    if not python:
        return
    cutec, out, matrix = TARGET / "debug/cutec", TARGET / "traces", "bf16[256x256]"
    for old in out.glob("*.pftrace"):
        old.unlink()

    def record(name, source, *options):
        with open(out / f"{name}.txt", "w") as said:
            run(cutec, "run", source, *options, "--trace", out / f"{name}.pftrace", stdout=said)

    arguments = [f"A:{matrix}=random(1)", f"B:{matrix}=random(2)", f"D:{matrix}", "blocks:4"]
    arguments = [word for argument in arguments for word in ("--arg", argument)]
    for name in ("gemm_sm90", "gemm_sm100"):
        run(cutec, "build", name, "--emit", "cute", "-o", out / f"{name}.mlir")
        for schedule in ("lazy", "eager", "1"):
            record(f"{name}-{schedule}", out / f"{name}.mlir", *arguments, "--host", "--schedule", schedule)
    record("softmax", "examples/softmax.mlir", "--grid", 10, "--arg", "X:f16[37x1024]=random(1)", "--arg", "Y:f16[37x1024]")
    serial = "crates/cute-report/tests/serial.ptx"
    record("serial", serial, "--grid", 16, "--block", 32, "--arg", "i32[128]", "--schedule", "lazy")
    run(python, "crates/cute-report/tests/traces.py", *sorted(out.glob("*.pftrace")))


def annotations():
    """Validates reports in SARIF with its schema, which a crate contains, and compares their lines with those of the sources."""
    needs.rust()
    python = readers("annotations", f"jsonschema=={versions.JSONSCHEMA}")
    if not python:
        return
    package = "crates/cute-report/tests/schemas/Cargo.toml"
    metadata = json.loads(output("cargo", "metadata", "--locked", "--format-version", "1", "--manifest-path", package))
    manifest = next(found["manifest_path"] for found in metadata["packages"] if found["name"] == "serde-sarif")
    schema = pathlib.Path(manifest).parent / "src/schema.json"
    run(python, "crates/cute-report/tests/annotations.py", TARGET / "debug/cutec", schema)
