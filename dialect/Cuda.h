// The classes that TableGen generates from td/Cuda.td.

#ifndef CUDA_H
#define CUDA_H

#include "Cute.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "CudaDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "CudaTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "CudaAttrs.h.inc"
#define GET_OP_CLASSES
#include "CudaOps.h.inc"

#endif
