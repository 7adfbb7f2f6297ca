"""``C = A B^T`` of f16 for any shape: the TMA loads tiles into a ring of stages, four warps multiply by mma.sync, as examples/tma/gemm.mlir.

The fifth warp loads tiles ahead of them.
"""

import numpy as np

from cute_mlir import kernels as ck

STAGES = 4
TILE = (64, 64, 64)
tile, tile_C = ck.TmaTile(ck.f16, 64, 64), ck.TmaTile(ck.f32, 64, 64)
Half = ck.Tensor[ck.f16, "(?,?):(?{i64},1)"]


@ck.kernel(block=160)
def gemm(load_A: ck.Tma, load_B: ck.Tma, store_C: ck.Tma) -> None:
    t, warp, at = ck.thread.x, ck.warp(), (ck.block.x, ck.block.y, None)
    sA, sB, sC, ring = tile.shared(STAGES), tile.shared(STAGES), tile_C.shared(), ck.Ring(STAGES)
    if warp == 0:
        with ck.elected():
            ring.init(consumers=128)
            ck.fence_barriers()
    ck.sync()
    A = ck.tma_partition(load_A, ck.local_tile(load_A.coords, TILE, at, proj=(1, None, 1)), sA)
    B = ck.tma_partition(load_B, ck.local_tile(load_B.coords, TILE, at, proj=(None, 1, 1)), sB)
    if warp == 4:
        state = ring.producer()
        for k in ck.range(ck.size(A.tensor, 1)):
            ring.load(state, k, A, B)
            state = state.next()
    else:
        mma = ck.mma_sync((16, 8, 16), (ck.f16, ck.f16, ck.f32), atoms=(2, 2, 1), permutation=(32, 32, 16))
        a, b, c = ck.fragment_A(mma, (64, 64)), ck.fragment_B(mma, (64, 64)), ck.fragment_C(mma, (64, 64))
        loadA, loadB = ck.make_tiled_copy_A(ck.ldmatrix(ck.f16), mma), ck.make_tiled_copy_B(ck.ldmatrix(ck.f16), mma)
        fromA, fromB = ck.partition_S(loadA, sA, t), ck.partition_S(loadB, sB, t)
        c.fill(0)
        state = ring.consumer()
        for k in ck.range(ck.size(A.tensor, 1)):
            ring.wait(state)
            ck.copy(loadA, fromA[:, :, :, state.stage], ck.retile(loadA, a))
            ck.copy(loadB, fromB[:, :, :, state.stage], ck.retile(loadB, b))
            ck.gemm(mma, c, a, b, c)
            ring.release(state)
            state = state.next()
        ck.copy(ck.universal_copy(ck.f32, 64), c, ck.partition_C(mma, sC, t))
        ck.fence_async()
        ck.sync_threads(1, 128)
        if warp == 0:
            ck.tma_partition(store_C, ck.local_tile(store_C.coords, TILE, at, proj=(1, 1, None)), sC).store()
            ck.tma_commit()
            ck.tma_wait()


@ck.host(target="sm_90a")
def multiply(A: Half, B: Half, C: ck.Tensor[ck.f32, "(?,?):(?{i64},1)"]) -> None:
    tiles = ck.zipped_divide(C, (64, 64))
    loads = ck.make_tma_load(A, tile), ck.make_tma_load(B, tile)
    gemm.launch((ck.size(tiles, (1, 0)), ck.size(tiles, (1, 1))), *loads, ck.make_tma_store(C, tile_C))


if __name__ == "__main__":
    random = np.random.default_rng(1)
    A, B = (random.integers(-4, 5, (n, 328)).astype(np.float16) for n in (72, 40))
    C = np.zeros((72, 40), np.float32)
    multiply(A, B, C)
    assert (C == A.astype(np.float32) @ B.astype(np.float32).T).all()
    print("the product is right")
