// A tensor map in global memory is changed for the next group while the copies of the last one may
// still read it (deepseek-ai/DeepGEMM #343, #430).
//
// Compile: nvcc -std=c++17 -arch=sm_90a -lineinfo -ptx map_changed.cu
// Run: cutec run map_changed.ptx --kernel 'map_changed<false>' --grid 1 --block 32
//     --arg 'tensor_map(x,shape=32,box=32)' --arg '&tensor_map(x,shape=32,box=32)'
//     --arg 'x:i32[64]=range' --arg 'y:i32[64]'
#include "ptx.h"

struct alignas(64) Map {
  unsigned long long words[16];
};

template <bool repaired> __global__ void map_changed(const __grid_constant__ Map map, Map *used, const int *x, int *y) {
  __shared__ alignas(128) int tiles[2][32];
  __shared__ alignas(128) Map next;
  __shared__ unsigned long long full[2];
  if (threadIdx.x == 0) {
    init(&full[0], 1);
    init(&full[1], 1);
    fence_init();
    *used = map;
    next = map;
    for (int group = 0; group < 2; ++group) {
      if (group > 0) {
        if (repaired)
          asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group.read 0;" ::: "memory");
        asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(shared_address(&next)),
                     "l"(x + 32 * group)
                     : "memory");
        *used = next; // finds: race (error)
      }
      asm volatile("fence.proxy.tensormap::generic.release.gpu;\n\tfence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(used)
                   : "memory");
      arrive_and_expect(&full[group], 128);
      asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(
                       shared_address(tiles[group])),
                   "l"(used), "r"(0), "r"(shared_address(&full[group]))
                   : "memory");
    }
  }
  __syncwarp();
  for (int group = 0; group < 2; ++group) {
    wait(&full[group], 0);
    y[32 * group + threadIdx.x] = tiles[group][threadIdx.x];
  }
}
template __global__ void map_changed<false>(const __grid_constant__ Map, Map *, const int *, int *);
template __global__ void map_changed<true>(const __grid_constant__ Map, Map *, const int *, int *);
