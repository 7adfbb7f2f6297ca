// A product of matrices with CuTe's headers: the tensor cores of Hopper, from shared memory.
#include <cute/tensor.hpp>

using namespace cute;

extern "C" __global__ void tiled_wgmma(const half_t *a, const half_t *b, float *c) {
  auto layout = tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _64>{});
  __shared__ alignas(1024) half_t left[64 * 64], right[64 * 64];
  auto A = make_tensor(make_smem_ptr(left), layout), B = make_tensor(make_smem_ptr(right), layout);
  auto C = make_tensor(make_gmem_ptr(c), Shape<_64, _64>{}, Stride<_64, _1>{});
  for (int i = threadIdx.x; i < 64 * 64; i += 128) {
    A(i / 64, i % 64) = a[i];
    B(i / 64, i % 64) = b[i];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  auto mma = make_tiled_mma(SM90_64x64x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>{});
  auto own = mma.get_slice(threadIdx.x);
  auto x = own.make_fragment_A(own.partition_A(A));
  auto y = own.make_fragment_B(own.partition_B(B));
  auto sums = own.partition_fragment_C(C);
  clear(sums);
  warpgroup_fence_operand(sums);
  warpgroup_arrive();
  gemm(mma, x, y, sums);
  warpgroup_commit_batch();
  warpgroup_wait<0>();
  warpgroup_fence_operand(sums);
  copy(sums, own.partition_C(C));
}
