// DeepGEMM's packed exponents.
#define transpose_fp32 another_transpose_fp32
#include <deep_gemm/impls/smxx_layout.cuh>

auto transpose_and_pack = &deep_gemm::transpose_and_pack_fp32_into_ue8m0<512, 48, 8>;
