"""``D = (A B^T) scale_A scale_B`` in e4m3 on Hopper, with a scale for each row of A and of B, for tiles of 128 x 128 x 128.

The tensor cores keep fewer bits than f32, so that the sums of each K tile are added to a total in f32. Roles are those of
gemm_sm90.py.
"""

import ml_dtypes
import numpy as np

from cute_mlir import kernels as ck

TILE = BM, BN, BK = 128, 128, 128
STAGES = 4
tile_A, tile_B = ck.TmaTile(ck.e4m3, BM, BK), ck.TmaTile(ck.e4m3, BN, BK)
Matrix, Vector = "(?,?):(?{i64},1)", "?{div=128}:1"


@ck.kernel(block=384)
def gemm(load_A: ck.Tma, load_B: ck.Tma, scale_A: ck.Value, scale_B: ck.Value, D: ck.Value) -> None:
    warp = ck.warp()
    sA, sB, ring = tile_A.shared(STAGES), tile_B.shared(STAGES), ck.Ring(STAGES)
    if warp == 0:
        with ck.elected():
            ring.init(consumers=2)
            ck.fence_barriers()
    ck.sync()
    m, n = ck.block.x, ck.block.y
    A = ck.tma_partition(load_A, ck.local_tile(load_A.coords, TILE, (m, n, None), proj=(1, None, 1)), sA)
    B = ck.tma_partition(load_B, ck.local_tile(load_B.coords, TILE, (m, n, None), proj=(None, 1, 1)), sB)
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
        mma = ck.wgmma((64, BN, 32), (ck.e4m3, ck.e4m3, ck.f32), atoms=(2, 1, 1))
        first, t = ck.warpgroup(warp // 4 - 1), ck.thread.x - 128
        a = ck.descriptors_A(mma, ck.partition_A(mma, sA, first))
        b = ck.descriptors_B(mma, ck.partition_B(mma, sB, first))
        sums, total = ck.fragment_C(mma, (BM, BN)), ck.fragment_C(mma, (BM, BN))
        total.fill(0)
        releases = t % 128 == 0
        state = ring.consumer()
        for _ in ck.range(k_tiles):
            ring.wait(state)
            ck.wgmma_fence()
            for block in range(BK // 32):
                part = (None, None, block, state.stage)
                ck.gemm(mma, sums, a[part], b[part], sums, accumulate=block > 0)
            ck.wgmma_commit()
            ck.wgmma_wait(0)
            if releases:
                ring.release(state)
            total.store(total.load() + sums.load())
            state = state.next()

        # The scales as matrices that repeat a row or a column.
        def own(view: ck.Value) -> ck.Value:
            return ck.partition_C(mma, view, t)

        rows = own(ck.make_tensor(ck.local_tile(scale_A, BM, m).iterator, f"({BM},{BN}):(1,0)"))
        columns = own(ck.make_tensor(ck.local_tile(scale_B, BN, n).iterator, f"({BM},{BN}):(0,1)"))
        result = ck.fragment_like(total)
        result.store(total.load() * rows.load() * columns.load())
        to = own(ck.local_tile(D, (BM, BN), (m, n)))
        ck.copy(ck.universal_copy(ck.f32, 64), result, to)


@ck.host(target="sm_90a")
def multiply(
    A: ck.Tensor[ck.e4m3, Matrix], B: ck.Tensor[ck.e4m3, Matrix], scale_A: ck.Tensor[ck.f32, Vector], scale_B: ck.Tensor[ck.f32, Vector],
    D: ck.Tensor[ck.f32, "(?{div=128},?{div=128}):(?{i64 div=128},1)"],
) -> None:
    blocks = ck.zipped_divide(D, (BM, BN))
    grid = ck.size(blocks, (1, 0)), ck.size(blocks, (1, 1))
    gemm.launch(grid, ck.make_tma_load(A, tile_A), ck.make_tma_load(B, tile_B), scale_A, scale_B, D)


if __name__ == "__main__":
    random = np.random.default_rng(1)
    m, n, k = 128, 128, 320
    A, B = (random.integers(-4, 5, (rows, k)).astype(ml_dtypes.float8_e4m3fn) for rows in (m, n))
    scale_A, scale_B = (2.0 ** random.integers(-2, 3, rows).astype(np.float32) for rows in (m, n))
    D = np.zeros((m, n), np.float32)
    multiply(A, B, scale_A, scale_B, D)
    assert (D == A.astype(np.float32) @ B.astype(np.float32).T * scale_A[:, None] * scale_B).all()
    print("the product is right")
