"""Groups of rows of A, each times a matrix of its own, on Hopper: a grouped GEMM whose tensor maps the kernel changes, as
examples/hopper/grouped_gemm.mlir.

The rows of A and C are those of one group after the other, ``counts[g]`` of group g, times ``B[:, :, g]``. A group ends anywhere, and no
row of C may be written by another group. So each block has maps of A and C of its own, which end where the group ends. The tiles of all
groups are numbered one after the other; block b has tiles b, b + blocks, and so on.
"""

import numpy as np

from cute_mlir import kernels as ck

TILE = BM, BN, BK = 64, 128, 64
tile_A, tile_B, tile_C = ck.TmaTile(ck.f16, BM, BK), ck.TmaTile(ck.f16, BN, BK), ck.TmaTile(ck.f32, BM, BN)


@ck.kernel(block=128)
def grouped(load_A: ck.Tma, load_B: ck.Tma, store_C: ck.Tma, A: ck.Value, C: ck.Value, counts: ck.Value, maps: ck.Value) -> None:
    thread, warp, block, blocks = ck.thread.x, ck.warp(), ck.block.x, ck.grid_dim.x
    sA, sB, sC, full = tile_A.shared(), tile_B.shared(), tile_C.shared(), ck.mbarriers()[0]
    map_A, map_C = ck.TensorMap(load_A, maps[None, 0, block]), ck.TensorMap(store_C, maps[None, 1, block])
    if warp == 0:
        with ck.elected():
            full.init(1)
            ck.fence_barriers()
            map_A.init()
            map_C.init()
        load_B.prefetch()
    ck.sync()
    mma = ck.wgmma((BM, BN, 16), (ck.f16, ck.f16, ck.f32))
    a = ck.descriptors_A(mma, ck.partition_A(mma, sA, thread))
    b = ck.descriptors_B(mma, ck.partition_B(mma, sB, thread))
    sums, part = ck.fragment_C(mma, (BM, BN)), ck.partition_C(mma, sC, thread)

    tiles_n = (ck.size(C, 1) + BN - 1) // BN
    row, before, phase = 0, 0, 0
    for g in ck.range(ck.size(counts)):
        rows = counts[g]
        tiles_m = (rows + BM - 1) // BM
        tiles = tiles_m * tiles_n
        # The first tile of the group that is this block's.
        ahead = block - before % blocks
        first = ahead + blocks if ahead < 0 else ahead
        if warp == 0 and first < tiles:
            # No copy uses the maps any more: all loads and stores of the group before have been waited for.
            map_A.update(ck.make_tensor(A[row, None].iterator, ck.make_layout((rows, ck.size(A, 1)), A.stride)))
            map_C.update(ck.make_tensor(C[row, None].iterator, ck.make_layout((rows, ck.size(C, 1)), C.stride)))
        for tile in ck.range(first, tiles, blocks):
            at = (tile % tiles_m, tile // tiles_m, None)
            from_A = ck.tma_partition(map_A, ck.local_tile(map_A.coords, TILE, at, proj=(1, None, 1)), sA)
            from_B = ck.tma_partition(load_B, ck.local_tile(load_B.coords[None, None, g], TILE, at, proj=(None, 1, 1)), sB)
            for k in ck.range(ck.size(from_A.tensor, 1)):
                if warp == 0:
                    with ck.elected():
                        full.expect(tile_A.bytes + tile_B.bytes)
                    from_A.load(k, None, full)
                    from_B.load(k, None, full)
                full.wait(phase)
                ck.wgmma_fence()
                for block_k in range(BK // 16):
                    ck.gemm(mma, sums, a[:, :, block_k], b[:, :, block_k], sums, accumulate=block_k > 0 or k != 0)
                ck.wgmma_commit()
                ck.wgmma_wait(0)
                # All warps have read the tiles, and the TMA has read the tile of C before.
                ck.sync()
                phase = phase ^ 1
            ck.copy(ck.universal_copy(ck.f32, 64), sums, part)
            ck.fence_async()
            ck.sync()
            if warp == 0:
                ck.tma_partition(map_C, ck.local_tile(map_C.coords, TILE, at, proj=(1, 1, None)), sC).store()
                ck.tma_commit()
                ck.tma_wait()
        row, before = row + rows, before + tiles


@ck.host(target="sm_90a")
def multiply(
    A: ck.Tensor[ck.f16, "(?,?):(?{i64 div=8},1)"], B: ck.Tensor[ck.f16, "(?,?,?):(?{i64 div=8},1,?{i64 div=8})"],
    C: ck.Tensor[ck.f32, "(?,?):(?{i64 div=4},1)"], counts: ck.Tensor[ck.i32, "?:1"],
    maps: ck.Tensor[ck.i64, "(16,2,?):(1,16,32)", 128],
) -> None:
    loads = ck.make_tma_load(A, tile_A), ck.make_tma_load(B, tile_B)
    grouped.launch(ck.size(maps, 2), *loads, ck.make_tma_store(C, tile_C), A, C, counts, maps)


if __name__ == "__main__":
    random, groups = np.random.default_rng(1), [40, 0, 80]
    A, B = random.integers(-4, 5, (120, 72)).astype(np.float16), random.integers(-4, 5, (3, 136, 72)).astype(np.float16)
    C, maps = np.zeros((120, 136), np.float32), np.zeros((2, 2, 16), np.int64).T
    multiply(A, B.transpose(1, 2, 0), C, np.array(groups, np.int32), maps)
    ends = np.cumsum([0, *groups])
    for g in range(3):
        own = slice(ends[g], ends[g + 1])
        assert (C[own] == A[own].astype(np.float32) @ B[g].astype(np.float32).T).all()
    print("the products are right")
