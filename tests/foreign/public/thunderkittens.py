"""ThunderKittens: its educational products, which grow from a loop to TMA, wgmma and tcgen05."""

import numpy as np
from launches import LAUNCHES, Finding, ProgramLaunch, ProgramSource, Repository, zeros

THUNDERKITTENS = Repository(
    "ThunderKittens",
    "https://github.com/HazyResearch/ThunderKittens",
    "0b55588d2769dde0c7a9a606ffc015b0ca7a9551",
    "MIT",
    include=("include", "prototype"),
)

FENCE = "forbidden by the ISA, and harmless as far as is known: one thread fences for the threads that have written"


def numbers(extent, step):
    """What the program fills matrices with."""
    return ((np.arange(extent * extent) * step % 17 - 8) / 8).reshape(extent, extent)


def product(folder, level, extent, what, kernel="kernel", tolerance=2**-7, findings=()):
    is_hopper = folder.endswith("h100")
    gpu, device, name = ("sm_90a", "h100", "KITTENS_SM90") if is_hopper else ("sm_100a", "b200", "KITTENS_SM100")
    flags = ("-O3", "--use_fast_math", "-DNDEBUG", f"-D{name}", f"-D{'KITTENS_HOPPER' if is_hopper else 'KITTENS_BLACKWELL'}")
    path = f"kernels/gemm/{folder}/level_{level:02}.cu"
    LAUNCHES.append(
        ProgramLaunch(
            ProgramSource(THUNDERKITTENS, "thunderkittens.cu", path, gpu, flags),
            kernel,
            extent,
            lambda _: {"C": numbers(extent, 7) @ numbers(extent, 5)},
            tolerance,
            device=device,
            arrays={"C": zeros("f32", extent, extent)},
            what=f"product of {extent} x {extent} x {extent}, {what}",
            findings=findings,
        )
    )


H100, B200 = "educational_h100", "educational_b200"
product(H100, 1, 64, "f32, an element per thread", tolerance=1e-5)
product(H100, 2, 64, "an element per thread")
product(H100, 3, 64, "tiles in shared memory")
product(H100, 4, 64, "mma.sync")
product(H100, 5, 128, "wgmma", findings=[Finding("proxy_order", "level_05.cu:46", FENCE, "portability")])
product(H100, 6, 192, "wgmma and TMA")
product(H100, 7, 192, "specialised warps")
product(
    H100, 8, 256, "two warpgroups of consumers", findings=[Finding("proxy_order", "level_08.cu:125", FENCE, "portability")]
)
product(B200, 1, 64, "f32, an element per thread", tolerance=1e-5)
product(B200, 2, 64, "an element per thread")
product(B200, 3, 64, "tiles in shared memory")
product(B200, 4, 64, "mma.sync")
product(
    B200,
    5,
    128,
    "tcgen05",
    "matmul_kernel",
    findings=[Finding("proxy_order", f"level_05.cu:{line}", FENCE, "portability") for line in (57, 58, 76)],
)
GENERIC = (
    "forbidden by the ISA, and what devices accept: `tcgen05.alloc` gets a generic address where it says `.shared::cta`, and "
    "`tcgen05.commit` an offset where it expects a generic address"
)
MISSED = (
    "bug: all warps wait for the tile that the TMA loads, but nothing keeps the next tile from arriving before a slow warp looks, which "
    "then waits for ever"
)
MISSED_BY_LANES = "true by the ISA: lanes of the warp that issues may miss the phase, too, unless they wait together"
EXITED = (
    "not stated by the ISA, and harmless on devices: columns are freed behind a barrier of the cluster that waits for warps to return "
    "which have read their own; a thread that returns publishes nothing"
)


def generic(level, *lines):
    return [Finding("tensor", f"level_{level:02}.cu:{line}", GENERIC, "portability") for line in lines]


def fence(level, line):
    return Finding("proxy_order", f"level_{level:02}.cu:{line}", FENCE, "portability")


product(
    B200,
    6,
    256,
    "tcgen05 and TMA",
    "matmul_kernel",
    findings=[
        *generic(6, 55, 77, 83),
        fence(6, 96),
        Finding("missed_phase", "level_06.cu:73", MISSED),
        Finding("missed_phase", "level_06.cu:73", MISSED_BY_LANES, "portability"),
        Finding("deadlock", "level_06.cu:73", MISSED),
    ],
)
product(B200, 7, 256, "specialised warps", "matmul_kernel", findings=[*generic(7, 60, 89, 92), fence(7, 106)])
product(B200, 8, 256, "two accumulators", "matmul_kernel", findings=[*generic(8, 59, 94, 99), fence(8, 120)])
product(
    B200,
    9,
    512,
    "pairs of blocks",
    "matmul_kernel",
    findings=[
        *generic(9, 60),
        Finding("proxy_order", "level_09.cu:142", FENCE, "portability"),
        Finding("tensor", "level_09.cu:137", EXITED, "portability"),
    ],
)
