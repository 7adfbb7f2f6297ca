"""CUB: a program of ours that tries its collectives."""

from programs import Repository, program

CUB = Repository("cub", "https://github.com/NVIDIA/cccl", "13.0.85", "Apache-2.0 with LLVM exceptions")

program(
    CUB,
    "collectives",
    ("cub.cu",),
    "sm_90a",
    "14 collectives of blocks and warps, on 512 integers",
    ": passed",
    times=14,
    ours=True,
)
