// A product of matrices with CuTe's headers: the tensor cores of Ampere.
#include <cute/tensor.hpp>

using namespace cute;

extern "C" __global__ void tiled_mma(const half_t *a, const half_t *b, float *c) {
  auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2, _1>>{});
  auto A = make_tensor(make_gmem_ptr(a), Shape<_32, _64>{}, Stride<_64, _1>{});
  auto B = make_tensor(make_gmem_ptr(b), Shape<_32, _64>{}, Stride<_64, _1>{});
  auto C = make_tensor(make_gmem_ptr(c), Shape<_32, _32>{}, Stride<_32, _1>{});
  auto own = mma.get_slice(threadIdx.x);
  auto left = own.partition_fragment_A(A);
  auto right = own.partition_fragment_B(B);
  auto sums = own.partition_fragment_C(C);
  copy(own.partition_A(A), left);
  copy(own.partition_B(B), right);
  clear(sums);
  gemm(mma, left, right, sums);
  copy(sums, own.partition_C(C));
}
