// Diagnostics: looking at values of a running program.

#ifndef CUTE_DIAGNOSTICS
#define CUTE_DIAGNOSTICS

include "Types.td"

def PrintOp : Cute_Effect<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "values as text on the standard output, in place of each `{}` of the format";
  let arguments = (ins OptionalAttr<StrAttr>:$fmt, Variadic<AnyType>:$values);
  let assemblyFormat = "`(` ($fmt^ `,` ` `)? `` $values `)` `:` custom<TypesOf>(ref($values), type($values)) attr-dict";
}

def PrintViewOp : Cute_Effect<"print_view", [MemoryEffects<[MemWrite]>]> {
  let summary = "every element of a view as text on the standard output";
  let arguments = (ins AnyView:$view, OptionalAttr<BoolAttr>:$is_signed, OptionalAttr<BoolAttr>:$verbose);
  let assemblyFormat = "`(` $view `)` attr-dict `:` type($view)";
}

#endif
