// A cluster asks for its next tile, and the answer goes to all of its blocks; but only the first block
// tells its barrier to expect it (facebookexperimental/triton #1024).
//
// Compile: nvcc -std=c++17 -arch=sm_100a -lineinfo -ptx answer_for_one.cu
// Run: cutec run answer_for_one.ptx --kernel 'answer_for_one<false>' --grid 2 --block 32
//     --arg 'y:i32[64]'
#include "ptx.h"

template <bool repaired> __global__ void __cluster_dims__(2) answer_for_one(int *y) {
  __shared__ alignas(16) int answer[4];
  __shared__ unsigned long long asked;
  if (threadIdx.x == 0) {
    init(&asked, 1);
    fence_init();
  }
  cluster_sync();
  if (threadIdx.x == 0 && (repaired || rank() == 0))
    arrive_and_expect(&asked, 16);
  cluster_sync();
  if (threadIdx.x == 0 && rank() == 0)
    ask_for_cluster(answer, &asked);
  wait(&asked, 0); // finds: deadlock (error)
  y[32 * blockIdx.x + threadIdx.x] = 32 * blockIdx.x + threadIdx.x;
  cluster_sync();
}
template __global__ void answer_for_one<false>(int *);
template __global__ void answer_for_one<true>(int *);
