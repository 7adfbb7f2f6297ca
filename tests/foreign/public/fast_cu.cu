// The products of fast.cu, with what its matmul.cu declares before it includes them. Kernels 6 to 9 go
// through groups of 8 tiles in a row, so they are also instantiated with small tiles.
#include <cassert>
#include <cstdio>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <string>
#include <vector>

typedef __nv_bfloat16 bf16;
#define CEIL_DIV(M, N) (((M) + (N) - 1) / (N))
#define cudaCheck(error) static_cast<void>(error)

#include "examples/matmul/matmul_1.cuh"
#include "examples/matmul/matmul_10.cuh"
#include "examples/matmul/matmul_11.cuh"
#include "examples/matmul/matmul_12.cuh"
#include "examples/matmul/matmul_2.cuh"
#include "examples/matmul/matmul_3.cuh"
#include "examples/matmul/matmul_4.cuh"
#include "examples/matmul/matmul_5.cuh"
#include "examples/matmul/matmul_6.cuh"
#include "examples/matmul/matmul_7.cuh"
#include "examples/matmul/matmul_8.cuh"
#include "examples/matmul/matmul_9.cuh"

using Map = CUtensorMap;
template __global__ void M6::matmulKernel6<64, 64, 64, 256, 3, 128>(int, int, int, bf16 *,
                                                                    const __grid_constant__ Map,
                                                                    const __grid_constant__ Map);
template __global__ void M7::matmulKernel7<64, 64, 64, 256, 3, 128>(int, int, int, bf16 *,
                                                                    const __grid_constant__ Map,
                                                                    const __grid_constant__ Map);
template __global__ void M8::matmulKernel8<64, 64, 64, 256, 3, 128, 2, 1>(int, int, int, bf16 *,
                                                                          const __grid_constant__ Map,
                                                                          const __grid_constant__ Map);
template __global__ void M9::matmulKernel9<64, 64, 64, 256, 3, 128, 2, 1>(int, int, int, bf16 *,
                                                                          const __grid_constant__ Map,
                                                                          const __grid_constant__ Map);
