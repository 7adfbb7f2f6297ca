"""Causal flash attention on Hopper, f16 with 64 columns a head, as examples/hopper/attention.mlir.

A block has 64 queries of a head. Warps 0 to 3 multiply, and warp 4 loads tiles of 64 keys of K and V into a ring of two stages,
up to the tile of the diagonal. P stays in registers: C of the first GEMM is A of the second, the same registers in the same
order. V is read transposed, by a view and an MMA that takes B mn-major.
"""

import numpy as np

from cute_mlir import kernels as ck

N = 64
LOG2E = 1.44269504
tile = ck.TmaTile(ck.f16, N, N)
Heads = ck.Tensor[ck.f16, "(?,64,?):(?{i64 div=8},1,?{i64 div=8})"]


def quad_max(x: ck.Value) -> ck.Value:
    x = ck.maximum(x, ck.shuffle_xor(x, 1))
    return ck.maximum(x, ck.shuffle_xor(x, 2))


def quad_sum(x: ck.Value) -> ck.Value:
    x = x + ck.shuffle_xor(x, 1)
    return x + ck.shuffle_xor(x, 2)


@ck.kernel(block=160)
def kernel(load_Q: ck.Tma, load_K: ck.Tma, load_V: ck.Tma, store_O: ck.Tma, scale: ck.f32) -> None:
    warp, t, block, head = ck.warp(), ck.thread.x, ck.block.x, ck.block.y
    sQ, sK, sV, ring, ready = tile.shared(), tile.shared(2), tile.shared(2), ck.Ring(2), ck.mbarriers()
    if warp == 4:
        with ck.elected():
            ring.init(consumers=1)
            ready[0].init(1)
            ck.fence_barriers()
    ck.sync()

    def boxes(tma: ck.Tma, at: "ck.Value | None", memory: ck.Value) -> ck.Boxes:
        return ck.tma_partition(tma, ck.local_tile(tma.coords[:, :, head], (N, N), (at, 0)), memory)

    if warp == 4:
        K, V = boxes(load_K, None, sK), boxes(load_V, None, sV)
        with ck.elected():
            ready[0].expect(tile.bytes)
        boxes(load_Q, block, sQ).load(None, None, ready[0])
        state = ring.producer()
        for k in ck.range(block + 1):
            ring.load(state, k, K, V)
            state = state.next()
    else:
        types = (ck.f16, ck.f16, ck.f32)
        mma_S, mma_O = ck.wgmma((64, N, 16), types), ck.wgmma((64, N, 16), types, majors=("k", "mn"), a="registers")
        turned = ck.make_tensor(sV.iterator, "(64,64,2):(1,64,4096)")
        q = ck.descriptors_A(mma_S, ck.partition_A(mma_S, sQ, 0))
        keys = ck.descriptors_B(mma_S, ck.partition_B(mma_S, sK, 0))
        v = ck.descriptors_B(mma_O, ck.partition_B(mma_O, turned, 0))
        S, O = ck.fragment_C(mma_S, (64, N)), ck.fragment_C(mma_O, (64, N))
        P = ck.fragment(ck.f16, "((2,2,2),1,4):((1,2,4),0,8)")
        as_C = ck.make_tensor(P.iterator, S.layout)
        # Two rows of 16 elements.
        rows_S, rows_O = (ck.make_tensor(of.iterator, "(2,(2,8)):(2,(1,4))") for of in (S, O))
        at = ck.partition_C(mma_S, ck.identity((64, N)), t)
        O.fill(0)
        factor = scale * LOG2E
        top: list[ck.Value] = [ck.f32(float("-inf"))] * 2
        total: list[ck.Value] = [ck.f32(0.0)] * 2
        state = ring.consumer()
        ready[0].wait(0)
        for k in ck.range(block + 1):
            ring.wait(state)
            ck.wgmma_fence()
            for b in range(N // 16):
                ck.gemm(mma_S, S, q[:, :, b], keys[:, :, b, state.stage], S, accumulate=b > 0)
            ck.wgmma_commit()
            ck.wgmma_wait(0)
            # Keys behind the query weigh nothing, which covers the ragged end, too.
            if k == block:
                for i in range(32):
                    row, column = at[i][0], at[i][1]
                    S[i] = float("-inf") if column > row else S[i]
            tops: list[ck.Value] = []
            totals: list[ck.Value] = []
            for i in range(2):
                scores = rows_S[i, None].load()
                new = quad_max(ck.maximum(top[i], ck.reduce(scores, "max")))
                weights = ck.exp2(scores * factor - new * factor, fast=True)
                alpha = ck.exp2(top[i] * factor - new * factor, fast=True)
                rows_S[i, None] = weights
                rows_O[i, None] = rows_O[i, None].load() * alpha
                tops.append(new)
                totals.append(total[i] * alpha + ck.reduce(weights))
            top, total = tops, totals
            as_C.store(S.load().to(ck.f16))
            ck.wgmma_fence()
            ck.gemm(mma_O, O, P, v[:, :, :, state.stage], O, accumulate=True)
            ck.wgmma_commit()
            ck.wgmma_wait(0)
            if t == 0:
                ring.release(state)
            state = state.next()
        for i in range(2):
            rows_O[i, None] = rows_O[i, None].load() * (1.0 / quad_sum(total[i]))
        as_C.store(O.load().to(ck.f16))
        # Through the shared memory of Q, which all four warps have read.
        ck.sync_threads(1, 128)
        ck.copy(ck.universal_copy(ck.f16, 32), as_C, ck.partition_C(mma_O, sQ, t))
        ck.fence_async()
        ck.sync_threads(1, 128)
        if warp == 0:
            boxes(store_O, block, sQ).store()
            ck.tma_commit()
            ck.tma_wait()


@ck.host(target="sm_90a")
def attention(Q: Heads, K: Heads, V: Heads, O: Heads, scale: ck.f32) -> None:  # noqa: E741
    grid = (ck.size(O, 0) + N - 1) // N, ck.size(O, 2)
    loads = [ck.make_tma_load(of, tile) for of in (Q, K, V)]
    kernel.launch(grid, *loads, ck.make_tma_store(O, tile), scale)


if __name__ == "__main__":
    rows, heads = 72, 2
    random = np.random.default_rng(1)
    # (rows, columns, heads), of which columns are contiguous.
    Q, K, V = (random.standard_normal((rows, heads, N)).astype(np.float16).transpose(0, 2, 1) for _ in range(3))
    out = np.zeros((rows, heads, N), np.float16).transpose(0, 2, 1)
    attention(Q, K, V, out, 0.125)
    for h in range(heads):
        scores = Q[:, :, h].astype(np.float64) @ K[:, :, h].astype(np.float64).T * 0.125
        scores[np.triu_indices(rows, 1)] = -np.inf
        weights = np.exp(scores - scores.max(1, keepdims=True))
        want = weights / weights.sum(1, keepdims=True) @ V[:, :, h].astype(np.float64)
        assert np.abs(out[:, :, h] - want).max() < 4e-3
    print("the attention is right")
