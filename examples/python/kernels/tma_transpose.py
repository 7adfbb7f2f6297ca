"""``B = A^T`` of f16 by the TMA: a block loads a tile of 64 x 64, transposes it in shared memory, and stores it, as
examples/tma/transpose.mlir."""

import numpy as np

from cute_mlir import kernels as ck

tile = ck.TmaTile(ck.f16, 64, 64)
Matrix = ck.Tensor[ck.f16, "(?,?):(?{i64},1)"]


@ck.kernel(block=128)
def turned(load: ck.Tma, store: ck.Tma) -> None:
    t, warp, m, n = ck.thread.x, ck.warp(), ck.block.x, ck.block.y
    sA, sB, full = tile.shared(), tile.shared(), ck.mbarriers()[0]
    if warp == 0:
        with ck.elected():
            full.init(1)
            ck.fence_barriers()
        load.prefetch()
    ck.sync()
    if warp == 0:
        with ck.elected():
            full.expect(tile.bytes)
        ck.tma_partition(load, ck.local_tile(load.coords, (64, 64), (m, n)), sA).load(None, None, full)
    full.wait(0)

    # Columns of A become rows of B: 8 threads side by side, 16 such rows of threads.
    def access(bits: int) -> ck.Value:
        return ck.make_tiled_copy(ck.universal_copy(ck.f16, bits), "(16,8):(8,1)", "(4,8):(8,1)")

    gather, scatter = access(16), access(128)
    columns = ck.partition_S(gather, ck.make_tensor(sA.iterator, "(64,64):(1,64)"), t)
    ck.copy(scatter, ck.load(gather, columns), ck.partition_D(scatter, sB, t))
    ck.fence_async()
    ck.sync()
    if warp == 0:
        ck.tma_partition(store, ck.local_tile(store.coords, (64, 64), (n, m)), sB).store()
        ck.tma_commit()
        ck.tma_wait()


@ck.host(target="sm_90a")
def transpose(A: Matrix, B: Matrix) -> None:
    tiles = ck.zipped_divide(A, (64, 64))
    turned.launch((ck.size(tiles, (1, 0)), ck.size(tiles, (1, 1))), ck.make_tma_load(A, tile), ck.make_tma_store(B, tile))


if __name__ == "__main__":
    A = np.random.default_rng(1).standard_normal((72, 136)).astype(np.float16)
    B = np.zeros((136, 72), np.float16)
    transpose(A, B)
    assert (B == A.T).all()
    print("the transpose is right")
