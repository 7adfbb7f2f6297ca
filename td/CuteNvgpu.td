// The `cute_nvgpu` dialect: atoms and architecture ops of NVIDIA GPUs.
include "CopyTypes.td"
include "MmaTypes.td"
include "AtomFields.td"

def AtomSetValueOp : CuteOpBase<CuteNvgpu_Dialect, "atom.set_value", [Pure, Inferred]>, CarriesState {
  let summary = "the atom, bare or tiled, with another value in a field of its run-time state";
  let arguments = (ins AnyType:$atom, AnyType:$value, AnyAttr:$field);
  let results = (outs AnyType:$result);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # foldOne # inference # [{
    ::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &p, ::mlir::OperationState &s) { return ::cute::parseSetValue(p, s); }
    void $cppClass::print(::mlir::OpAsmPrinter &p) { ::cute::printSetValue(p, *this); }
  }];
  let description = [{The atom is a value: the op returns a new one, and the old one stays as it was. CuTe DSL 4.5 and later write
    `set_value<tma_bar>(%exec, %bar) : (ATOM, VALUE)`, which is read as well.}];
  let example = [{
    %load = cute_nvgpu.atom.set_value(%exec, %bar : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>}
      : !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>
  }];
  let rules = [
    Rule<"atom-field", "the atom has the field", "!cute_nvgpu.sm90.mma has no field #cute_nvgpu.atom_mma_field_sm90<neg_a>; it has #cute_nvgpu.atom_mma_field_sm90<accum_c>",
         "name one of the fields that the message lists">,
    Rule<"value-type-field", "the value has the type of the field", "accum_c must be i1, found i32",
         "convert the value">,
    Rule<"atom-run-time-state", "the atom has run-time state", "!cute_nvgpu.atom.universal_fma has no run-time state",
         "remove the op">
  ];
}
def AtomGetValueOp : CuteOpBase<CuteNvgpu_Dialect, "atom.get_value", [Pure]>, Emits {
  let summary = "the value of a field of an atom's run-time state";
  let arguments = (ins AnyType:$atom, AnyAttr:$field);
  let results = (outs AnyType:$result);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # foldOne # [{
    ::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &p, ::mlir::OperationState &s) { return ::cute::parseGetValue(p, s); }
    void $cppClass::print(::mlir::OpAsmPrinter &p) { ::cute::printGetValue(p, *this); }
  }];
  let example = [{
    %accumulate = cute_nvgpu.atom.get_value(%atom : !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>) {field = #cute_nvgpu.atom_mma_field_sm90<accum_c>}
      : i1
  }];
  let rules = [
    Rule<"atom-field", "the atom has the field", "!cute_nvgpu.atom.tma_store has no field #cute_nvgpu.atom_copy_field_tmastore<tma_bar>; it has ..",
         "name one of the fields that the message lists">
  ];
}

def GetDynSmemOp : CuteOpBase<CuteNvgpu_Dialect, "arch.get_dyn_smem", [Pure]>, MakesMemory {
  let summary = "the base of the block's dynamic shared memory";
  let results = (outs Cute_Ptr:$result);
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
  let assemblyFormat = "`(` `)` attr-dict `:` qualified(type($result))";
  let description = [{The launch decides the size. The type promises an alignment, which the code generator requests.}];
  let example = [{
    %smem = cute_nvgpu.arch.get_dyn_smem() : !cute.ptr<i8, smem, align<1024>>
  }];
  let rules = [
    Rule<"result-lies-smem", "the result lies in `smem`", "the result must be a !cute.ptr in smem",
         "write `smem` in the type">
  ];
}
def GetDynSmemSizeOp : CuteOpBase<CuteNvgpu_Dialect, "arch.get_dyn_smem_size", [Pure]>, Emits {
  let summary = "the bytes of the block's dynamic shared memory, as its launch gives them";
  let results = (outs AnyTypeOf<[I32]>:$result);
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
  let assemblyFormat = "`(` `)` attr-dict `:` type($result)";
  let example = [{
    %bytes = cute_nvgpu.arch.get_dyn_smem_size() : i32
  }];
}
def MakeWarpUniformOp : CuteOpBase<CuteNvgpu_Dialect, "arch.make_warp_uniform", [Pure, AllTypesMatch<["value", "result"]>]>, Emits {
  let summary = "the value of the warp's first lane, for all its lanes";
  let arguments = (ins I32:$value);
  let results = (outs I32:$result);
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
  let assemblyFormat = "`(` $value `)` attr-dict `:` type($value)";
  let description = [{The result is the same in all lanes, and the code generator may keep it in a uniform register. Every lane of the warp must execute the op.}];
  let example = [{
    %warp = cute_nvgpu.arch.make_warp_uniform(%warp_of_thread) : i32
  }];
}

include "Tma.td"
include "Tmem.td"
