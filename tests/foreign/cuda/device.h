// What kernels need of CUDA C++, for a compiler without CUDA's headers: clang with -nocudainc.
#pragma once
#if defined(__clang__)
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __noinline__ __attribute__((noinline))
#define __forceinline__ __attribute__((always_inline)) inline
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

struct Index {
  unsigned x, y, z;
  __device__ Index(unsigned x, unsigned y, unsigned z) : x(x), y(y), z(z) {}
};
#define INDEX(name) \
  Index(__nvvm_read_ptx_sreg_##name##_x(), __nvvm_read_ptx_sreg_##name##_y(), __nvvm_read_ptx_sreg_##name##_z())
#define threadIdx INDEX(tid)
#define blockIdx INDEX(ctaid)
#define blockDim INDEX(ntid)
#define gridDim INDEX(nctaid)
#define __syncthreads() __nvvm_bar_sync(0)
#define __syncwarp() __nvvm_bar_warp_sync(0xffffffffu)
#define __threadfence() __nvvm_membar_gl()
#define __popc(x) __builtin_popcount(x)
#define __clz(x) ((x) ? __builtin_clz(x) : 32)

static __device__ __forceinline__ int __shfl_xor_sync(unsigned mask, int value, int lane) {
  return __nvvm_shfl_sync_bfly_i32(mask, value, lane, 31);
}
static __device__ __forceinline__ int __shfl_up_sync(unsigned mask, int value, int distance) {
  return __nvvm_shfl_sync_up_i32(mask, value, distance, 0);
}
static __device__ __forceinline__ int __shfl_sync(unsigned mask, int value, int lane) {
  return __nvvm_shfl_sync_idx_i32(mask, value, lane, 31);
}
static __device__ __forceinline__ unsigned __ballot_sync(unsigned mask, int flag) {
  return __nvvm_vote_ballot_sync(mask, flag);
}
static __device__ __forceinline__ int atomicAdd(int *at, int value) {
  return __nvvm_atom_add_gen_i(at, value);
}
#endif
