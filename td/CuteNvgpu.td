// The `cute_nvgpu` dialect: atoms and architecture ops of NVIDIA GPUs.
include "Types.td"

class CuteNvgpu_Type<string cls, string m> : CuteTypeBase<CuteNvgpu_Dialect, cls, m>;

def CuteNvgpu_UniversalCopy : CuteNvgpu_Type<"UniversalCopy", "atom.universal_copy"> {
  let description = [{a plain load and store of up to 128 bits: `<f32, 128 b>`}];
}
def CuteNvgpu_SimtAsyncCopy : CuteNvgpu_Type<"SimtAsyncCopy", "atom.simt_async_copy"> {
  let description = [{cp.async from gmem to smem: `<f16, cache = global, 128 b>`}];
}

def GetDynSmemOp : CuteOpBase<CuteNvgpu_Dialect, "arch.get_dyn_smem", [Pure]> {
  let summary = "the base of the block's dynamic shared memory";
  let results = (outs Cute_Ptr:$result);
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
  let assemblyFormat = "`(` `)` attr-dict `:` qualified(type($result))";
}
