// The `cute_nvgpu` dialect: atoms and architecture ops of NVIDIA GPUs.
include "Types.td"

class CuteNvgpu_Type<string cls, string m> : CuteTypeBase<CuteNvgpu_Dialect, cls, m>;

def CuteNvgpu_UniversalCopy : CuteNvgpu_Type<"UniversalCopy", "atom.universal_copy"> {
  let description = [{a plain load and store of up to 128 bits: `<f32, 128 b>`}];
}
def CuteNvgpu_SimtAsyncCopy : CuteNvgpu_Type<"SimtAsyncCopy", "atom.simt_async_copy"> {
  let description = [{cp.async from gmem to smem: `<f16, cache = global, 128 b>`}];
}
def CuteNvgpu_Ldsm : CuteNvgpu_Type<"Ldsm", "atom.ldsm"> {
  let description = [{ldmatrix: `<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>`}];
}
def CuteNvgpu_Stsm : CuteNvgpu_Type<"Stsm", "atom.stsm"> {
  let description = [{stmatrix: `<f16, mode = <"(8,8)">, num_matrices = 4, n>`}];
}
def CuteNvgpu_UniversalFma : CuteNvgpu_Type<"UniversalFma", "atom.universal_fma"> {
  let description = [{a multiplication and addition of one thread: `<1x1x1, (f32, f32) -> f32 >`}];
}
def CuteNvgpu_Sm70Mma : CuteNvgpu_Type<"Sm70Mma", "sm70.mma"> {
  let description = [{mma.sync of 8 threads, Volta: `<8x8x4, ab_major = (k, mn), elem_type = (f16, f16, f32) >`}];
}
def CuteNvgpu_Sm75Mma : CuteNvgpu_Type<"Sm75Mma", "sm75.mma"> {
  let description = [{mma.sync, Turing: `<16x8x8, elem_type = (f16, f16, f32) >`}];
}
def CuteNvgpu_Sm80Mma : CuteNvgpu_Type<"Sm80Mma", "sm80.mma"> {
  let description = [{mma.sync, Ampere and later: `<16x8x16, elem_type = (f16, f16, f32) >`}];
}
def CuteNvgpu_Sm89Mma : CuteNvgpu_Type<"Sm89Mma", "sm89.mma"> {
  let description = [{mma.sync on 8-bit floats: `<16x8x32, elem_type = (f8E4M3FN, f8E5M2, f32) >`}];
}
def CuteNvgpu_Sm120Mma : CuteNvgpu_Type<"Sm120Mma", "SM120.mma"> {
  let description = [{mma.sync on floats of 8, 6 and 4 bits: `<16x8x32, elem_type = (f4E2M1FN, f8E5M2, f32) >`}];
}

def GetDynSmemOp : CuteOpBase<CuteNvgpu_Dialect, "arch.get_dyn_smem", [Pure]> {
  let summary = "the base of the block's dynamic shared memory";
  let results = (outs Cute_Ptr:$result);
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
  let assemblyFormat = "`(` `)` attr-dict `:` qualified(type($result))";
}
