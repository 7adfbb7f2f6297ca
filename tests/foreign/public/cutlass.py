"""CUTLASS: its example 48, whose parameters are given by hand."""

import struct

import numpy as np
from launches import Finding, Repository, Source, launch, random, zeros

CUTLASS = Repository(
    "cutlass",
    "https://github.com/NVIDIA/cutlass",
    "7107b05535f8977f5ecb9d01ee203205b1fd9bc4",
    "BSD-3-Clause",
    include=("include", "tools/util/include", "examples/common"),
)

EXAMPLE = "48_hopper_warp_specialized_gemm"
SOURCE = Source(CUTLASS, f"examples/{EXAMPLE}/{EXAMPLE}.cu", "sm_90a")

M, N, K = 512, 256, 128

# The fields of `GemmKernel::Params` that the kernel reads, by their bytes, for clusters of 4 x 2 tiles of 128 x 128: the extents,
# the bytes of a stage, alpha and beta, the strides of C and D, the number of SMs, and the divisors of the tile scheduler.
WORDS = {4: M, 8: N, 12: K, 640: 32768, 816: M, 840: M, 860: 132, 896: 2, 904: 1, 912: 4, 920: 2, 928: 8, 944: 3, 952: 1}
WORDS |= {976: 8, 988: 1, 992: 1, 996: 1, 1000: 1, 1004: 4, 1008: 2}
FLOATS = {768: 1.25, 772: 0.5}
# The tensor maps that the host encodes, and the pointers to C and D.
MAPS = {
    128: f"tensor_map(A,shape={K}x{M}x1,strides={4 * K}x0,box=32x64x1,swizzle=128B,element=tf32,promotion=128B)",
    384: f"tensor_map(B,shape={K}x{N}x1,strides={4 * K}x0,box=32x32x1,swizzle=128B,element=tf32,promotion=128B)",
}
POINTERS = {808: "&C", 832: "&D"}


def params():
    """The structure, as an argument of `cutec run`."""
    data = bytearray(1024)
    for values, form in ((WORDS, "<I"), (FLOATS, "<f")):
        for at, value in values.items():
            struct.pack_into(form, data, at, value)
    fields = ",".join(f"{at}:{text}" for at, text in (MAPS | POINTERS).items())
    return f"bytes(0x{data.hex()}){{{fields}}}"


def scaled(a):
    """C and D are column-major, so that their arrays have a row for each column."""
    return {"D": 1.25 * (a.B.astype(np.float64) @ a.A.astype(np.float64).T) + 0.5 * a.C}


launch(
    SOURCE,
    "device_kernel",
    {"params": params()},
    scaled,
    2**-7,
    arrays={
        "A": random("f32", M, K, seed=1),
        "B": random("f32", N, K, seed=2),
        "C": random("f32", N, M, seed=3),
        "D": zeros("f32", N, M),
    },
    what=f"product of {M} x {N} x {K} in tf32 plus a matrix, multicast in clusters of eight",
    grid=(4, 2),
    block=384,
    cluster="4,2",
    shared=229760,
    findings=[
        Finding(
            "elected_lane",
            "barrier.h:426",
            "forbidden by the ISA, and harmless on devices: only lane 0 of a warp arrives, inside of an `elect.sync`, and that is the "
            "lane which devices elect",
            grade="portability",
        )
    ],
)
