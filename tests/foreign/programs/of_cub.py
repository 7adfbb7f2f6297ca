"""CUB: a program of ours that tries its collectives."""

from programs import Finding, Repository, program

CUB = Repository("cub", "https://github.com/NVIDIA/cccl", "13.0.85", "Apache-2.0 with LLVM exceptions")

BEHIND = "true, and harmless: the merge also reads the element behind a run, which nothing has written, and does not use it"
program(
    CUB,
    "collectives",
    ("cub.cu",),
    "sm_90a",
    "14 collectives of blocks and warps, on 512 integers",
    ": passed",
    times=14,
    ours=True,
    findings=tuple(Finding("uninitialised", f"block_merge_sort.cuh:{line}", BEHIND) for line in (98, 108)),
)
