// The names of cuBLAS that host code in the kernels' files uses. For launches of kernels nothing here is called; programs that run
// as a whole may make handles, and end if they compute.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <library_types.h>

using cublasHandle_t = void *;
using cublasLtHandle_t = void *;
using cublasLtMatmulDesc_t = void *;
using cublasLtMatmulPreference_t = void *;
using cublasLtMatrixLayout_t = void *;
using cublasComputeType_t = int;
using cublasOperation_t = int;
using cublasMath_t = int;
using cublasLtEpilogue_t = int;
enum cublasStatus_t { CUBLAS_STATUS_SUCCESS };
struct cublasLtMatmulHeuristicResult_t {
  int algo;
};
enum {
  CUBLAS_OP_N,
  CUBLAS_OP_T,
  CUBLAS_COMPUTE_16F,
  CUBLAS_COMPUTE_32F,
  CUBLAS_COMPUTE_32F_FAST_TF32,
  CUBLAS_DEFAULT_MATH,
  CUBLAS_TF32_TENSOR_OP_MATH,
  CUBLAS_GEMM_DEFAULT,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP,
  CUBLASLT_EPILOGUE_BIAS,
  CUBLASLT_EPILOGUE_DEFAULT,
  CUBLASLT_EPILOGUE_GELU,
  CUBLASLT_EPILOGUE_GELU_BIAS,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER,
  CUBLASLT_MATMUL_DESC_EPILOGUE,
  CUBLASLT_MATMUL_DESC_TRANSA,
  CUBLASLT_MATMUL_DESC_TRANSB,
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES
};

inline const char *cublasGetStatusString(cublasStatus_t) { return ""; }
#define NOT_CALLED(name)                                                                                                         \
  template <class... Arguments> cublasStatus_t name(Arguments...) {                                                              \
    std::fprintf(stderr, #name " is not there: cuBLAS is a stub\n");                                                             \
    std::abort();                                                                                                                \
  }
// Programs that can do without cuBLAS make a handle all the same.
#define HANDLE(name)                                                                                                             \
  template <class... Arguments> cublasStatus_t name(Arguments...) { return CUBLAS_STATUS_SUCCESS; }
HANDLE(cublasCreate)
HANDLE(cublasDestroy)
HANDLE(cublasSetStream)
HANDLE(cublasSetMathMode)
NOT_CALLED(cublasSgemm)
NOT_CALLED(cublasSgemv)
NOT_CALLED(cublasGemmEx)
NOT_CALLED(cublasSgemmStridedBatched)
NOT_CALLED(cublasGemmStridedBatchedEx)
NOT_CALLED(cublasStrsmBatched)
HANDLE(cublasLtCreate)
HANDLE(cublasLtDestroy)
NOT_CALLED(cublasLtMatmul)
NOT_CALLED(cublasLtMatmulAlgoGetHeuristic)
NOT_CALLED(cublasLtMatmulDescCreate)
NOT_CALLED(cublasLtMatmulDescDestroy)
NOT_CALLED(cublasLtMatmulDescSetAttribute)
NOT_CALLED(cublasLtMatmulPreferenceCreate)
NOT_CALLED(cublasLtMatmulPreferenceDestroy)
NOT_CALLED(cublasLtMatmulPreferenceSetAttribute)
NOT_CALLED(cublasLtMatrixLayoutCreate)
NOT_CALLED(cublasLtMatrixLayoutDestroy)
#undef NOT_CALLED
