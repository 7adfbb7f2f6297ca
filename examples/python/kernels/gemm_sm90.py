"""``D = A B^T`` in bf16 on Hopper, for any shape: the TMA loads into a ring of stages, two warpgroups multiply by wgmma, and the
TMA stores, as examples/hopper/warp_roles.mlir.

384 threads make a tile of 128 x 128. One warp of warpgroup 0 runs ahead with the TMA. Warpgroups 1 and 2 have 64 rows of the
tile each; they release a stage once its MMAs have completed and the next stage's have been issued.
"""

import ml_dtypes
import numpy as np

from cute_mlir import kernels as ck

TILE = BM, BN, BK = 128, 128, 64
STAGES = 4
tile_A = ck.TmaTile(ck.bf16, BM, BK)
tile_B = ck.TmaTile(ck.bf16, BN, BK)
tile_D = ck.TmaTile(ck.bf16, BM, BN)


@ck.kernel(block=384)
def gemm(load_A: ck.Tma, load_B: ck.Tma, store_D: ck.Tma) -> None:
    warp = ck.warp()
    sA, sB, sD = tile_A.shared(STAGES), tile_B.shared(STAGES), tile_D.shared()
    ring = ck.Ring(STAGES)
    if warp == 0:
        with ck.elected():
            ring.init(consumers=2)
            ck.fence_barriers()
        load_A.prefetch()
        load_B.prefetch()
    ck.sync()

    at = (ck.block.x, ck.block.y, None)
    A = ck.tma_partition(load_A, ck.local_tile(load_A.coords, TILE, at, proj=(1, None, 1)), sA)
    B = ck.tma_partition(load_B, ck.local_tile(load_B.coords, TILE, at, proj=(None, 1, 1)), sB)
    k_tiles = ck.size(A.tensor, 1)
    if warp < 4:
        ck.registers(40)
        if warp == 0:
            state = ring.producer()
            for k in ck.range(k_tiles):
                ring.load(state, k, A, B)
                state = state.next()
    else:
        ck.registers(232)
        mma = ck.wgmma((64, BN, 16), (ck.bf16, ck.bf16, ck.f32), atoms=(2, 1, 1))
        first = ck.warpgroup(warp // 4 - 1)
        a = ck.descriptors_A(mma, ck.partition_A(mma, sA, first))
        b = ck.descriptors_B(mma, ck.partition_B(mma, sB, first))
        sums = ck.fragment_C(mma, (BM, BN))
        releases = ck.thread.x % 128 == 0
        state = before = ring.consumer()
        for k in ck.range(k_tiles):
            ring.wait(state)
            ck.wgmma_fence()
            for block in range(BK // 16):
                part = (None, None, block, state.stage)
                ck.gemm(mma, sums, a[part], b[part], sums, accumulate=block > 0 or k != 0)
            ck.wgmma_commit()
            ck.wgmma_wait(1)
            if releases and k != 0:
                ring.release(before)
            before, state = state, state.next()
        ck.wgmma_wait(0)

        rounded = ck.fragment(ck.bf16, sums.layout)
        rounded.store(sums.load().to(ck.bf16))
        store = ck.make_tiled_copy_C(ck.stmatrix(ck.bf16), mma)
        ck.copy(store, ck.retile(store, rounded), ck.partition_D(store, sD, ck.thread.x - 128))
        ck.fence_async()
        ck.sync_threads(1, 256)
        if warp == 4:
            ck.tma_partition(store_D, ck.local_tile(store_D.coords, TILE, at, proj=(1, 1, None)), sD).store()
            ck.tma_commit()
            ck.tma_wait()


Matrix = "(?,?):(?{i64},1)"


@ck.host(target="sm_90a")
def multiply(A: ck.Tensor[ck.bf16, Matrix], B: ck.Tensor[ck.bf16, Matrix], D: ck.Tensor[ck.bf16, Matrix]) -> None:
    blocks = ck.zipped_divide(D, (BM, BN))
    grid = ck.size(blocks, (1, 0)), ck.size(blocks, (1, 1))
    gemm.launch(grid, ck.make_tma_load(A, tile_A), ck.make_tma_load(B, tile_B), ck.make_tma_store(D, tile_D))


def matrix(rows: int, columns: int) -> "np.ndarray[tuple[int, ...], np.dtype[np.float32]]":
    return np.random.default_rng(rows).integers(-4, 5, (rows, columns)).astype(np.float32)


if __name__ == "__main__":
    A, B = matrix(136, 328), matrix(200, 328)
    D = np.zeros((136, 200), ml_dtypes.bfloat16)
    multiply(A.astype(ml_dtypes.bfloat16), B.astype(ml_dtypes.bfloat16), D)
    assert (D == (A @ B.T).astype(ml_dtypes.bfloat16)).all()
    print("the product is right")
