// Diagnostics: looking at values of a running program.

#ifndef CUTE_DIAGNOSTICS
#define CUTE_DIAGNOSTICS

include "Types.td"

def PrintOp : Cute_Effect<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "values as text on the standard output, in place of each `{}` of the format";
  let arguments = (ins OptionalAttr<StrAttr>:$fmt, Variadic<AnyType>:$values);
  let assemblyFormat = "`(` ($fmt^ `,` ` `)? `` $values `)` `:` custom<TypesOf>(ref($values), type($values)) attr-dict";
  let description = [{Every thread prints. Put the op under an `scf.if` on the thread number to print once.}];
  let example = [{
    cute.print("tile {} of {}", %at, %shape) : !cute.coord<"(?,?)">, !cute.shape<"(?,64)">
  }];
  let rules = [
    Rule<"format-one-per-value", "the format has one `{}` per value", "the format has 2 `{}` for 1 values",
         "add a `{}`, or remove a value">,
    Rule<"format-value", "there is a format or a value", "has neither a format nor a value to print",
         "pass a value">
  ];
}

def PrintViewOp : Cute_Effect<"print_view", [MemoryEffects<[MemWrite]>]> {
  let summary = "every element of a view as text on the standard output";
  let arguments = (ins AnyView:$view, OptionalAttr<BoolAttr>:$is_signed, OptionalAttr<BoolAttr>:$verbose);
  let assemblyFormat = "`(` $view `)` attr-dict `:` type($view)";
  let description = [{Every thread prints. `is_signed` says how integers print, `verbose` adds the type.}];
  let example = [{
    cute.print_view(%gA) : !cute.memref<f32, gmem, "(3,4):(4,1)">
  }];
  let rules = [
    Rule<"operand-memref-coord-tensor", "the operand is a memref or coord_tensor", "operand #0 must be memref or coord_tensor, but got ..",
         "make a view of the pointer">
  ];
}

#endif
