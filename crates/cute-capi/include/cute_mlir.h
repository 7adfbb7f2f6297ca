// The dialects and passes of the plugin libcute_mlir.so, for programs that are linked with it and with MLIR
// 22 as shared libraries. Programs that load the plugin at run time do not need this header.

#ifndef CUTE_MLIR_H
#define CUTE_MLIR_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

// The dialects as handles, for mlirDialectHandleInsertDialect and similar functions.
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Cute, cute);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(CuteNvgpu, cute_nvgpu);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Cuda, cuda);

// Registers the passes, and the pipeline cute-compile.
MLIR_CAPI_EXPORTED void mlirRegisterCutePasses(void);

#ifdef __cplusplus
}
#endif

#endif
