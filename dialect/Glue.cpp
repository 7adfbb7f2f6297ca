// The files that share a translation unit, because parsing MLIR's headers takes most of the time to compile
// each of them.

#include "Create.cpp"
#include "Cute.cpp"
#include "Facts.cpp"
#include "Guard.cpp"
#include "Handles.cpp"
#include "LlvmPasses.cpp"
#include "Parse.cpp"
#include "Passes.cpp"
#include "Patterns.cpp"
#include "Signatures.cpp"
#include "Translate.cpp"

// The generated functions of each dialect have the same names.
#define generatedAttributeParser cudaAttributeParser
#define generatedAttributePrinter cudaAttributePrinter
#define generatedTypeParser cudaTypeParser
#define generatedTypePrinter cudaTypePrinter
#include "Cuda.cpp"
#undef generatedAttributeParser
#undef generatedAttributePrinter
#undef generatedTypeParser
#undef generatedTypePrinter
#define generatedAttributeParser cuteNvgpuAttributeParser
#define generatedAttributePrinter cuteNvgpuAttributePrinter
#define generatedTypeParser cuteNvgpuTypeParser
#define generatedTypePrinter cuteNvgpuTypePrinter
#include "CuteNvgpu.cpp"
