"""``C = A B^T`` of f16 by wgmma from one stage, in which nothing overlaps, for any shape, as examples/hopper/wgmma.mlir."""

import numpy as np

from cute_mlir import kernels as ck

TILE = BM, BN, BK = 64, 128, 64
tile_A, tile_B, tile_C = ck.TmaTile(ck.f16, BM, BK), ck.TmaTile(ck.f16, BN, BK), ck.TmaTile(ck.f32, BM, BN)
Half = ck.Tensor[ck.f16, "(?,?):(?{i64},1)"]


@ck.kernel(block=128)
def gemm(load_A: ck.Tma, load_B: ck.Tma, store_C: ck.Tma) -> None:
    t, warp, at = ck.thread.x, ck.warp(), (ck.block.x, ck.block.y, None)
    sA, sB, sC, full = tile_A.shared(), tile_B.shared(), tile_C.shared(), ck.mbarriers()[0]
    if warp == 0:
        with ck.elected():
            full.init(1)
            ck.fence_barriers()
    ck.sync()
    A = ck.tma_partition(load_A, ck.local_tile(load_A.coords, TILE, at, proj=(1, None, 1)), sA)
    B = ck.tma_partition(load_B, ck.local_tile(load_B.coords, TILE, at, proj=(None, 1, 1)), sB)
    mma = ck.wgmma((BM, BN, 16), (ck.f16, ck.f16, ck.f32))
    a, b = ck.descriptors_A(mma, ck.partition_A(mma, sA, t)), ck.descriptors_B(mma, ck.partition_B(mma, sB, t))
    sums, phase = ck.fragment_C(mma, (BM, BN)), 0
    for k in ck.range(ck.size(A.tensor, 1)):
        if warp == 0:
            with ck.elected():
                full.expect(tile_A.bytes + tile_B.bytes)
            A.load(k, None, full)
            B.load(k, None, full)
        full.wait(phase)
        ck.wgmma_fence()
        for block in range(BK // 16):
            ck.gemm(mma, sums, a[:, :, block], b[:, :, block], sums, accumulate=block > 0 or k != 0)
        ck.wgmma_commit()
        ck.wgmma_wait(0)
        # Each warp has waited for its own rows, but all four read B.
        ck.sync()
        phase = phase ^ 1
    ck.copy(ck.universal_copy(ck.f32, 64), sums, ck.partition_C(mma, sC, t))
    ck.fence_async()
    ck.sync()
    if warp == 0:
        ck.tma_partition(store_C, ck.local_tile(store_C.coords, TILE, at, proj=(1, 1, None)), sC).store()
        ck.tma_commit()
        ck.tma_wait()


@ck.host(target="sm_90a")
def multiply(A: Half, B: Half, C: ck.Tensor[ck.f32, "(?,?):(?{i64},1)"]) -> None:
    tiles = ck.zipped_divide(C, (BM, BN))
    loads = ck.make_tma_load(A, tile_A), ck.make_tma_load(B, tile_B)
    gemm.launch((ck.size(tiles, (1, 0)), ck.size(tiles, (1, 1))), *loads, ck.make_tma_store(C, tile_C))


if __name__ == "__main__":
    random = np.random.default_rng(1)
    A, B = (random.integers(-4, 5, (n, 136)).astype(np.float16) for n in (72, 136))
    C = np.zeros((72, 136), np.float32)
    multiply(A, B, C)
    assert (C == A.astype(np.float32) @ B.astype(np.float32).T).all()
    print("the product is right")
