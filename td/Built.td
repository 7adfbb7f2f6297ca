// How ops are built: by Rust, in generic form. Default builders would be two fifths of the generated definitions, and
// TableGen writes none where an op declares one of its own.

#ifndef CUTE_BUILT
#define CUTE_BUILT

include "mlir/IR/OpBase.td"

class BuiltInRust {
  bit skipDefaultBuilders = 1;
  list<OpBuilder> builders = [OpBuilder<(ins), [{}]>];
}

#endif
