"""``D = relu(A B^T + bias)`` of bf16: mma.sync fed by three stages of cp.async, an epilogue in registers, as examples/gemm_bias_relu.mlir.

M is arbitrary; N, K and the pitches are multiples of 8. A block has a tile of 128 x 128. The permutation of N gives a thread 8 columns
that lie side by side, so that the bias and a row of D are one access each.
"""

import ml_dtypes
import numpy as np

from cute_mlir import kernels as ck

STAGES = 3
Matrix = ck.Tensor[ck.bf16, "(?,?{div=8}):(?{i64 div=8},1)"]


@ck.kernel(block=256)
def gemm(A: Matrix, B: Matrix, bias: ck.Tensor[ck.bf16, "?{div=8}:1"], D: Matrix) -> None:
    t, tile, at = ck.thread.x, (128, 128, 32), (ck.block.x, ck.block.y, None)

    def of_A(x: ck.Value) -> ck.Value:
        return ck.partition_S(fetch, ck.local_tile(x, tile, at, proj=(1, None, 1)), t)

    def of_B(x: ck.Value) -> ck.Value:
        return ck.partition_S(fetch, ck.local_tile(x, tile, at, proj=(None, 1, 1)), t)

    # (8 columns, 8 rows) of a thread: pairs of 4 MMAs along N, and 2 rows of each of 4 along M.
    def of_D(x: ck.Value) -> ck.Value:
        part = ck.partition_C(mma, ck.local_tile(x, tile, at, proj=(1, 1, None)), t)
        return ck.composition(part, "((2,4),(2,4)):((1,16),(2,4))")  # type: ignore[no-any-return]

    fetch = ck.make_tiled_copy(ck.cp_async(ck.bf16), "(64,4):(4,1)", "(1,8):(8,1)")
    mma = ck.mma_sync((16, 8, 16), (ck.bf16, ck.bf16, ck.f32), (2, 4, 1), permutation=(32, "(2,4,4,4):(1,8,32,2)", 16))
    # The rows of B that an MMA takes are not neighbours in N, but they are in shared memory, so that ldmatrix has no bank conflicts.
    sA = ck.shared(ck.bf16, f"S<2,3,3> o 0 o (128,32,{STAGES}):(32,1,4096)", align=1024)
    sB = ck.shared(ck.bf16, f"S<2,3,3> o 0 o ((2,4,4,4),32,{STAGES}):((32,256,64,1024),1,4096)", align=1024)
    fromA, fromB, atA, atB = of_A(A), of_B(B), of_A(ck.identity(A)), of_B(ck.identity(B))
    intoA, intoB = ck.partition_D(fetch, sA, t), ck.partition_D(fetch, sB, t)
    a, b, c = ck.fragment_A(mma, (128, 32)), ck.fragment_B(mma, (128, 32)), ck.fragment_C(mma, (128, 128))
    loadA, loadB = ck.make_tiled_copy_A(ck.ldmatrix(ck.bf16), mma), ck.make_tiled_copy_B(ck.ldmatrix(ck.bf16), mma)
    readA, readB = ck.partition_S(loadA, sA, t), ck.partition_S(loadB, sB, t)
    c.fill(0)
    # Iteration k loads tile k and multiplies tile k - 2, whose stage is the next one.
    tiles, stage = ck.size(fromA, 3), 0
    for k in ck.range(tiles + STAGES - 1):
        ck.cp_async_wait(STAGES - 2)
        ck.sync()
        if k < tiles:
            ck.copy(fetch, fromA[:, :, :, k], intoA[:, :, :, stage], pred=ck.inside(atA[:, :, :, k], A))
            ck.copy(fetch, fromB[:, :, :, k], intoB[:, :, :, stage], pred=ck.inside(atB[:, :, :, k], B))
        ck.cp_async_commit()
        stage = (k + 1) % STAGES
        if k >= STAGES - 1:
            ck.copy(loadA, readA[:, :, :, stage], ck.retile(loadA, a))
            ck.copy(loadB, readB[:, :, :, stage], ck.retile(loadB, b))
            ck.gemm(mma, c, a, b, c)

    vector = ck.universal_copy(ck.bf16, 128)
    sums, result, where = ck.composition(c, "((2,4),(2,4)):((1,16),(2,4))"), of_D(D), of_D(ck.identity(D))
    biases = of_D(ck.make_tensor(bias.iterator, ck.make_layout(D.shape, (0, 1))))
    added = ck.fragment_like(biases[:, 0])
    added.fill(0)
    if where[0, 0][1] < ck.size(D, 1):
        ck.copy(vector, biases[:, 0], added)
    for row in range(8):
        rounded = ck.fragment_like(result[:, row])
        rounded.store(ck.maximum(sums[:, row].load() + added.load().to(ck.f32), 0.0).to(ck.bf16))
        if ck.elem_less(where[0, row], D):
            ck.copy(vector, rounded, result[:, row])


if __name__ == "__main__":
    random = np.random.default_rng(1)
    A, B, bias = (random.integers(-4, 5, shape).astype(ml_dtypes.bfloat16) for shape in ((70, 72), (136, 72), 136))
    D = np.zeros((70, 136), ml_dtypes.bfloat16)
    gemm(A, B, bias, D, grid=(1, 2))
    want = np.maximum(A.astype(np.float32) @ B.astype(np.float32).T + bias.astype(np.float32), 0)
    assert (D == want.astype(ml_dtypes.bfloat16)).all()
    print("the result is right")
