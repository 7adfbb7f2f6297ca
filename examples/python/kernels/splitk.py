"""``C = A B^T`` of f16, where several blocks share the K tiles of a tile of C and add to it in turns: split-K with a semaphore for each
tile, as examples/splitk.mlir.

The grid is (M / 64, N / 64, splits). Blocks add in the order of their number z, so that the sum is the same in every run. The last one
sets the semaphore to 0 again, for the next launch.
"""

import numpy as np

from cute_mlir import kernels as ck

Half = ck.Tensor[ck.f16, "(?{div=64},?{div=64}):(?{i64 div=64},1)"]
Float = ck.Tensor[ck.f32, "(?{div=64},?{div=64}):(?{i64 div=64},1)"]


@ck.kernel(block=128)
def gemm(A: Half, B: Half, C: Float, semaphores: ck.Tensor[ck.i32, "(?,?):(?,1)"]) -> None:
    t, m, n, split, splits = ck.thread.x, ck.block.x, ck.block.y, ck.block.z, ck.grid_dim.z
    tile = (64, 64, 64)
    gA = ck.local_tile(A, tile, (m, n, None), proj=(1, None, 1))
    gB = ck.local_tile(B, tile, (m, n, None), proj=(None, 1, 1))
    gC = ck.local_tile(C, tile, (m, n, None), proj=(1, 1, None))
    sA, sB = (ck.shared(ck.f16, "S<3,3,3> o 0 o (64,64):(64,1)", align=1024) for _ in range(2))

    fetch = ck.make_tiled_copy(ck.cp_async(ck.f16), "(16,8):(8,1)", "(1,8):(8,1)")
    fromA, intoA = ck.partition_S(fetch, gA, t), ck.partition_D(fetch, sA, t)
    fromB, intoB = ck.partition_S(fetch, gB, t), ck.partition_D(fetch, sB, t)
    mma = ck.mma_sync((16, 8, 16), (ck.f16, ck.f16, ck.f32), atoms=(2, 2, 1), permutation=(32, 32, 16))
    a, b, c = ck.fragment_A(mma, (64, 64)), ck.fragment_B(mma, (64, 64)), ck.fragment_C(mma, (64, 64))
    loadA, loadB = ck.make_tiled_copy_A(ck.ldmatrix(ck.f16), mma), ck.make_tiled_copy_B(ck.ldmatrix(ck.f16), mma)
    c.fill(0)
    # Of T tiles, block z has T z / splits to T (z + 1) / splits - 1.
    tiles = ck.size(gA, 2)
    for k in ck.range(tiles * split // splits, tiles * (split + 1) // splits):
        ck.copy(fetch, fromA[:, :, :, k], intoA)
        ck.copy(fetch, fromB[:, :, :, k], intoB)
        ck.cp_async_commit()
        ck.cp_async_wait(0)
        ck.sync()
        ck.copy(loadA, ck.partition_S(loadA, sA, t), ck.retile(loadA, a))
        ck.copy(loadB, ck.partition_S(loadB, sB, t), ck.retile(loadB, b))
        ck.gemm(mma, c, a, b, c)
        ck.sync()

    pair, part, semaphore = ck.universal_copy(ck.f32, 64), ck.partition_C(mma, gC, t), ck.Semaphore(semaphores, (m, n))
    semaphore.wait(split)
    if split != 0:
        c.store(c.load() + ck.load(pair, part).load())
    ck.copy(pair, c, part)
    semaphore.release(0 if split + 1 == splits else split + 1)


if __name__ == "__main__":
    random = np.random.default_rng(1)
    A, B = (random.integers(-4, 5, (n, 320)).astype(np.float16) for n in (128, 64))
    C, semaphores = np.full((128, 64), 7, np.float32), np.zeros((2, 1), np.int32)
    gemm(A, B, C, semaphores, grid=(2, 1, 3))
    assert (C == A.astype(np.float32) @ B.astype(np.float32).T).all() and not semaphores.any()
    print("the product is right")
