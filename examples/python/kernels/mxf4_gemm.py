"""``C = A B^T`` in e2m1 on GeForce Blackwell, with an ue8m0 for every 32 elements of K, by mma.sync. Factors are row-major.

Four warps multiply a tile of 64 x 64, with 16 rows each, and a fifth one loads A and B by the TMA. Elements of 4 bits are packed, also in
shared memory, and ldmatrix moves them in units of 16 bits. A thread loads the factors of its rows and columns from global memory: a word is
four factors, those of a K tile of 128.
"""

import ml_dtypes
import numpy as np

from cute_mlir import kernels as ck

TILE = BM, BN, BK = 64, 64, 128
STAGES = 4
tile = ck.TmaTile(ck.e2m1, 64, BK)


@ck.kernel(block=160)
def gemm(load_A: ck.Tma, load_B: ck.Tma, SFA: ck.Value, SFB: ck.Value, C: ck.Value) -> None:
    warp, t, at = ck.warp(), ck.thread.x, (ck.block.x, ck.block.y, None)
    sA, sB, ring = tile.shared(STAGES), tile.shared(STAGES), ck.Ring(STAGES)
    if warp == 0:
        with ck.elected():
            ring.init(consumers=4)
            ck.fence_barriers()
    ck.sync()
    A = ck.tma_partition(load_A, ck.local_tile(load_A.coords, TILE, at, proj=(1, None, 1)), sA)
    B = ck.tma_partition(load_B, ck.local_tile(load_B.coords, TILE, at, proj=(None, 1, 1)), sB)
    k_tiles = ck.size(A.tensor, 1)
    if warp == 4:
        state = ring.producer()
        for k in ck.range(k_tiles):
            ring.load(state, k, A, B)
            state = state.next()
    else:
        mma = ck.mma_sync((16, 8, 64), (ck.e2m1, ck.e2m1, ck.f32), (4, 1, 1), (64, 16, 64), scales=(ck.ue8m0, 32))
        a, b, sums = ck.fragment_A(mma, (BM, BK)), ck.fragment_B(mma, (BN, BK)), ck.fragment_C(mma, (BM, BN))
        take_A, take_B = ck.make_tiled_copy_A(ck.ldmatrix(ck.e2m1), mma), ck.make_tiled_copy_B(ck.ldmatrix(ck.e2m1), mma)
        from_A, from_B = ck.partition_S(take_A, sA, t), ck.partition_S(take_B, sB, t)
        to_A, to_B = ck.retile(take_A, a), ck.retile(take_B, b)

        rows_A, rows_B = ck.local_tile(SFA, (BM, 4), (at[0], None)), ck.local_tile(SFB, (BN, 4), (at[1], None))

        def load_factors(part: ck.Value, own: ck.Value) -> ck.Value:
            """Loads a word for each row: its factors of all MMAs along K."""
            for row in range(ck.size(own, 1)):
                source, to = (ck.group_modes(of[(0, None), row, None], 0, 2) for of in (part, own))
                ck.copy(ck.universal_copy(ck.ue8m0, 32), source, to)
            return own

        sums.fill(0)
        state = ring.consumer()
        for k in ck.range(k_tiles):
            # Over the coordinates of the elements, of which 32 share a factor.
            of_A, of_B = (ck.composition(rows[:, :, k], "(64,(32,4)):(1,(0,64))") for rows in (rows_A, rows_B))
            of_A, of_B = ck.partition_SFA(mma, of_A, t), ck.partition_SFB(mma, of_B, t)
            factors_A = load_factors(of_A, ck.fragment_SFA(mma, of_A))
            factors_B = load_factors(of_B, ck.fragment_SFB(mma, of_B))
            ring.wait(state)
            ck.copy(take_A, from_A[:, :, :, state.stage], to_A)
            ck.copy(take_B, from_B[:, :, :, state.stage], to_B)
            for block in range(BK // 64):
                scales = factors_A[:, :, block], factors_B[:, :, block]
                ck.gemm(mma, sums, a[:, :, block], b[:, :, block], sums, scales=scales)
            ck.sync_warp()
            with ck.elected():
                ring.release(state)
            state = state.next()
        ck.copy(ck.universal_copy(ck.f32, 64), sums, ck.partition_C(mma, ck.local_tile(C, (BM, BN), at[:2]), t))


Matrix, Factors = "(?{div=64},?{div=128}):(?{i64 div=64},1)", "(?{div=64},?{div=4}):(?{i64 div=4},1)"


@ck.host(target="sm_120a")
def multiply(
    A: ck.Tensor[ck.e2m1, Matrix], B: ck.Tensor[ck.e2m1, Matrix], SFA: ck.Tensor[ck.ue8m0, Factors], SFB: ck.Tensor[ck.ue8m0, Factors],
    C: ck.Tensor[ck.f32, "(?{div=64},?{div=64}):(?{i64 div=64},1)"],
) -> None:
    blocks = ck.zipped_divide(C, (BM, BN))
    grid = ck.size(blocks, (1, 0)), ck.size(blocks, (1, 1))
    gemm.launch(grid, ck.make_tma_load(A, tile), ck.make_tma_load(B, tile), SFA, SFB, C)


if __name__ == "__main__":
    random = np.random.default_rng(1)
    m, n, k = 64, 128, 256
    A, B = (random.integers(-4, 5, (rows, k)).astype(ml_dtypes.float4_e2m1fn) for rows in (m, n))
    SFA, SFB = (2.0 ** random.integers(-3, 4, (rows, k // 32)).astype(np.float32) for rows in (m, n))
    C = np.zeros((m, n), np.float32)
    multiply(A, B, SFA.astype(ml_dtypes.float8_e8m0fnu), SFB.astype(ml_dtypes.float8_e8m0fnu), C)
    scaled_A, scaled_B = (x.astype(np.float32) * s.repeat(32, axis=1) for x, s in ((A, SFA), (B, SFB)))
    assert (C == scaled_A @ scaled_B.T).all()
    print("the product is right")
