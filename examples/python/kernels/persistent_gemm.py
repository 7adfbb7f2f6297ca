"""``C = A B^T`` of f16 on Hopper by persistent clusters of two blocks, for any shape, as examples/hopper/persistent_cluster.mlir.

The blocks of a cluster have neighbouring tiles of 64 x 128, which need the same tile of B: each loads one half of it for both, so that a
stage is empty when both have released it. The producer does not stop between tiles. Accumulators go to C by 32 columns, through two
stages from which the TMA stores.
"""

import numpy as np

from cute_mlir import kernels as ck

TILE = BM, BN, BK = 64, 128, 64
STAGES = 4
tile_A, tile_B, tile_C = ck.TmaTile(ck.f16, BM, BK), ck.TmaTile(ck.f16, BN, BK), ck.TmaTile(ck.f32, BM, 32)
Half = ck.Tensor[ck.f16, "(?,?):(?{i64},1)"]


@ck.kernel(block=256, cluster=2)
def gemm(load_A: ck.Tma, load_B: ck.Tma, store_C: ck.Tma, tiles_m: ck.Value, tiles_n: ck.Value) -> None:
    warp, rank = ck.warp(), ck.cluster_block.x
    sA, sB, sC = tile_A.shared(STAGES), tile_B.shared(STAGES), tile_C.shared(2)
    ring, tiles = ck.Ring(STAGES), ck.PersistentTileScheduler((tiles_m, tiles_n), cluster=2)
    if warp == 0:
        with ck.elected():
            ring.init(consumers=2)
            ck.fence_barriers()
    ck.sync_cluster()
    k_tiles = (ck.size(load_A.coords, 1) + BK - 1) // BK
    work = tiles.first()
    if warp < 4:
        ck.registers(40)
        if warp == 0:
            state = ring.producer()
            while work.is_valid:
                m, n = work.at
                at = (m * 2 + rank, n, None)
                A = ck.tma_partition(load_A, ck.local_tile(load_A.coords, TILE, at, proj=(1, None, 1)), sA)
                B = ck.tma_partition(load_B, ck.local_tile(load_B.coords, TILE, at, proj=(None, 1, 1)), sB, rank, 2)
                for k in ck.range(k_tiles):
                    full = ring.acquire(state)
                    with ck.elected():
                        full.expect(tile_A.bytes + tile_B.bytes)
                    A.load(k, state.stage, full)
                    B.load(k, state.stage, full, mask=ck.i16(3))
                    state = state.next()
                work = tiles.next(work)
    else:
        ck.registers(232)
        t = ck.thread.x - 128
        mma, narrow = (ck.wgmma((BM, columns, 16), (ck.f16, ck.f16, ck.f32)) for columns in (BN, 32))
        a = ck.descriptors_A(mma, ck.partition_A(mma, sA, t))
        b = ck.descriptors_B(mma, ck.partition_B(mma, sB, t))
        sums, stores = ck.fragment_C(mma, (BM, BN)), ck.StoreRing(2, threads=128, warp=4)
        columns = ck.make_tensor(sums.iterator, "(16,1,1,4):(1,0,0,16)")
        state = before = ring.consumer()
        while work.is_valid:
            for k in ck.range(k_tiles):
                ring.wait(state)
                ck.wgmma_fence()
                for block in range(BK // 16):
                    at_k = (None, None, block, state.stage)
                    ck.gemm(mma, sums, a[at_k], b[at_k], sums, accumulate=block > 0 or k != 0)
                ck.wgmma_commit()
                ck.wgmma_wait(1)
                if t < 2 and k != 0:
                    ring.release(before, t)
                before, state = state, state.next()
            ck.wgmma_wait(0)
            if t < 2:
                ring.release(before, t)
            m, n = work.at
            boxes = ck.tma_partition(store_C, ck.local_tile(store_C.coords, (BM, 32), (m * 2 + rank, None)), sC)
            for part in range(4):
                with stores.stage(boxes, part, tile=n * 4 + part) as stage:
                    to = ck.partition_C(narrow, sC[:, :, stage], t)
                    ck.copy(ck.universal_copy(ck.f32, 64), columns[:, :, :, part], to)
            work = tiles.next(work)
        stores.tail()
    # No block ends while the other loads into it, or releases a stage of it.
    ck.sync_cluster()


@ck.host(target="sm_90a")
def multiply(A: Half, B: Half, C: ck.Tensor[ck.f32, "(?,?):(?{i64},1)"], clusters: ck.i32) -> None:
    tiles = ck.zipped_divide(C, (2 * BM, BN))
    loads = ck.make_tma_load(A, tile_A), ck.make_tma_load(B, tile_B, multicast=2)
    gemm.launch(clusters * 2, *loads, ck.make_tma_store(C, tile_C), ck.size(tiles, (1, 0)), ck.size(tiles, (1, 1)))


if __name__ == "__main__":
    random = np.random.default_rng(1)
    A, B = (random.integers(-4, 5, (n, 136)).astype(np.float16) for n in (136, 200))
    C = np.zeros((136, 200), np.float32)
    multiply(A, B, C, 2)
    assert (C == A.astype(np.float32) @ B.astype(np.float32).T).all()
    print("the product is right")
