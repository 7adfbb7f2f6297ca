// The files that share a translation unit, because parsing MLIR's headers takes most of the time to compile
// each of them. The other dialects need separate units, because the generated functions of each dialect have
// the same names.

#include "Create.cpp"
#include "Cute.cpp"
#include "Facts.cpp"
#include "Guard.cpp"
#include "Parse.cpp"
#include "Passes.cpp"
#include "Patterns.cpp"
#include "Signatures.cpp"
