// DeepGEMM's layouts of scales, whose dynamic shared memory has another type.
#include <deep_gemm/impls/smxx_layout.cuh>

using namespace deep_gemm;

auto transpose = &transpose_fp32<512, 64, 4>;
