// The `cuda` dialect of CuTe DSL: kernels, and host functions that launch them.
//
// An op is verified by one Rust function (crates/cute-dialect/src/host.rs), reached through `cuda_op_<Class>`.

#ifndef CUDA
#define CUDA

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "Built.td"
include "Documented.td"

def Cuda_Dialect : Dialect {
  let name = "cuda";
  let cppNamespace = "::cute::cuda";
  let summary = "Kernels and their launches, as CuTe DSL writes them";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

class Cuda_Type<string cls, string m> : TypeDef<Cuda_Dialect, cls>, Documented {
  let mnemonic = m;
  let summary = "!cuda." # m;
}
def Cuda_Stream : Cuda_Type<"Stream", "stream"> {
  let description = [{A stream of the CUDA driver. `cuda.cast` makes one of an `i64`; 0 is the default stream.}];
}
def Cuda_Event : Cuda_Type<"Event", "event"> {
  let description = [{An event of the CUDA driver, which the caller of a host function passes. The spelling is inferred: no
    published module has it.}];
}
def Cuda_Result : Cuda_Type<"Result", "result"> {
  let description = [{The result of a call of the CUDA driver. `cuda.cast` makes an `i32` of it; 0 is success.}];
}
def Cuda_LaunchCfg : Cuda_Type<"LaunchCfg", "launch_cfg"> {
  let description = [{The configuration of a launch: sizes, stream, and up to `max_attrs` attributes, each of which an op sets.}];
  let parameters = (ins "int32_t":$maxAttrs);
  let assemblyFormat = "`<` `max_attrs` `=` $maxAttrs `>`";
  let example = [{<max_attrs = 3>}];
  let fields = [Field<"max_attrs", "the most attributes that can be set">];
  let rules = [
    Rule<"number-op-makes", "the number is that of the op that makes it", "max_attrs is 2, but the result's type has room for 3",
         "write the same number in both">
  ];
}

class Cuda_Attr<string cls, string m> : AttrDef<Cuda_Dialect, cls>, Documented {
  let mnemonic = m;
  let summary = "#cuda." # m;
}
def Cuda_DevMaxSharedMemoryOptin : Cuda_Attr<"DevMaxSharedMemoryOptin", "dev_max_shared_memory_optin"> {
  let description = [{The most shared memory that a block may opt in to on the device at hand.}];
}
def Cuda_AssumeKernelAttr : Cuda_Attr<"AssumeKernelAttr", "assume_kernel_attr"> {
  let description = [{Whether a launch assumes that the attributes of the kernel (`cu_attrs`) are set.}];
  let parameters = (ins "bool":$value);
  let assemblyFormat = "`<` $value `>`";
  let example = [{<true>}];
  let fields = [Field<"value", "`true` or `false`">];
}
def Cuda_ComputeTarget : Cuda_Attr<"ComputeTarget", "compute_target"> {
  let description = [{The form of code that a module is compiled to, and the GPUs that it is for.}];
  let parameters = (ins StringRefParameter<"sass or ptx">:$code, StringRefParameter<"when to take it">:$condition,
                        ArrayRefParameter<"::mlir::StringAttr">:$targets);
  let assemblyFormat = "`<` custom<Word>($code) `,` custom<Word>($condition) `,` `[` custom<Words>($targets) `]` `>`";
  let example = [{<sass, conditional, [sm_90]>}];
  let fields = [
    Field<"code", "`sass` or `ptx`">, Field<"condition", "when to take it, such as `conditional`">,
    Field<"[targets]", "the GPUs">
  ];
}

class Cuda_Op<string m, list<Trait> traits = []> : Op<Cuda_Dialect, m, traits>, BuiltInRust, Documented {
  let hasVerifier = 1;
  let extraClassDefinition = [{
    extern "C" bool cuda_op_$cppClass(CuteRequest *) __attribute__((visibility("hidden")));
    ::mlir::LogicalResult $cppClass::verify() { return ::cute::verifyInRust(cuda_op_$cppClass, *this); }
  }];
}

def KernelOp : Cuda_Op<"kernel", [
    FunctionOpInterface, IsolatedFromAbove, AffineScope, AutomaticAllocationScope,
    OpAsmOpInterface]> {
  let summary = "a kernel";
  let description = [{A function that `cuda.launch_ex` launches. Its attributes say what its launches have in common:
    `nvvm.reqntid` (threads of a block), `nvvm.minctasm` (blocks of a multiprocessor), and `cu_attrs`, the attributes of the
    driver's function.}];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    static ::llvm::StringRef getDefaultDialect() { return "cuda"; } // `return` is `cuda.return` here
    ::mlir::Region *getCallableRegion() { return getBody().empty() ? nullptr : &getBody(); }
  }];
  let example = [{
    gpu.module @kernels {
      cuda.kernel @add(%a: !cute.memref<f32, gmem, "(?):(1)">) attributes {cute.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
        return
      }
    }
  }];
  let rules = [
    Rule<"no-results", "there are no results", "a kernel must not have results, found 1",
         "write results to memory">,
    Rule<"block-three-positive-sizes", "a block has three positive sizes", "'nvvm.reqntid' must be three positive numbers of threads, found array<i32: 128, 0, 1>",
         "write the threads along x, y and z">,
    Rule<"cu-attrs-dictionary", "`cu_attrs` is a dictionary", "'cu_attrs' must be a dictionary, found 3 : i32",
         "write `{name = value}`">
  ];
}

def ReturnOp : Cuda_Op<"return", [Pure, Terminator, ReturnLike, HasParent<"KernelOp">]> {
  let summary = "the end of a kernel";
  let assemblyFormat = "attr-dict";
  let description = [{In a `cuda.kernel` it is written `return`.}];
  let example = [{
    gpu.module @kernels {
      cuda.kernel @add(%a: !cute.memref<f32, gmem, "(?):(1)">) attributes {cute.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
        return
      }
    }
  }];
  let rules = [
    Rule<"kernel", "it is in a kernel", "expects parent op 'cuda.kernel'",
         "end other functions by their own return">
  ];
}

def LaunchCfgCreateOp : Cuda_Op<"launch_cfg.create"> {
  let summary = "the sizes and the stream of a launch";
  let description = [{Blocks are counted in `grid`, whether or not they form clusters. Room is made for `maxNumAttrs`
    attributes, and none is set.}];
  // As the dumps of CuTe DSL have it: `max_attrs = 3 : i32`.
  let arguments = (ins I32:$block_x, I32:$block_y, I32:$block_z, I64:$dynamic_smem_bytes, I32:$grid_x, I32:$grid_y, I32:$grid_z,
                       Cuda_Stream:$stream, I32Attr:$maxNumAttrs);
  let results = (outs Cuda_LaunchCfg:$cfg);
  let assemblyFormat = [{
    `<` `max_attrs` `=` custom<TypedI32>($maxNumAttrs) `>`
    `(` `blockDim` `=` `(` $block_x `,` $block_y `,` $block_z `)` `,` `dynamicSmemBytes` `=` $dynamic_smem_bytes `,`
    `gridDim` `=` `(` $grid_x `,` $grid_y `,` $grid_z `)` `,` `stream` `=` $stream `)` attr-dict `:`
    type($block_x) `,` type($block_y) `,` type($block_z) `,` type($dynamic_smem_bytes) `,`
    type($grid_x) `,` type($grid_y) `,` type($grid_z) `,` qualified(type($stream)) `->` qualified(type($cfg))}];
  let example = [{
    %cfg = cuda.launch_cfg.create<max_attrs = 3 : i32> (blockDim = (%threads, %one, %one), dynamicSmemBytes = %bytes, gridDim = (%blocks, %one, %one), stream = %stream)
      : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cuda.launch_cfg<max_attrs = 3>
  }];
  let rules = [
    Rule<"type-room-attributes", "the type has room for the attributes", "max_attrs is 2, but the result's type has room for 3",
         "write the same number in both">
  ];
}

def LaunchCfgClusterDimOp : Cuda_Op<"launch_cfg.cluster_dim"> {
  let summary = "sets the blocks of a cluster";
  let arguments = (ins Cuda_LaunchCfg:$cfg, I32:$x, I32:$y, I32:$z);
  let assemblyFormat = [{
    `[` $cfg `]` `(` $x `,` $y `,` $z `)` attr-dict `:` qualified(type($cfg)) `,` type($x) `,` type($y) `,` type($z)}];
  let example = [{
    cuda.launch_cfg.cluster_dim[%cfg] (%two, %one, %one) : !cuda.launch_cfg<max_attrs = 3>, i32, i32, i32
  }];
  let rules = [
    Rule<"static-size-positive", "a static size is positive", "a cluster must have at least one block along y, found 0",
         "write 1 for an axis without clusters">
  ];
}

def LaunchCfgPreferredClusterDimOp : Cuda_Op<"launch_cfg.preferred_cluster_dim"> {
  let summary = "sets the blocks of a cluster that the device takes where it can";
  let description = [{A hint. The device takes clusters of `cluster_dim` in the rest of the grid, and the simulator everywhere.
    The spelling is inferred: no published module has it.}];
  let arguments = (ins Cuda_LaunchCfg:$cfg, I32:$x, I32:$y, I32:$z);
  let assemblyFormat = [{
    `[` $cfg `]` `(` $x `,` $y `,` $z `)` attr-dict `:` qualified(type($cfg)) `,` type($x) `,` type($y) `,` type($z)}];
  let example = [{
    cuda.launch_cfg.preferred_cluster_dim[%cfg] (%two, %one, %one) : !cuda.launch_cfg<max_attrs = 3>, i32, i32, i32
  }];
  let rules = [
    Rule<"static-size-positive", "a static size is positive", "a cluster must have at least one block along y, found 0",
         "write 1 for an axis without clusters">
  ];
}

def LaunchCfgCompletionEventOp : Cuda_Op<"launch_cfg.launch_completion_event"> {
  let summary = "sets an event that is recorded when all blocks have begun";
  let description = [{`flags` are those of the driver's `cuEventRecordWithFlags`. `cutec host` passes it on, and `cutec run --host`,
    which has no events, refuses it. The spelling is inferred: no published module has it.}];
  let arguments = (ins Cuda_LaunchCfg:$cfg, Cuda_Event:$event, I32:$flags);
  let assemblyFormat = [{
    `[` $cfg `]` `(` $event `,` $flags `)` attr-dict `:` qualified(type($cfg)) `,` qualified(type($event)) `,` type($flags)}];
  let example = [{
    cuda.launch_cfg.launch_completion_event[%cfg] (%event, %flags) : !cuda.launch_cfg<max_attrs = 3>, !cuda.event, i32
  }];
}

def LaunchCfgProgrammaticEventOp : Cuda_Op<"launch_cfg.programmatic_event"> {
  let summary = "sets an event that is recorded when all blocks have let their dependents begin";
  let description = [{`flags` are those of the driver's `cuEventRecordWithFlags`. If `trigger_at_block_start` is 1, a block lets
    its dependents begin as it begins itself. `cutec host` passes it on, and `cutec run --host`, which has no events, refuses it.
    The spelling is inferred: no published module has it.}];
  let arguments = (ins Cuda_LaunchCfg:$cfg, Cuda_Event:$event, I32:$flags, I32:$trigger_at_block_start);
  let assemblyFormat = [{
    `[` $cfg `]` `(` $event `,` $flags `,` $trigger_at_block_start `)` attr-dict `:` qualified(type($cfg)) `,`
    qualified(type($event)) `,` type($flags) `,` type($trigger_at_block_start)}];
  let example = [{
    cuda.launch_cfg.programmatic_event[%cfg] (%event, %flags, %at_start) : !cuda.launch_cfg<max_attrs = 3>, !cuda.event, i32, i32
  }];
  let rules = [
    Rule<"static-trigger-at-block-start-0-1", "a static `trigger_at_block_start` is 0 or 1", "the value must be 0 or 1, found 2",
         "write 0 or 1">
  ];
}

class Cuda_LaunchFlag<string m> : Cuda_Op<"launch_cfg." # m> {
  let arguments = (ins Cuda_LaunchCfg:$cfg, I32:$value);
  let assemblyFormat = "`[` $cfg `]` $value attr-dict `:` qualified(type($cfg)) `,` type($value)";
}
def LaunchCfgProgrammaticOp : Cuda_LaunchFlag<"programmatic_stream_serialization_allowed"> {
  let summary = "sets whether the kernel may start before the one in front of it in the stream has ended: 0 or 1";
  let example = [{
    cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg] %one : !cuda.launch_cfg<max_attrs = 3>, i32
  }];
  let rules = [
    Rule<"static-value-0-1", "a static value is 0 or 1", "the value must be 0 or 1, found 2",
         "write 0 or 1">
  ];
}
def LaunchCfgCooperativeOp : Cuda_LaunchFlag<"cooperative"> {
  let summary = "sets whether all blocks must be resident at once: 0 or 1";
  let example = [{
    cuda.launch_cfg.cooperative[%cfg] %one : !cuda.launch_cfg<max_attrs = 3>, i32
  }];
  let rules = [
    Rule<"static-value-0-1", "a static value is 0 or 1", "the value must be 0 or 1, found 2",
         "write 0 or 1">
  ];
}

def LaunchExOp : Cuda_Op<"launch_ex", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "launches a kernel";
  let description = [{The arguments have the types of the kernel's.}];
  let arguments = (ins Cuda_LaunchCfg:$cfg, Variadic<AnyType>:$args, SymbolRefAttr:$callee,
                       OptionalAttr<Cuda_AssumeKernelAttr>:$assume_kernel_attr);
  let results = (outs Cuda_Result:$result);
  let assemblyFormat = [{
    $callee `<` $cfg `>` `(` $args `)` attr-dict `:` qualified(type($cfg)) `,`
    functional-type($args, results)}];
  // The kernel is looked up, which MLIR allows where it verifies uses of symbols.
  let hasVerifier = 0;
  let extraClassDefinition = [{
    extern "C" bool cuda_op_$cppClass(CuteRequest *) __attribute__((visibility("hidden")));
    ::mlir::LogicalResult $cppClass::verifySymbolUses(::mlir::SymbolTableCollection &) {
      return ::cute::verifyInRust(cuda_op_$cppClass, *this); }
  }];
  let example = [{
    module attributes {gpu.container_module} {
      gpu.module @kernels {
        cuda.kernel @scale(%a: !cute.memref<f32, gmem, "(?):(1)">, %s: f32) attributes {cute.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
          return
        }
      }
      func.func @launch(%cfg: !cuda.launch_cfg<max_attrs = 1>, %a: !cute.memref<f32, gmem, "(?):(1)">, %s: f32) -> !cuda.result {
        %result = cuda.launch_ex @kernels::@scale<%cfg> (%a, %s) : !cuda.launch_cfg<max_attrs = 1>, (!cute.memref<f32, gmem, "(?):(1)">, f32) -> !cuda.result
        return %result : !cuda.result
      }
    }
  }];
  let rules = [
    Rule<"kernel-exists", "the kernel exists", "launches @kernels::@k, which is not a symbol of this module",
         "correct the name">,
    Rule<"cuda-kernel", "it is a `cuda.kernel`", "launches @k, which is a func.func, not a cuda.kernel",
         "launch a kernel">,
    Rule<"arguments-types-kernel", "the arguments have the types of the kernel's", "argument #1 is i32, but @kernels::@k takes f32",
         "convert the argument">
  ];
}

def TensorMapOp : Cuda_Op<"tensor_map", [AttrSizedOperandSegments]>, Own {
  let summary = "a descriptor by which the TMA moves boxes of a tensor";
  let description = [{The address of 128 bytes that the host writes, as `cuTensorMapEncodeTiled` does, for the tensor at `address`.
    Its modes have these extents in elements and strides in bytes, the contiguous one first. `cute-to-base` makes it of
    `cute_nvgpu.atom.make_non_exec_tiled_tma_load` and its like.}];
  let arguments = (ins AnyType:$address, Variadic<I64>:$extents, Variadic<I64>:$strides, DenseI32ArrayAttr:$box_shape, StrAttr:$element,
                       StrAttr:$swizzle);
  let results = (outs AnyType:$map);
  let assemblyFormat = [{
    $address `extents` `(` $extents `)` `strides` `(` $strides `)` attr-dict `:` qualified(type($address)) `->`
    qualified(type($map))}];
  let example = [{
    %map = cuda.tensor_map %address extents(%n, %m) strides(%two, %row) {box_shape = array<i32: 64, 128>, element = "f16", swizzle = "128B"}
      : !llvm.ptr<1> -> !llvm.ptr
  }];
  let rules = [
    Rule<"element-type-one-tma", "the element type is one of the TMA", "'element' must be one of u8, u16, ..",
         "write one that the message lists">,
    Rule<"swizzle-one-tma", "the swizzle is one of the TMA", "'swizzle' must be one of none, 32B, 64B, 128B, ..",
         "write one that the message lists">,
    Rule<"box-1-5-modes-most-256", "a box has 1 to 5 modes of at most 256 elements", "'box_shape' must have 1 to 5 extents from 1 to 256, found (64, 512)",
         "choose a smaller box">,
    Rule<"one-extent-one-stride-per-mode", "there is one extent and one stride per mode of the box", "a box of 2 modes needs as many extents and strides, found 2 and 1",
         "pass one of each per mode">
  ];
}

def CastOp : Cuda_Op<"cast", [Pure]> {
  let summary = "converts a result of the driver to an `i32`, or an `i64` to a stream";
  let description = [{`!cuda.result` to `i32`, and `i64` to `!cuda.stream`.}];
  let arguments = (ins AnyTypeOf<[I64, Cuda_Result]>:$input);
  let results = (outs AnyTypeOf<[I32, Cuda_Stream]>:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let example = [{
    %stream = cuda.cast %handle : i64 -> !cuda.stream
  }];
  let rules = [
    Rule<"result-becomes-i32", "a result becomes an `i32`, and an `i64` a stream", "casts !cuda.result to i32 and i64 to !cuda.stream, found i64 to i32",
         "convert integers by `arith`">
  ];
}

def ReturnIfErrorOp : Cuda_Op<"return_if_error"> {
  let summary = "returns from the host function with this code unless it is 0";
  let arguments = (ins I32:$code);
  let assemblyFormat = "$code attr-dict `:` type($code)";
  let example = [{
    func.func @host(%result: !cuda.result) -> i32 {
      %code = cuda.cast %result : !cuda.result -> i32
      cuda.return_if_error %code : i32
      return %code : i32
    }
  }];
  let rules = [
    Rule<"function-returns-i32", "the function returns an `i32`", "must return an i32, but the function's results are ()",
         "let the host function return the code">
  ];
}

#endif
