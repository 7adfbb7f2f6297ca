"""``C = A B^T`` in f16 on Blackwell, for any shape, by one CTA per tile, as examples/blackwell/umma.mlir.

128 threads make a tile of 128 x 128. Warp 0 runs ahead with the TMA, warp 1 issues the MMAs, whose accumulators lie in tensor memory,
and warp 2 has allocated it. When the MMAs are complete, each thread loads a row of the accumulators, 32 columns at a time.
"""

import numpy as np

from cute_mlir import kernels as ck

TILE = BM, BN, BK = 128, 128, 64
STAGES, COLUMNS = 4, 32
tile_A, tile_B = ck.TmaTile(ck.f16, BM, BK), ck.TmaTile(ck.f16, BN, BK)
tile_C = ck.TmaTile(ck.f32, BM, COLUMNS)


@ck.kernel(block=128)
def gemm(load_A: ck.Tma, load_B: ck.Tma, store_C: ck.Tma) -> None:
    warp, t = ck.warp(), ck.thread.x
    sA, sB, sC = tile_A.shared(STAGES), tile_B.shared(STAGES), tile_C.shared(BN // COLUMNS)
    ring, done, tmem = ck.UmmaRing(STAGES), ck.mbarriers()[0], ck.TensorMemory(BN)
    if warp == 0:
        with ck.elected():
            ring.init(consumers=1)
            done.init(1)
            ck.fence_barriers()
    if warp == 2:
        tmem.allocate()
    ck.sync_tmem()
    mma = ck.umma((BM, BN, 16), (ck.f16, ck.f16, ck.f32))
    sums = tmem.fragment_C(mma, (BM, BN))
    at = (ck.block.x, ck.block.y, None)
    A = ck.tma_partition(load_A, ck.local_tile(load_A.coords, TILE, at, proj=(1, None, 1)), sA)
    B = ck.tma_partition(load_B, ck.local_tile(load_B.coords, TILE, at, proj=(None, 1, 1)), sB)
    k_tiles = ck.size(A.tensor, 1)
    if warp == 0:
        state = ring.producer()
        for k in ck.range(k_tiles):
            ring.load(state, k, A, B)
            state = state.next()
    if warp == 1:
        a, b = ck.descriptors_A(mma, sA), ck.descriptors_B(mma, sB)
        state = ring.consumer()
        for k in ck.range(k_tiles):
            ring.wait(state)
            a_k, b_k = a[:, :, :, state.stage], b[:, :, :, state.stage]
            for block in range(BK // 16):
                ck.gemm(mma, sums, a_k[:, :, block], b_k[:, :, block], sums, accumulate=block > 0 or k != 0)
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
        row = ck.load(take, taken[:, :, :, part])
        ck.copy(put, ck.retile(put, row), rows[:, :, :, part])
    ck.fence_async()
    ck.sync_tmem()
    if warp == 2:
        tmem.free()
    if warp == 0:
        C = ck.tma_partition(store_C, ck.local_tile(store_C.coords, (BM, COLUMNS), (ck.block.x, None)), sC)
        for part in range(BN // COLUMNS):
            C.store(ck.block.y * (BN // COLUMNS) + part, part)
        ck.tma_commit()
        ck.tma_wait()


Matrix = "(?,?):(?{i64},1)"


@ck.host(target="sm_100a")
def multiply(A: ck.Tensor[ck.f16, Matrix], B: ck.Tensor[ck.f16, Matrix], C: ck.Tensor[ck.f32, Matrix]) -> None:
    blocks = ck.zipped_divide(C, (BM, BN))
    grid = ck.size(blocks, (1, 0)), ck.size(blocks, (1, 1))
    gemm.launch(grid, ck.make_tma_load(A, tile_A), ck.make_tma_load(B, tile_B), ck.make_tma_store(C, tile_C))


if __name__ == "__main__":
    random = np.random.default_rng(1)
    A, B = (random.integers(-4, 5, (rows, 328)).astype(np.float16) for rows in (136, 200))
    C = np.zeros((136, 200), np.float32)
    multiply(A, B, C)
    assert (C == A.astype(np.float32) @ B.astype(np.float32).T).all()
    print("the product is right")
