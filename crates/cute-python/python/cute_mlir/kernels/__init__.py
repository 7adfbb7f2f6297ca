"""Kernels in Python: CuTe's words, one path to the compiler and the simulator.

>>> from cute_mlir import kernels as ck
>>> @ck.kernel(block=256)
... def saxpy(a: ck.f32, x: ck.Tensor[ck.f32, "?:1"], y: ck.Tensor[ck.f32, "?:1"]) -> None:
...     i = ck.block.x * 256 + ck.thread.x
...     if i < ck.size(x):
...         y[i] = a * x[i] + y[i]

Each word calls the typed builder of the compiler, which infers types and checks rules at once, so that an error is at the
line of Python. docs/python_kernels.md explains the words, and the rules of loops and branches.
"""

from __future__ import annotations

from ._flow import range
from ._kernel import Host, Kernel, host, kernel
from ._machine import (
    Barrier,
    Barriers,
    arrive_threads,
    block,
    block_dim,
    cluster_block,
    cluster_dim,
    cp_async_commit,
    cp_async_wait,
    elect,
    elected,
    exp2,
    fence_async,
    fence_barriers,
    grid_dim,
    lane,
    log2,
    mbarriers,
    printf,
    reduce,
    registers,
    rsqrt,
    shuffle,
    shuffle_down,
    shuffle_up,
    shuffle_xor,
    sqrt,
    sync,
    sync_cluster,
    sync_threads,
    sync_warp,
    tanh,
    thread,
    warp,
    warpgroup,
    wgmma_commit,
    wgmma_fence,
    wgmma_wait,
)
from ._pipeline import Ring, State
from ._tma import Boxes, Tma, TmaTile, make_tma_load, make_tma_store, tma_commit, tma_partition, tma_wait
from ._trace import KernelError
from ._values import Tensor, Value, bf16, e4m3, e5m2, f16, f32, f64, i1, i8, i16, i32, i64
from ._words import (
    Atom,
    composition,
    copy,
    cp_async,
    descriptors_A,
    descriptors_B,
    elem_less,
    flat_divide,
    fma,
    fragment,
    fragment_A,
    fragment_B,
    fragment_C,
    fragment_like,
    gemm,
    group_modes,
    identity,
    inside,
    ldmatrix,
    load,
    local_partition,
    local_tile,
    logical_divide,
    make_layout,
    make_tensor,
    make_tiled_copy,
    make_tiled_copy_A,
    make_tiled_copy_B,
    make_tiled_copy_C,
    make_tiled_copy_tv,
    mma_sync,
    partition_A,
    partition_B,
    partition_C,
    partition_D,
    partition_S,
    retile,
    shared,
    size,
    stmatrix,
    tiled_divide,
    universal_copy,
    wgmma,
    zipped_divide,
)

__all__ = [name for name in dir() if not name.startswith("_") and name != "annotations"]
