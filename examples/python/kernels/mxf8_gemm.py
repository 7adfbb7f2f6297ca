"""``C = A B^T`` in e4m3 on Blackwell, with an ue8m0 for every 32 elements of K, as examples/blackwell/scale_factors.mlir.

Roles are those of gemm_sm100.py. Blocks of scale factors, 512 bytes for 128 rows and a K tile, come by bulk copies with the tiles of A and
B, go to tensor memory by tcgen05.cp, and lie there behind the accumulators.
"""

import ml_dtypes
import numpy as np

from cute_mlir import kernels as ck

TILE = BM, BN, BK = 128, 128, 128
STAGES, COLUMNS, BLOCK = 4, 32, 512
tile_A, tile_B = ck.TmaTile(ck.e4m3, BM, BK), ck.TmaTile(ck.e4m3, BN, BK)
tile_C = ck.TmaTile(ck.f32, BM, COLUMNS)


@ck.kernel(block=128)
def gemm(load_A: ck.Tma, load_B: ck.Tma, store_C: ck.Tma, SFA: ck.Value, SFB: ck.Value) -> None:
    warp, t, m, n = ck.warp(), ck.thread.x, ck.block.x, ck.block.y
    sA, sB, sC = tile_A.shared(STAGES), tile_B.shared(STAGES), tile_C.shared(BN // COLUMNS)
    sSFA, sSFB = (ck.shared(ck.ue8m0, (BLOCK, STAGES)) for _ in range(2))
    ring, done, tmem = ck.UmmaRing(STAGES), ck.mbarriers()[0], ck.TensorMemory(2 * BN)
    if warp == 0:
        with ck.elected():
            ring.init(consumers=1)
            done.init(1)
            ck.fence_barriers()
    if warp == 2:
        tmem.allocate()
    ck.sync_tmem()
    mma = ck.umma((BM, BN, 32), (ck.e4m3, ck.e4m3, ck.f32), scales=(ck.ue8m0, 32), tmem=tmem)
    sums = tmem.fragment_C(mma, (BM, BN))
    A = ck.tma_partition(load_A, ck.local_tile(load_A.coords, TILE, (m, n, None), proj=(1, None, 1)), sA)
    B = ck.tma_partition(load_B, ck.local_tile(load_B.coords, TILE, (m, n, None), proj=(None, 1, 1)), sB)
    k_tiles = ck.size(A.tensor, 1)
    if warp == 0:
        state = ring.producer()
        for k in ck.range(k_tiles):
            full = ring.acquire(state)
            with ck.elected():
                full.expect(tile_A.bytes + tile_B.bytes + 2 * BLOCK)
            A.load(k, state.stage, full)
            B.load(k, state.stage, full)
            ck.bulk_load(SFA[:, k, m], sSFA[:, state.stage], full)
            ck.bulk_load(SFB[:, k, n], sSFB[:, state.stage], full)
            state = state.next()
    if warp == 1:
        a, b = ck.descriptors_A(mma, sA), ck.descriptors_B(mma, sB)
        factors_A = ck.scale_factors_A(mma, sSFA, BK, tmem, column=BN)
        factors_B = ck.scale_factors_B(mma, sSFB, BK, tmem, column=BN + 4)
        state = ring.consumer()
        for k in ck.range(k_tiles):
            ring.wait(state)
            factors_A.copy(state.stage)
            factors_B.copy(state.stage)
            a_k, b_k = a[:, :, :, state.stage], b[:, :, :, state.stage]
            for block in range(BK // 32):
                scales = factors_A[block], factors_B[block]
                ck.gemm(mma, sums, a_k[:, :, block], b_k[:, :, block], sums, accumulate=block > 0 or k != 0, scales=scales)
            ring.release(state)
            state = state.next()
        done.umma_arrive()
    done.wait(0)
    ck.tcgen05_after_thread_sync()
    parts = tmem.tensor(ck.f32, f"({BM},{COLUMNS},{BN // COLUMNS}):(65536,1,{COLUMNS})")
    take = ck.make_tmem_copy(ck.tmem_load(ck.f32, "32dp32b", COLUMNS), parts[:, :, 0])
    taken = ck.partition_S(take, parts, t)
    put = ck.make_tiled_copy(ck.universal_copy(ck.f32, 128), f"{BM}:1", f"(1,{COLUMNS}):(0,1)")
    rows = ck.partition_D(put, sC, t)
    for part in range(BN // COLUMNS):
        ck.copy(put, ck.retile(put, ck.load(take, taken[:, :, :, part])), rows[:, :, :, part])
    ck.fence_async()
    ck.sync_tmem()
    if warp == 2:
        tmem.free()
    if warp == 0:
        C = ck.tma_partition(store_C, ck.local_tile(store_C.coords, (BM, COLUMNS), (m, None)), sC)
        for part in range(BN // COLUMNS):
            C.store(n * (BN // COLUMNS) + part, part)
        ck.tma_commit()
        ck.tma_wait()


Matrix, Factors = "(?,?):(?{i64},1)", "(512,?,?):(1,512,?{i64 div=512})"


@ck.host(target="sm_100a")
def multiply(
    A: ck.Tensor[ck.e4m3, Matrix], B: ck.Tensor[ck.e4m3, Matrix], SFA: ck.Tensor[ck.ue8m0, Factors], SFB: ck.Tensor[ck.ue8m0, Factors],
    C: ck.Tensor[ck.f32, Matrix],
) -> None:
    blocks = ck.zipped_divide(C, (BM, BN))
    grid = ck.size(blocks, (1, 0)), ck.size(blocks, (1, 1))
    gemm.launch(grid, ck.make_tma_load(A, tile_A), ck.make_tma_load(B, tile_B), ck.make_tma_store(C, tile_C), SFA, SFB)


if __name__ == "__main__":
    random = np.random.default_rng(1)
    m, n, k = 136, 72, 160

    def blocks_of(factors: "np.ndarray[tuple[int, ...], np.dtype[np.float32]]") -> "np.ndarray[tuple[int, ...], np.dtype[np.float32]]":
        """(rows, K / 32) as blocks: row i of 128 begins at byte 16 (i mod 32) + 4 (i / 32)."""
        rows, count = factors.shape
        padded = np.ones((-(-rows // 128) * 128, -(-count // 4) * 4), np.float32)
        padded[:rows, :count] = factors
        blocks = padded.reshape(-1, 4, 32, padded.shape[1] // 4, 4).transpose(0, 3, 2, 1, 4)
        return blocks.reshape(*blocks.shape[:2], 512).transpose(2, 1, 0)

    A, B = (random.integers(-4, 5, (rows, k)).astype(ml_dtypes.float8_e4m3fn) for rows in (m, n))
    scale_A, scale_B = (2.0 ** random.integers(-3, 4, (rows, k // 32)).astype(np.float32) for rows in (m, n))
    C = np.zeros((m, n), np.float32)
    multiply(A, B, *(blocks_of(s).astype(ml_dtypes.float8_e8m0fnu) for s in (scale_A, scale_B)), C)
    scaled_A, scaled_B = (x.astype(np.float32) * s.repeat(32, axis=1) for x, s in ((A, scale_A), (B, scale_B)))
    assert (C == scaled_A @ scaled_B.T).all()
    print("the product is right")
