// Generated classes of the `cute_nvgpu` dialect.

#include "Cute.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "CuteNvgpuDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "CuteNvgpuTypes.cpp.inc"
#define GET_OP_CLASSES
#include "CuteNvgpuOps.cpp.inc"

void cute::CuteNvgpuDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "CuteNvgpuTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "CuteNvgpuOps.cpp.inc"
      >();
}
