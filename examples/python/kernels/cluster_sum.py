"""Sums of rows, each by a cluster of 4 blocks that read one another's shared memory, as examples/hopper/cluster_sum.mlir."""

import numpy as np

from cute_mlir import kernels as ck


@ck.kernel(block=128, cluster=4)
def sums(X: ck.Tensor[ck.f32, "(?,?):(?{i64},1)"], S: ck.Tensor[ck.f32, "?:1"]) -> None:
    thread, warp, rank, row = ck.thread.x, ck.warp(), ck.cluster_block.x, ck.block.y
    warps, own = ck.shared(ck.f32, "4:1"), ck.shared(ck.f32, "1:1")
    total: ck.Value = ck.f32(0.0)
    for j in ck.range(rank * 128 + thread, ck.size(X, 1), 512):
        total += X[row, j]
    total = ck.warp_sum(total)
    if ck.lane() == 0:
        warps[warp] = total
    ck.sync()
    if thread == 0:
        own[0] = ck.reduce(ck.load(ck.universal_copy(ck.f32, 128), warps).load())
    ck.sync_cluster()
    if rank == 0 and thread == 0:
        of_row: ck.Value = ck.f32(0.0)
        for block in ck.range(4):
            of_row += ck.map_shared_rank(own, block)[0]
        S[row] = of_row
    # No block ends while its shared memory may still be read.
    ck.sync_cluster()


if __name__ == "__main__":
    X = np.random.default_rng(1).integers(-4, 5, (2, 700)).astype(np.float32)
    S = np.zeros(2, np.float32)
    sums(X, S, grid=(4, 2))
    assert (S == X.sum(1)).all()
    print("the sums are right")
