// A box of a tensor by the TMA: the map is a parameter by value.
#include "device.h"

struct alignas(64) Map {
  unsigned long long words[16];
};

#if defined(__clang__)
#define __grid_constant__ __attribute__((grid_constant))
#endif

__device__ __forceinline__ unsigned shared_address(const void *pointer) {
  unsigned result;
  asm("{ .reg .u64 wide; cvta.to.shared.u64 wide, %1; cvt.u32.u64 %0, wide; }" : "=r"(result) : "l"(pointer));
  return result;
}

extern "C" __global__ void boxes(const __grid_constant__ Map from, const __grid_constant__ Map to) {
  __shared__ alignas(128) int box[16 * 32];
  __shared__ alignas(8) unsigned long long full;
  unsigned barrier = shared_address(&full), target = shared_address(box);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 2048;" ::"r"(barrier) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(target),
                 "l"(&from), "r"(blockIdx.x * 32), "r"(blockIdx.y * 16), "r"(barrier)
                 : "memory");
  }
  __syncthreads();
  asm volatile("{\n"
               "  .reg .pred done;\n"
               "wait:\n"
               "  mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
               "  @!done bra wait;\n"
               "}" ::"r"(barrier)
               : "memory");
  for (int i = threadIdx.x; i < 16 * 32; i += blockDim.x)
    box[i] = box[i] * 3 + 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&to), "r"(blockIdx.x * 32),
                 "r"(blockIdx.y * 16), "r"(target)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
