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
product(B200, 5, 128, "tcgen05", "matmul_kernel")
product(B200, 6, 256, "tcgen05 and TMA", "matmul_kernel")
product(B200, 7, 256, "specialised warps", "matmul_kernel")
product(B200, 8, 256, "two accumulators", "matmul_kernel")
product(B200, 9, 512, "pairs of blocks", "matmul_kernel")
