"""``Y = softmax(X)`` along rows of f32, a row by a cluster of 4 blocks that push their maxima and sums into each other's shared memory, as
examples/hopper/cluster_push.mlir.

Thread p of a block pushes to block p and arrives at its barrier. When a block has waited for 4 arrivals, nobody touches its memory any
more, so that it may end.
"""

import numpy as np

from cute_mlir import kernels as ck

BLOCKS, THREADS = 4, 128
LOG2E = 1.44269504
Matrix = ck.Tensor[ck.f32, "(?,?):(?{i64},1)"]


def exponential(x: ck.Value) -> ck.Value:
    return ck.exp2(x * LOG2E, fast=True)


@ck.kernel(block=THREADS, cluster=BLOCKS)
def softmax(X: Matrix, Y: Matrix) -> None:
    thread, warp, rank, row = ck.thread.x, ck.warp(), ck.cluster_block.x, ck.block.y
    maxima, sums = ck.shared(ck.f32, "4:1"), ck.shared(ck.f32, "4:1")
    slots, full = ck.shared(ck.f32, f"(2,{BLOCKS}):(1,2)"), ck.mbarriers()[0]
    if thread == 0:
        full.init(BLOCKS)
        ck.fence_barriers()
    ck.arrive_cluster(publish=False)

    columns = ck.range(rank * THREADS + thread, ck.size(X, 1), BLOCKS * THREADS)
    top: ck.Value = ck.f32(float("-inf"))
    for j in columns:
        top = ck.maximum(top, X[row, j])
    top = ck.warp_max(top)
    if ck.lane() == 0:
        maxima[warp] = top
    ck.sync()
    top = ck.reduce(ck.load(ck.universal_copy(ck.f32), maxima).load(), "max")

    # A block without columns has the maximum -inf and the sum 0.
    total: ck.Value = ck.f32(0.0)
    for j in columns:
        total += exponential(X[row, j] - top)
    total = ck.warp_sum(total)
    if ck.lane() == 0:
        sums[warp] = total
    ck.sync()
    ck.wait_cluster()
    if thread < BLOCKS:
        there = ck.map_shared_rank(slots, thread)
        there[None, rank] = ck.vector(top, ck.reduce(ck.load(ck.universal_copy(ck.f32), sums).load()))
        full.arrive(thread, scope="cluster")
    full.wait(0, scope="cluster")
    of_row = slots[0, 0]
    for block in range(1, BLOCKS):
        of_row = ck.maximum(of_row, slots[0, block])
    total = sum((slots[1, block] * exponential(slots[0, block] - of_row) for block in range(BLOCKS)), ck.f32(0.0))
    for j in columns:
        Y[row, j] = exponential(X[row, j] - of_row) * (1.0 / total)


if __name__ == "__main__":
    X = np.random.default_rng(1).standard_normal((2, 700)).astype(np.float32)
    Y = np.zeros_like(X)
    softmax(X, Y, grid=(BLOCKS, 2))
    exact = np.exp(X.astype(np.float64))
    assert np.allclose(Y, exact / exact.sum(1, keepdims=True), atol=1e-6)
    print("the softmax is right")
