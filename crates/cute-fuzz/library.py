"""Runs modules in the simulator through the C library, for cute-fuzz:

    python3 crates/cute-fuzz/library.py LIBRARY simulate < MODULES
    python3 crates/cute-fuzz/library.py LIBRARY simulate_host < MODULES

A line `// -----` separates modules. The library says which values a kernel or host function takes, and gets some.
Everything that is chosen depends on the text of the module alone. Prints a line for each module that was run.
"""

import ctypes
import pathlib
import random
import re
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "examples/python"))
import run_copy as cute  # noqa: E402

NULL = 2
FILE = "module.mlir"
TARGETS = ["sm_90a", "sm_100a", "sm_120a", "sm_80"]
EDGES = [0, 1, 3, 2**31 - 1, 2**31, 2**32 - 1, 2**62]
TAKES = re.compile(r"it is passed \d+ values \((.*)\), found 0 arguments")
KERNELS = re.compile(r"' has the kernels (\S+?)(?:,|$)")
REQUIRED = re.compile(r"compiled for \[(\d+), (\d+), (\d+)\]$")
FAILED = "compilation failed"
FINDINGS = re.compile(r" has \d+ findings?$")


def said(session, call, launch, arguments):
    """Why a call failed; nothing if it did not."""
    array, count = (cute.Argument * len(arguments))(*arguments), ctypes.c_size_t(len(arguments))
    try:
        session.call(call, FILE, launch, array, count)
    except cute.Error as error:
        return str(error)
    return ""


def was_run(why):
    return not why or bool(FINDINGS.search(why))


def value(kind, size, chosen):
    """An argument for a leaf of this type."""
    if kind == "stream":
        return cute.Argument(NULL, None, 0)
    if kind == "pointer" or "ptr" in kind:
        if chosen.randrange(16) == 0:
            return cute.Argument(NULL, None, 0)
        argument = cute.argument(cute.ARRAY, (ctypes.c_uint8 * (16 * size * size))())
        if chosen.randrange(64) == 0:
            argument.size = 2**62  # more than there is, so that nothing is read
        return argument
    digits = re.search(r"\d+$", kind)
    width = max(int(digits[0]) // 8, 1) if digits else 128
    number = chosen.choice(EDGES) if chosen.randrange(16) == 0 else size
    return cute.argument(cute.VALUE, (ctypes.c_uint8 * width)(*number.to_bytes(16, "little")[:width]))


def launched(chosen):
    def some(usual, edges):
        return chosen.choice(edges) if chosen.randrange(16) == 0 else chosen.choice(usual)

    grid = (some([1, 2, 4], [0, 2**31 - 1, 2**32 - 1]), some([1, 1, 2], [0, 65535]), 1)
    return cute.Launch(
        grid=grid,
        block=some([(128, 1, 1)], [(0, 0, 0), (1024, 1, 1), (2**32 - 1, 2**32 - 1, 2)]),
        shared_memory=some([0, 0, 16384], [1, 2**32 - 1]),
        cluster=some([(0, 0, 0)], [(2, 1, 1), (65535, 65535, 65535)]),
    )


def run(sessions, call, text):
    chosen = random.Random(zlib.crc32(text.encode()))
    pathlib.Path(FILE).write_bytes(text.encode())
    try:
        sessions[0].call("verify", FILE)
    except cute.Error:
        return False
    launch, why = launched(chosen), ""
    for session in sessions:
        passed = ctypes.byref(launch) if call == "simulate" else None
        why = said(session, call, passed, [])
        if several := KERNELS.search(why):
            launch.kernel = several[1].encode()
            why = said(session, call, passed, [])
        if required := REQUIRED.search(why):
            launch.block = tuple(map(int, required.groups()))
            why = said(session, call, passed, [])
        if why != FAILED:
            break
    takes = TAKES.search(why)
    if not takes:
        return was_run(why)
    size = chosen.choice([1, 8, 16, 32, 64, 64])
    arguments = [value(leaf.split(" ")[-1], size, chosen) for leaf in takes[1].split(", ")]
    return was_run(said(session, call, passed, arguments))


def main(library, call):
    sessions = [cute.Session(library, target=target, budget="200000") for target in TARGETS]
    for number, text in enumerate(sys.stdin.buffer.read().decode().split("\n// -----\n")):
        if run(sessions, call, text):
            print(f"module {number} was run", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
