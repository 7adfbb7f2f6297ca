"""``D = A B^T`` in bf16 on Blackwell by pairs of CTAs, for any shape, as ``cutec build gemm_sm100``.

A cluster has two pairs side by side. A pair multiplies a tile of 256 x 256: each CTA has 128 rows of A and of B, and the first one issues
the MMAs of both. The pairs have the same rows of A, so each CTA loads half of its rows for itself and for the other pair. Clusters walk
their tiles, and the MMAs of a tile go on while the one before is stored: tensor memory has accumulators for two.

Warp 0 loads, warp 1 multiplies, warp 2 allocates, and warps 4 to 7 store.
"""

import ml_dtypes
import numpy as np

from cute_mlir import kernels as ck

BM, BN, BK = 256, 256, 64
STAGES, COLUMNS = 4, 64
tile_A, tile_B = ck.TmaTile(ck.bf16, BM // 2, BK), ck.TmaTile(ck.bf16, BN // 2, BK)
tile_D = ck.TmaTile(ck.bf16, BM // 2, COLUMNS)


@ck.kernel(block=256, cluster=4)
def gemm(load_A: ck.Tma, load_B: ck.Tma, store_D: ck.Tma, tiles_m: ck.i32, tiles_n: ck.i32) -> None:
    warp, rank = ck.warp(), ck.cluster_block.x
    half, pair = rank % 2, rank // 2
    leader = pair * 2
    sA, sB, sD = tile_A.shared(STAGES), tile_B.shared(STAGES), tile_D.shared(2)
    ring = ck.UmmaRing(STAGES, ctas=2, blocks=0b1111)
    accumulators = ck.AccumulatorRing(2, ctas=2, blocks=ck.i32(0b11) << leader, leader=leader)
    tmem = ck.TensorMemory(2 * BN, ctas=2)
    if warp == 0:
        with ck.elected():
            ring.init(consumers=2)
            accumulators.init(consumers=2 * 128)
            ck.fence_barriers()
    ck.sync_cluster(publish=False)
    if warp == 2:
        tmem.allocate()
    ck.sync_tmem(cluster=True)
    mma = ck.umma((BM, BN, 16), (ck.bf16, ck.bf16, ck.f32), ctas=2)
    sums = tmem.fragment_C(mma, (BM, BN, 2))
    tiles = ck.PersistentTileScheduler((tiles_m, tiles_n), cluster=4)
    k_tiles = (ck.size(load_A.coords, 1) + BK - 1) // BK

    if warp == 0:
        state, work = ring.producer(), tiles.first()
        while work.is_valid:
            m, n = work.at
            rows_A = ck.local_tile(load_A.coords, (BM // 2, BK), (2 * m + half, None))
            rows_B = ck.local_tile(load_B.coords, (BN // 2, BK), (2 * (2 * n + pair) + half, None))
            A, B = ck.tma_partition(load_A, rows_A, sA, rank=pair, blocks=2), ck.tma_partition(load_B, rows_B, sB)
            for k in ck.range(k_tiles):
                full = ring.acquire(state)
                if half == 0:
                    with ck.elected():
                        full.expect(2 * (tile_A.bytes + tile_B.bytes))
                A.load(k, state.stage, full, mask=ck.i32(0b101) << half)
                B.load(k, state.stage, full)
                state = state.next()
            work = tiles.next(work)
        ring.drain(state)
    elif warp == 1 and half == 0:
        a, b = ck.descriptors_A(mma, sA), ck.descriptors_B(mma, sB)
        state, own, work = ring.consumer(), accumulators.producer(), tiles.first()
        while work.is_valid:
            accumulators.acquire(own)
            to = sums[None, None, None, own.stage]
            for k in ck.range(k_tiles):
                ring.wait(state)
                a_k, b_k = a[:, :, :, state.stage], b[:, :, :, state.stage]
                for block in range(BK // 16):
                    ck.gemm(mma, to, a_k[:, :, block], b_k[:, :, block], to, accumulate=block > 0 or k != 0)
                ring.release(state)
                state = state.next()
            accumulators.commit(own)
            own, work = own.next(), tiles.next(work)
        accumulators.drain(own)
    elif warp >= 4:
        t = ck.thread.x % 128
        parts = tmem.tensor(ck.f32, f"(128,{COLUMNS},{BN // COLUMNS},2):(65536,1,{COLUMNS},{BN})")
        take = ck.make_tmem_copy(ck.tmem_load(ck.f32, "32dp32b", COLUMNS), parts[:, :, 0, 0])
        taken = ck.partition_S(take, parts, t)
        put = ck.make_tiled_copy(ck.universal_copy(ck.bf16, 128), "128:1", f"(1,{COLUMNS}):(0,1)")
        rows = ck.partition_D(put, sD, t)
        stores = ck.StoreRing(2, threads=128, warp=4)
        own, work = accumulators.consumer(), tiles.first()
        while work.is_valid:
            m, n = work.at
            D = ck.tma_partition(store_D, ck.local_tile(store_D.coords, (BM // 2, COLUMNS), (2 * m + half, None)), sD)
            accumulators.wait(own)
            for part in range(BN // COLUMNS):
                rounded = ck.fragment_like(rows[:, :, :, 0])
                rounded.store(ck.load(take, taken[:, :, :, part, own.stage]).load().to(ck.bf16))
                if part == BN // COLUMNS - 1:
                    accumulators.release(own)
                with stores.stage(D, part, (2 * n + pair) * (BN // COLUMNS) + part) as stage:
                    ck.copy(put, rounded, rows[:, :, :, stage])
            own, work = own.next(), tiles.next(work)
        stores.tail()
    ck.sync_tmem(cluster=True)
    if warp == 2:
        tmem.free()


Matrix = "(?,?):(?{i64},1)"


@ck.host(target="sm_100a")
def multiply(
    A: ck.Tensor[ck.bf16, Matrix], B: ck.Tensor[ck.bf16, Matrix], D: ck.Tensor[ck.bf16, Matrix], clusters: ck.i32
) -> None:
    blocks = ck.zipped_divide(D, (BM, 2 * BN))
    tiles = ck.size(blocks, (1, 0)), ck.size(blocks, (1, 1))
    loads = ck.make_tma_load(A, tile_A, multicast=2, ctas=2), ck.make_tma_load(B, tile_B, ctas=2)
    gemm.launch(4 * clusters, *loads, ck.make_tma_store(D, tile_D), *tiles)


if __name__ == "__main__":
    random = np.random.default_rng(1)
    A, B = (random.integers(-4, 5, (rows, 136)).astype(ml_dtypes.bfloat16) for rows in (136, 520))
    D = np.zeros((136, 520), ml_dtypes.bfloat16)
    multiply(A, B, D, 1)
    assert (D == (A.astype(np.float32) @ B.astype(np.float32).T).astype(ml_dtypes.bfloat16)).all()
    print("the product is right")
