"""``D = silu(A G^T + bias_G) (A U^T + bias_U)`` in bf16 on Blackwell by pairs of CTAs, for any shape: a GEMM whose epilogue multiplies two
halves of its accumulators.

G and U are ``W[:, :, 0]`` and ``W[:, :, 1]``. A pair multiplies 256 rows of A by 128 of G and 128 of U at once, because its first CTA loads
the rows of G as its half of B, and the second one those of U. So columns 0 to 127 of the accumulators are those of G, and 128 to 255 those
of U. Roles are those of gemm_sm100_pairs.py.
"""

import ml_dtypes
import numpy as np

from cute_mlir import kernels as ck

BM, BN, BK = 256, 256, 64
STAGES, COLUMNS = 4, 32
PARTS = BN // 2 // COLUMNS
tile_A, tile_W = ck.TmaTile(ck.bf16, BM // 2, BK), ck.TmaTile(ck.bf16, BN // 2, BK)
tile_D = ck.TmaTile(ck.bf16, BM // 2, COLUMNS)


@ck.kernel(block=256, cluster=2)
def kernel(load_A: ck.Tma, load_W: ck.Tma, store_D: ck.Tma, bias: ck.Value, tiles_m: ck.i32, tiles_n: ck.i32) -> None:
    warp, half = ck.warp(), ck.cluster_block.x
    sA, sW, sD = tile_A.shared(STAGES), tile_W.shared(STAGES), tile_D.shared(2)
    ring = ck.UmmaRing(STAGES, ctas=2, blocks=0b11)
    accumulators = ck.AccumulatorRing(2, ctas=2, blocks=0b11, leader=0)
    tmem = ck.TensorMemory(2 * BN, ctas=2)
    if warp == 0:
        with ck.elected():
            ring.init(consumers=1)
            accumulators.init(consumers=2 * 128)
            ck.fence_barriers()
    ck.sync_cluster(publish=False)
    if warp == 2:
        tmem.allocate()
    ck.sync_tmem(cluster=True)
    mma = ck.umma((BM, BN, 16), (ck.bf16, ck.bf16, ck.f32), ctas=2)
    sums = tmem.fragment_C(mma, (BM, BN, 2))
    tiles = ck.PersistentTileScheduler((tiles_m, tiles_n), cluster=2)
    k_tiles = (ck.size(load_A.coords, 1) + BK - 1) // BK

    if warp == 0:
        state, work = ring.producer(), tiles.first()
        while work.is_valid:
            m, n = work.at
            A = ck.tma_partition(load_A, ck.local_tile(load_A.coords, (BM // 2, BK), (2 * m + half, None)), sA)
            W = ck.tma_partition(load_W, ck.local_tile(load_W.coords[:, :, half], (BN // 2, BK), (n, None)), sW)
            for k in ck.range(k_tiles):
                full = ring.acquire(state)
                if half == 0:
                    with ck.elected():
                        full.expect(2 * (tile_A.bytes + tile_W.bytes))
                A.load(k, state.stage, full)
                W.load(k, state.stage, full)
                state = state.next()
            work = tiles.next(work)
        ring.drain(state)
    elif warp == 1 and half == 0:
        a, b = ck.descriptors_A(mma, sA), ck.descriptors_B(mma, sW)
        state, own, work = ring.consumer(), accumulators.producer(), tiles.first()
        while work.is_valid:
            accumulators.acquire(own)
            to = sums[None, None, None, own.stage]
            for k in ck.range(k_tiles):
                ring.wait(state)
                a_k, b_k = a[:, :, :, state.stage], b[:, :, :, state.stage]
                for block in range(BK // 16):
                    ck.gemm(mma, to, a_k[:, :, block], b_k[:, :, block], to, accumulate=block > 0 or k != 0)
                ring.release(state)
                state = state.next()
            accumulators.commit(own)
            own, work = own.next(), tiles.next(work)
        accumulators.drain(own)
    elif warp >= 4:
        t = ck.thread.x % 128
        # Rows, columns, parts, G and U, tiles.
        parts = tmem.tensor(ck.f32, f"(128,{COLUMNS},{PARTS},2,2):(65536,1,{COLUMNS},{BN // 2},{BN})")
        take = ck.make_tmem_copy(ck.tmem_load(ck.f32, "32dp32b", COLUMNS), parts[:, :, 0, 0, 0])
        taken = ck.partition_S(take, parts, t)
        put = ck.make_tiled_copy(ck.universal_copy(ck.bf16, 128), "128:1", f"(1,{COLUMNS}):(0,1)")
        rows = ck.partition_D(put, sD, t)
        fours = ck.make_tiled_copy(ck.universal_copy(ck.f32, 128), "1:0", "4:1")
        stores = ck.StoreRing(2, threads=128, warp=4)
        own, work = accumulators.consumer(), tiles.first()
        while work.is_valid:
            m, n = work.at
            D = ck.tma_partition(store_D, ck.local_tile(store_D.coords, (BM // 2, COLUMNS), (2 * m + half, None)), sD)
            accumulators.wait(own)
            for part in range(PARTS):
                column = n * PARTS + part

                def biased(which: int) -> ck.Value:
                    """The sums of G or U with their bias, which ends with the columns of D."""
                    of = bias[:, which]

                    def own_part(view: ck.Value) -> ck.Value:
                        return ck.partition_S(fours, ck.local_tile(view, COLUMNS, column), 0)

                    added = ck.load(fours, own_part(of), ck.inside(own_part(ck.identity(of)), of))
                    return ck.load(take, taken[:, :, :, part, which, own.stage]).load() + added.load()

                gate, up = biased(0), biased(1)
                if part == PARTS - 1:
                    accumulators.release(own)
                # silu(x) = x / 2 (1 + tanh(x / 2))
                half_gate = gate * 0.5
                result = ck.fragment_like(rows[:, :, :, 0])
                result.store(((half_gate * ck.tanh(half_gate, fast=True) + half_gate) * up).to(ck.bf16))
                with stores.stage(D, part, column) as stage:
                    ck.copy(put, result, rows[:, :, :, stage])
            own, work = own.next(), tiles.next(work)
        stores.tail()
    ck.sync_tmem(cluster=True)
    if warp == 2:
        tmem.free()


Matrix = "(?,?):(?{i64},1)"


@ck.host(target="sm_100a")
def swiglu(
    A: ck.Tensor[ck.bf16, Matrix],
    W: ck.Tensor[ck.bf16, "(?,?,2):(?{i64 div=8},1,?{i64 div=8})"],
    bias: ck.Tensor[ck.f32, "(?{div=4},2):(1,?{i64 div=4})"],
    D: ck.Tensor[ck.bf16, Matrix],
    clusters: ck.i32,
) -> None:
    blocks = ck.zipped_divide(D, (BM, BN // 2))
    tiles = ck.size(blocks, (1, 0)), ck.size(blocks, (1, 1))
    loads = ck.make_tma_load(A, tile_A, ctas=2), ck.make_tma_load(W, tile_W, ctas=2)
    kernel.launch(2 * clusters, *loads, ck.make_tma_store(D, tile_D), bias, *tiles)


if __name__ == "__main__":
    random = np.random.default_rng(1)
    m, n, k = 136, 136, 72
    A = random.integers(-2, 3, (m, k)).astype(ml_dtypes.bfloat16)
    W = random.integers(-2, 3, (2, n, k)).astype(ml_dtypes.bfloat16)
    bias, D = random.integers(-2, 3, (2, n)).astype(np.float32), np.zeros((m, n), ml_dtypes.bfloat16)
    swiglu(A, W.transpose(1, 2, 0), bias.T, D, 1)
    gate, up = (A.astype(np.float64) @ W[i].astype(np.float64).T + bias[i] for i in range(2))
    want = gate / (1 + np.exp(-gate)) * up
    assert np.abs(D.astype(np.float64) - want).max() <= np.abs(want).max() / 128
    print("the result is right")
