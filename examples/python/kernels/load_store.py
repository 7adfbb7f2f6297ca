"""``D = A``, 128 x 64 numbers of f32, by way of tensor memory, as examples/blackwell/load_store.mlir.

Four warps store a tile, one row per lane, and load it as the fragment of an MMA, so that it changes hands between the threads of a warp
without shared memory.
"""

import numpy as np

from cute_mlir import kernels as ck

Matrix = ck.Tensor[ck.f32, "(128,64):(64,1)"]


@ck.kernel(block=128, target="sm_100a")
def load_store(A: Matrix, D: Matrix) -> None:
    warp, t, tmem = ck.warp(), ck.thread.x, ck.TensorMemory(64)
    if warp == 0:
        tmem.allocate()
    ck.sync_tmem()
    tensor = tmem.tensor(ck.f32, "(128,64):(65536,1)")
    put = ck.make_tmem_copy(ck.tmem_store(ck.f32, "32dp32b", 64), tensor)
    take = ck.make_tmem_copy(ck.tmem_load(ck.f32, "16dp256b", 8), tensor)
    ck.copy(put, ck.load(ck.universal_copy(ck.f32, 128), ck.partition_S(put, A, t)), ck.partition_D(put, tensor, t))
    # A load sees what is stored once the thread that stored has waited.
    ck.tmem_wait_store()
    fragment = ck.load(take, ck.partition_S(take, tensor, t))
    ck.tmem_wait_load()
    ck.sync_tmem()
    if warp == 0:
        tmem.free()
    to = ck.partition_D(take, D, t)
    ck.copy(ck.universal_copy(ck.f32, 64), ck.make_tensor(fragment.iterator, ck.fragment_like(to).layout), to)


if __name__ == "__main__":
    A = np.arange(128 * 64, dtype=np.float32).reshape(128, 64)
    D = np.zeros_like(A)
    load_store(A, D, grid=1)
    assert (D == A).all()
    print("the copy is right")
