// The kernel of CUTLASS's device::Gemm: a pipeline of cp.async, ldmatrix and mma.sync. Its parameters, which
// are usually made on the host, are made by each thread.
#include "cutlass/gemm/device/gemm.h"

using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
using Half = cutlass::half_t;
using Gemm = cutlass::gemm::device::Gemm<
    Half, Row, Half, Column, float, Row, float, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80,
    cutlass::gemm::GemmShape<64, 64, 32>, cutlass::gemm::GemmShape<32, 32, 32>, cutlass::gemm::GemmShape<16, 8, 16>,
    cutlass::epilogue::thread::LinearCombination<float, 4, float, float>,
    cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 3>;
using Kernel = Gemm::GemmKernel;

static_assert(Kernel::kThreadCount == 128);

extern "C" __global__ void device_gemm(Half *a, Half *b, float *c, float *d, int m, int n, int k, float alpha, float beta) {
  extern __shared__ __align__(128) char memory[];
  Kernel::Params params({m, n, k}, {(m + 63) / 64, (n + 63) / 64, 1}, {a, Row(k)}, {b, Column(k)}, {c, Row(n)}, {d, Row(n)},
                        {alpha, beta});
  Kernel()(params, *reinterpret_cast<Kernel::SharedStorage *>(memory));
}
