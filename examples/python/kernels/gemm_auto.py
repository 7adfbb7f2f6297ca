"""``C = A^T B`` of f16, for K x M and K x N, whose layouts of shared memory, threads of copies and copy atoms are left open: ``auto``.

A block makes a tile of 64 x 64 with 2 x 2 warps. The kernel states which tiles there are and what moves them; the compiler finds layouts
without bank conflicts, vectors of 128 bits, and ``ldmatrix`` that transposes.
"""

import numpy as np

from cute_mlir import kernels as ck

BK = 32
Half = ck.Tensor[ck.f16, f"(?{{div=64}},?{{div={BK}}}):(1,?{{i64 div=64}})"]


@ck.kernel(block=128)
def gemm(A: Half, B: Half, C: ck.Tensor[ck.f32, "(?{div=64},?{div=64}):(?{i64 div=64},1)"]) -> None:
    t, at, tile = ck.thread.x, (ck.block.x, ck.block.y, None), (64, 64, BK)
    gA = ck.local_tile(A, tile, at, proj=(1, None, 1))
    gB = ck.local_tile(B, tile, at, proj=(None, 1, 1))
    gC = ck.local_tile(C, tile, at, proj=(1, 1, None))
    sA, sB, sC = ck.shared(ck.f16, (64, BK), auto=True), ck.shared(ck.f16, (64, BK), auto=True), ck.shared(ck.f32, (64, 64), auto=True)
    fetch = ck.make_tiled_copy(ck.cp_async(ck.f16), "(8,16):(1,8)", "(8,1):(1,0)", auto=True)
    write = ck.make_tiled_copy(ck.universal_copy(ck.f32), "(8,16):(16,1)", "(1,4):(4,1)", auto=True)

    mma = ck.mma_sync((16, 8, 16), (ck.f16, ck.f16, ck.f32), atoms=(2, 2, 1), permutation=(32, 32, 16))
    a, b, c = ck.fragment_A(mma, (64, BK)), ck.fragment_B(mma, (64, BK)), ck.fragment_C(mma, (64, 64))
    element = ck.universal_copy(ck.f16)
    loadA, loadB = ck.make_tiled_copy_A(element, mma, auto=True), ck.make_tiled_copy_B(element, mma, auto=True)
    c.fill(0)
    for k in ck.range(ck.size(gA, 2)):
        ck.copy(fetch, ck.partition_S(fetch, gA[:, :, k], t), ck.partition_D(fetch, sA, t))
        ck.copy(fetch, ck.partition_S(fetch, gB[:, :, k], t), ck.partition_D(fetch, sB, t))
        ck.cp_async_commit()
        ck.cp_async_wait(0)
        ck.sync()
        ck.copy(loadA, ck.partition_S(loadA, sA, t), ck.retile(loadA, a))
        ck.copy(loadB, ck.partition_S(loadB, sB, t), ck.retile(loadB, b))
        ck.gemm(mma, c, a, b, c)
        ck.sync()
    ck.copy(ck.universal_copy(ck.f32), c, ck.partition_C(mma, sC, t))
    ck.sync()
    ck.copy(write, ck.partition_S(write, sC, t), ck.partition_D(write, gC, t))


if __name__ == "__main__":
    random = np.random.default_rng(1)
    A, B = (random.integers(-4, 5, (96, n)).astype(np.float16) for n in (128, 64))
    C = np.zeros((128, 64), np.float32)
    gemm(A.T, B.T, C, grid=(2, 1))
    assert (C == A.astype(np.float32).T @ B.astype(np.float32)).all()
    print("the product is right")
