"""Transposes a matrix of f16 through shared memory, 128 bits a thread and global access both ways, as examples/transpose.mlir.

The swizzle S<3,3,6> XORs row / 8 into the 16-byte chunk of a row: the 8 lanes that gather a column find its banks free,
and 16-byte pieces stay whole for cp.async.
"""

import numpy as np

from cute_mlir import kernels as ck

Matrix = "(?,?{div=8}):(?{i64 div=8},1)"
TILE = (64, 64)
SWIZZLE = "S<3,3,6> o 0 o "


@ck.kernel(block=128)
def transpose(src: ck.Tensor[ck.f16, Matrix], dst: ck.Tensor[ck.f16, Matrix]) -> None:
    t, m, n = ck.thread.x, ck.block.y, ck.block.x
    tile = ck.shared(ck.f16, SWIZZLE + "(64,64):(64,1)", align=1024)
    turned = ck.make_tensor(tile.iterator, SWIZZLE + "(64,64):(1,64)")
    # 16 rows of 8 threads, each with 8 neighbours.
    fetch = ck.make_tiled_copy(ck.cp_async(ck.f16), "(16,8):(8,1)", "(1,8):(8,1)")
    gather = ck.make_tiled_copy(ck.universal_copy(ck.f16), "(16,8):(8,1)", "(1,8):(8,1)")
    store = ck.make_tiled_copy(ck.universal_copy(ck.f16, 128), "(16,8):(8,1)", "(1,8):(8,1)")

    source = ck.partition_S(fetch, ck.local_tile(src, TILE, (m, n)), t)
    at = ck.partition_S(fetch, ck.local_tile(ck.identity(src), TILE, (m, n)), t)
    ck.copy(fetch, source, ck.partition_D(fetch, tile, t), pred=ck.inside(at, src))
    ck.cp_async_commit()
    ck.cp_async_wait(0)
    ck.sync()

    column = ck.partition_S(gather, turned, t)
    to = ck.partition_D(store, ck.local_tile(dst, TILE, (n, m)), t)
    at = ck.partition_D(store, ck.local_tile(ck.identity(dst), TILE, (n, m)), t)
    fragment = ck.fragment_like(to)
    ck.copy(gather, column, ck.retile(gather, fragment))
    ck.copy(store, fragment, to, pred=ck.inside(at, dst))


if __name__ == "__main__":
    a = np.random.default_rng(1).standard_normal((72, 136)).astype(np.float16)
    b = np.zeros((136, 72), np.float16)
    transpose(a, b, grid=(3, 2))
    assert (b == a.T).all()
    print("the transpose is right")
