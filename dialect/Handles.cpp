// The dialects as handles in the convention of MLIR's C API. The plugin exports them from Rust, which first
// says what the dialects mean.

#include "Cuda.h"
#include "mlir/CAPI/Registration.h"

extern "C" {
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Cute, cute_in_rust, cute::CuteDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(CuteNvgpu, cute_nvgpu_in_rust, cute::CuteNvgpuDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Cuda, cuda_in_rust, cute::cuda::CudaDialect)
}
