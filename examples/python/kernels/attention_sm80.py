"""Flash attention by mma.sync, f16 with 64 columns a head, any number of queries and keys, as examples/attention.mlir.

A block has 64 queries of a head, 16 a warp, and goes over tiles of 64 keys, of which cp.async loads the next one meanwhile. P stays in
registers: C of the first GEMM is A of the second, the same registers in the same order.
"""

import numpy as np

from cute_mlir import kernels as ck

N = 64
LOG2E = 1.44269504
Heads = ck.Tensor[ck.f16, "(?,64,?):(?{i64 div=8},1,?{i64 div=8})"]


def quad(x: ck.Value, word: str) -> ck.Value:
    for by in (1, 2):
        other = ck.shuffle_xor(x, by)
        x = ck.maximum(x, other) if word == "max" else x + other
    return x


@ck.kernel(block=128)
def attention(Q: Heads, K: Heads, V: Heads, O: Heads, scale: ck.f32) -> None:  # noqa: E741
    t, block, head = ck.thread.x, ck.block.x, ck.block.y
    q_of, k_of, v_of, o_of = (x[:, :, head] for x in (Q, K, V, O))
    rows = "S<3,3,3> o 0 o (64,64,2):(64,1,4096)"
    sQ = ck.shared(ck.f16, "S<3,3,3> o 0 o (64,64):(64,1)", align=1024)
    sK, sV = ck.shared(ck.f16, rows, align=1024), ck.shared(ck.f16, rows, align=1024)
    # B of the second GEMM is the same memory, transposed.
    turned = ck.make_tensor(sV.iterator, "S<3,3,3> o 0 o (64,64,2):(1,64,4096)")

    fetch = ck.make_tiled_copy(ck.cp_async(ck.f16), "(16,8):(8,1)", "(1,8):(8,1)")
    write = ck.make_tiled_copy(ck.universal_copy(ck.f16, 128), "(16,8):(8,1)", "(1,8):(8,1)")

    def part(of: ck.Value, at: "ck.Value | None") -> ck.Value:
        return ck.partition_S(fetch, ck.local_tile(of, (N, N), (at, 0)), t)

    fromK, fromV, atK = part(k_of, None), part(v_of, None), part(ck.identity(k_of), None)
    intoK, intoV = ck.partition_D(fetch, sK, t), ck.partition_D(fetch, sV, t)
    inside_Q = ck.inside(part(ck.identity(q_of), block), q_of)
    ck.copy(fetch, part(q_of, block), ck.partition_D(fetch, sQ, t), pred=inside_Q)

    mma = ck.mma_sync((16, 8, 16), (ck.f16, ck.f16, ck.f32), atoms=(4, 1, 1), permutation=(64, 16, 16))
    q, k, v = ck.fragment_A(mma, (N, N)), ck.fragment_B(mma, (N, N)), ck.fragment_B(mma, (N, N))
    S, sums = ck.fragment_C(mma, (N, N)), ck.fragment_C(mma, (N, N))
    P = ck.fragment(ck.f16, "((2,2,2),1,4):((1,2,4),0,8)")
    as_C = ck.make_tensor(P.iterator, S.layout)
    # Two rows of 16 elements.
    rows_S, rows_O = (ck.make_tensor(of.iterator, "(2,(2,8)):(2,(1,4))") for of in (S, sums))
    load_Q, load_K = ck.make_tiled_copy_A(ck.ldmatrix(ck.f16), mma), ck.make_tiled_copy_B(ck.ldmatrix(ck.f16), mma)
    load_V = ck.make_tiled_copy_B(ck.ldmatrix(ck.f16, transposed=True), mma)
    readQ, readK, readV = ck.partition_S(load_Q, sQ, t), ck.partition_S(load_K, sK, t), ck.partition_S(load_V, turned, t)
    at = ck.partition_C(mma, ck.identity((N, N)), t)
    sums.fill(0)
    factor = scale * LOG2E
    top: list[ck.Value] = [ck.f32(float("-inf"))] * 2
    total: list[ck.Value] = [ck.f32(0.0)] * 2

    # Iteration j loads tile j of K and V and works on tile j - 1, which is in the other stage.
    tiles = ck.size(fromK, 3)
    for j in ck.range(tiles + 1):
        ck.cp_async_wait(0)
        ck.sync()
        if j < tiles:
            inside = ck.inside(atK[:, :, :, j], k_of)
            ck.copy(fetch, fromK[:, :, :, j], intoK[:, :, :, j & 1], pred=inside)
            ck.copy(fetch, fromV[:, :, :, j], intoV[:, :, :, j & 1], pred=inside)
        ck.cp_async_commit()
        if j > 0:
            stage = (j - 1) & 1
            S.fill(0)
            for b in range(N // 16):
                ck.copy(load_Q, readQ[:, :, b], ck.retile(load_Q, q)[:, :, b])
                ck.copy(load_K, readK[:, :, b, stage], ck.retile(load_K, k)[:, :, b])
                ck.gemm(mma, S, q[:, :, b], k[:, :, b], S)
            # Keys behind the end, of which cp.async made zeros, weigh nothing.
            left = ck.size(k_of, 0) - (j - 1) * N
            if left < N:
                for i in range(32):
                    S[i] = S[i] if at[i][1] < left else float("-inf")
            tops: list[ck.Value] = []
            totals: list[ck.Value] = []
            for i in range(2):
                scores = rows_S[i, None].load()
                new = quad(ck.maximum(top[i], ck.reduce(scores, "max")), "max")
                low = -(new * factor)
                weights = ck.exp2(scores * factor + low, fast=True)
                alpha = ck.exp2(top[i] * factor + low, fast=True)
                rows_S[i, None] = weights
                rows_O[i, None] = rows_O[i, None].load() * alpha
                tops.append(new)
                totals.append(total[i] * alpha + ck.reduce(weights))
            top, total = tops, totals
            as_C.store(S.load().to(ck.f16))
            for b in range(N // 16):
                ck.copy(load_V, readV[:, :, b, stage], ck.retile(load_V, v)[:, :, b])
                ck.gemm(mma, sums, P[:, :, b], v[:, :, b], sums)

    for i in range(2):
        rows_O[i, None] = rows_O[i, None].load() * (1.0 / quad(total[i], "add"))
    as_C.store(sums.load().to(ck.f16))
    # Through the shared memory of Q, so that each thread stores 8 neighbours.
    ck.sync()
    ck.copy(ck.universal_copy(ck.f16, 32), as_C, ck.partition_C(mma, sQ, t))
    ck.sync()
    to = ck.partition_D(write, ck.local_tile(o_of, (N, N), (block, 0)), t)
    ck.copy(write, ck.load(write, ck.partition_S(write, sQ, t)), to, pred=inside_Q)


if __name__ == "__main__":
    queries, keys, heads = 40, 72, 1
    random = np.random.default_rng(1)
    # (rows, columns, heads), of which columns are contiguous.
    Q, K, V = (random.standard_normal((rows, heads, N)).astype(np.float16).transpose(0, 2, 1) for rows in (queries, keys, keys))
    out = np.zeros((queries, heads, N), np.float16).transpose(0, 2, 1)
    attention(Q, K, V, out, 0.125, grid=(1, heads))
    for h in range(heads):
        scores = Q[:, :, h].astype(np.float64) @ K[:, :, h].astype(np.float64).T * 0.125
        weights = np.exp(scores - scores.max(1, keepdims=True))
        want = weights / weights.sum(1, keepdims=True) @ V[:, :, h].astype(np.float64)
        assert np.abs(out[:, :, h] - want).max() < 4e-3
    print("the attention is right")
