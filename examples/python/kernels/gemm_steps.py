"""``C = A B^T`` in four steps, as examples/gemm: a thread per element, tiles and partitions, shared memory, tensor cores.

Each is a kernel of its own. The last three need M and N that are multiples of 64.
"""

import numpy as np

from cute_mlir import kernels as ck

Matrix = ck.Tensor[ck.f32, "(?,?):(?{i64},1)"]
Tiled = ck.Tensor[ck.f32, "(?{div=64},?{div=8}):(?{i64 div=8},1)"]
Half = ck.Tensor[ck.f16, "(?{div=64},?{div=64}):(?{i64 div=64},1)"]
Result = ck.Tensor[ck.f32, "(?{div=64},?{div=64}):(?{i64 div=64},1)"]


@ck.kernel(block=(16, 16))
def naive(A: Matrix, B: Matrix, C: Matrix) -> None:
    m, n = ck.block.x * 16 + ck.thread.y, ck.block.y * 16 + ck.thread.x
    if m < ck.size(C, 0) and n < ck.size(C, 1):
        total = 0.0
        for k in ck.range(ck.size(A, 1)):
            total += A[m, k] * B[n, k]
        C[m, n] = total


def tiles_of(A: ck.Value, B: ck.Value, C: ck.Value, k: int) -> tuple[ck.Value, ck.Value, ck.Value]:
    """The tiles of a block: those along K of A and of B, and one of C."""
    tile, at = (64, 64, k), (ck.block.x, ck.block.y, None)
    gA, gB = ck.local_tile(A, tile, at, proj=(1, None, 1)), ck.local_tile(B, tile, at, proj=(None, 1, 1))
    return gA, gB, ck.local_tile(C, tile, at, proj=(1, 1, None))


@ck.kernel(block=256)
def partitioned(A: Tiled, B: Tiled, C: Result) -> None:
    t, one = ck.thread.x, ck.universal_copy(ck.f32)
    gA, gB, gC = tiles_of(A, B, C, 8)
    mma = ck.fma((ck.f32, ck.f32, ck.f32), "(16,16,1):(16,1,0)")
    pA, pB, pC = ck.partition_A(mma, gA, t), ck.partition_B(mma, gB, t), ck.partition_C(mma, gC, t)
    a, b = ck.fragment_A(mma, pA[:, :, :, 0]), ck.fragment_B(mma, pB[:, :, :, 0])
    c = ck.fragment_C(mma, pC)
    c.fill(0)
    for k in ck.range(ck.size(pA, 3)):
        ck.copy(one, pA[:, :, :, k], a)
        ck.copy(one, pB[:, :, :, k], b)
        ck.gemm(mma, c, a, b, c)
    ck.copy(one, c, pC)


@ck.kernel(block=256)
def shared(A: Tiled, B: Tiled, C: Result) -> None:
    t, four = ck.thread.x, ck.universal_copy(ck.f32, 128)
    gA, gB, gC = tiles_of(A, B, C, 8)
    # Columns 68 apart: the 4 rows of 8 columns that a warp writes are in 32 banks.
    sA, sB = ck.shared(ck.f32, "(64,8):(1,68)", align=16), ck.shared(ck.f32, "(64,8):(1,68)", align=16)
    fetch = ck.make_tiled_copy(ck.cp_async(ck.f32, 32, "always"), "(32,8):(8,1)", "(1,1):(0,0)")
    fromA, intoA = ck.partition_S(fetch, gA, t), ck.partition_D(fetch, sA, t)
    fromB, intoB = ck.partition_S(fetch, gB, t), ck.partition_D(fetch, sB, t)
    # A thread has 4 neighbours along M and along N.
    mma = ck.fma((ck.f32, ck.f32, ck.f32), "(16,16,1):(16,1,0)", permutation=("(16,4):(4,1)", "(16,4):(4,1)", None))
    pA, pB, pC = ck.partition_A(mma, sA, t), ck.partition_B(mma, sB, t), ck.partition_C(mma, gC, t)
    a, b, c = ck.fragment_A(mma, pA), ck.fragment_B(mma, pB), ck.fragment_like(pC)
    c.fill(0)
    for k in ck.range(ck.size(gA, 2)):
        ck.copy(fetch, fromA[:, :, :, k], intoA)
        ck.copy(fetch, fromB[:, :, :, k], intoB)
        ck.cp_async_commit()
        ck.cp_async_wait(0)
        ck.sync()
        ck.copy(four, pA[0, :, :], a[0, :, :])
        ck.copy(four, pB[0, :, :], b[0, :, :])
        ck.gemm(mma, c, a, b, c)
        ck.sync()
    for m in range(4):
        ck.copy(four, c[0, m, :], pC[0, m, :])


@ck.kernel(block=128)
def tensor_cores(A: Half, B: Half, C: Result) -> None:
    t = ck.thread.x
    gA, gB, gC = tiles_of(A, B, C, 64)
    sA, sB = (ck.shared(ck.f16, "S<3,3,3> o 0 o (64,64):(64,1)", align=1024) for _ in range(2))
    fetch = ck.make_tiled_copy(ck.cp_async(ck.f16), "(16,8):(8,1)", "(1,8):(8,1)")
    fromA, intoA = ck.partition_S(fetch, gA, t), ck.partition_D(fetch, sA, t)
    fromB, intoB = ck.partition_S(fetch, gB, t), ck.partition_D(fetch, sB, t)
    mma = ck.mma_sync((16, 8, 16), (ck.f16, ck.f16, ck.f32), atoms=(2, 2, 1), permutation=(32, 32, 16))
    a, b, c = ck.fragment_A(mma, (64, 64)), ck.fragment_B(mma, (64, 64)), ck.fragment_C(mma, (64, 64))
    loadA, loadB = ck.make_tiled_copy_A(ck.ldmatrix(ck.f16), mma), ck.make_tiled_copy_B(ck.ldmatrix(ck.f16), mma)
    c.fill(0)
    for k in ck.range(ck.size(gA, 2)):
        ck.copy(fetch, fromA[:, :, :, k], intoA)
        ck.copy(fetch, fromB[:, :, :, k], intoB)
        ck.cp_async_commit()
        ck.cp_async_wait(0)
        ck.sync()
        ck.copy(loadA, ck.partition_S(loadA, sA, t), ck.retile(loadA, a))
        ck.copy(loadB, ck.partition_S(loadB, sB, t), ck.retile(loadB, b))
        ck.gemm(mma, c, a, b, c)
        ck.sync()
    ck.copy(ck.universal_copy(ck.f32, 64), c, ck.partition_C(mma, gC, t))


def product(kernel: ck.Kernel, m: int, n: int, k: int, kind: "type[np.floating]", grid: tuple[int, int]) -> None:
    random = np.random.default_rng(m)
    A, B = (random.integers(-4, 5, (rows, k)).astype(kind) for rows in (m, n))
    C = np.zeros((m, n), np.float32)
    kernel(A, B, C, grid=grid)
    assert (C == A.astype(np.float32) @ B.astype(np.float32).T).all()


if __name__ == "__main__":
    product(naive, 20, 35, 7, np.float32, (2, 3))
    product(partitioned, 64, 64, 24, np.float32, (1, 1))
    product(shared, 64, 64, 24, np.float32, (1, 1))
    product(tensor_cores, 64, 128, 128, np.float16, (1, 2))
    print("the products are right")
