// The files that share a translation unit: each of them alone would parse MLIR's headers again, which is what
// they cost. The other dialects cannot join, as generated functions of a dialect have the same names in each.

#include "Cute.cpp"
#include "Facts.cpp"
#include "Guard.cpp"
#include "Parse.cpp"
#include "Passes.cpp"
#include "Patterns.cpp"
#include "Signatures.cpp"
