"""The project's commands, which `./dev` starts; `./dev help` lists them."""

import inspect
import os
import signal
import sys

import bench
import examples
import foreign
import gpu
import house
import names
import page
import proofs
import static
import suite
import wheels
from shell import ROOT, die

USAGE = """\
usage: ./dev COMMAND

  build   compile everything (release): cute-opt, cutec and libcute_mlir.so in target/release
  wheels  write wheels of the Python packages cute-mlir and cute-mlir-compiler to target/wheels, which need no LLVM
  dist    write an archive with the tools in one executable, libcute.so and its header, which need no LLVM
  test    formatting, lints, Rust tests, lit tests through cute-opt and through stock mlir-opt, mutated inputs; --full tries
          more inputs per law, more mutants and all options of the builders, and checks the archive and the packages;
          --full=K/N does the K-th of N parts of that
  lit     the lit tests through cute-opt: ./dev lit [--renew] [FILE..]; --renew first rewrites diagnostics, and functions of which every
          line is expected, to what the tools print now; review the difference
  fuzz    run mutated inputs through the tools: ./dev fuzz [COUNT] [SEED] [KIND]; a count, a seed and a kind determine a run
  page    write the page that draws layouts and runs kernels to target/page/cute.html, one file that needs no server; --test checks it in a
          browser, and with UPDATE_DOCS=1 writes the screenshots in docs/pictures
  book    write the documents and the page as one book, with a search, to target/book/book, by mdBook, which it installs
  run     compile each example (.mlir) for each GPU, and print a table of the results
  gpu     run the examples in several shapes, and each instruction of the simulator's tables, on the GPU of this machine, and
          compare with the simulator
  gpu-bundle
          write target/gpu-bundle, which asks a GPU of another machine all of that and more: docs/gpu.md. --test makes a sample of
          it and asks a driver with recorded answers; gpu-results FOLDER writes the answers into docs/measurements.md
  bench   time the algebra, the simulator against native loops, and cute-opt against stock mlir-opt
  proofs  check the proofs of the algebra in proofs/ with Coq, compare the algebra with what they define on a million random requests,
          and record in proofs/CHECKED what was checked; see docs/proofs.md
  examples, python, traces, annotations, leaks, wasm, archive, try-wheels, package, foreign, self-test
          the parts of test that check the C library, the Python packages, traces and annotations of runs, the crates for WebAssembly,
          the archive, the wheels, the packages, PTX of other compilers, and that the files of gpu assemble; see CONTRIBUTING.md.
          ./dev foreign FOLDER [NAME..] runs kernels of public repositories that FOLDER has checkouts of,
          ./dev foreign programs FOLDER [NAME..] whole programs of them, or a part with --full=K/N,
          ./dev foreign python FOLDER [NAME..] programs with kernels of Triton,
          ./dev foreign --cutlass-compiler FOLDER [NAME..] the tests of NVIDIA's open compiler, and
          ./dev foreign pycute FOLDER NVIDIA's tests of pycute; see docs/foreign.md
  names   write the names of LLVM's intrinsics and of the NVVM dialect's ops, which cute-ptx lists, from the td files of LLVM
  fmt     format the sources
  help    print this text

A command installs missing prerequisites: Debian packages (as root, or through sudo), and ptxas, libdevice and nvdisasm in .venv.
Nothing is downloaded when nothing is missing. Environment:

  CARGO_TARGET_DIR   the build directory, instead of target/
  CUTE_PTXAS         the ptxas to use instead of the one in .venv; CUTE_PTXAS_NEWEST, CUTE_NVDISASM and CUTE_NVCC likewise
  CUTE_DSL_MODULES   a folder of modules of CuTe DSL, whose code test --full compares with that in the file CUTE_DSL_BASELINE
  CI=true            an unreachable ptxas is an error, and Cargo.lock must be up to date"""

# Each command takes the words after it.
COMMANDS = {
    "annotations": examples.annotations,
    "archive": static.archive,
    "bench": bench.bench,
    "book": page.book,
    "build": house.build,
    "dist": static.dist,
    "examples": examples.libraries,
    "fmt": house.fmt,
    "foreign": foreign.command,
    "fuzz": suite.fuzz_alone,
    "gpu": gpu.compare,
    "gpu-bundle": gpu.bundle,
    "gpu-results": gpu.results,
    "leaks": examples.leaks,
    "lit": suite.lit,
    "names": names.write,
    "package": house.package,
    "page": page.command,
    "proofs": proofs.check,
    "python": wheels.debug,
    "run": bench.run_examples,
    "self-test": gpu.self_test,
    "test": suite.command,
    "traces": examples.traces,
    "try-wheels": wheels.try_all,
    "wasm": page.wasm,
    "wheels": wheels.release,
}


def main(words):
    name, *rest = words or ["help"]
    if name in ("help", "--help", "-h"):
        print(USAGE)
        return
    if name not in COMMANDS:
        print(f"error: there is no command '{name}'", USAGE, sep="\n", file=sys.stderr)
        sys.exit(2)
    try:
        inspect.signature(COMMANDS[name]).bind(*rest)
    except TypeError as error:
        die(f"./dev {name}: {error}")
    COMMANDS[name](*rest)


if __name__ == "__main__":
    os.chdir(ROOT)
    # A shell starts what runs in the background without interrupts, and tests send some to their children.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
