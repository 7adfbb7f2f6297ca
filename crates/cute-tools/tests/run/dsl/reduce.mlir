// The largest element of each row: every thread goes over its columns, a warp exchanges by shuffles, and the warps of a
// block through shared memory.
// In generic form, with spellings of the MLIR that CuTe DSL is built with.

!matrix = !cute.memref<f32, gmem, "(?,?):(?{i64},1)">
!vector = !cute.memref<f32, gmem, "(?):(1)">
!shared = !cute.memref<f32, smem, align<16>, "(2):(1)">
!row_and_column = !cute.coord<"(?,?)">
!at = !cute.coord<"?">
!cfg = !cuda.launch_cfg<max_attrs = 3>

"builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    "cuda.kernel"() <{function_type = (!matrix, !vector) -> (), sym_name = "reduce"}> ({
    ^bb0(%a: !matrix, %y: !vector):
      %9 = "arith.constant"() <{value = 0 : i32}> : () -> i32
      %10 = "arith.constant"() <{value = 1 : i32}> : () -> i32
      %11 = "arith.constant"() <{value = 5 : i32}> : () -> i32
      %12 = "arith.constant"() <{value = 16 : i32}> : () -> i32
      %13 = "arith.constant"() <{value = 31 : i32}> : () -> i32
      %14 = "arith.constant"() <{value = 32 : i32}> : () -> i32
      %15 = "arith.constant"() <{value = 64 : i32}> : () -> i32
      %16 = "arith.constant"() <{value = -1 : i32}> : () -> i32
      %17 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32
      %18 = "nvvm.read.ptx.sreg.tid.x"() : () -> i32
      %19 = "nvvm.read.ptx.sreg.ctaid.x"() : () -> i32
      %20 = "cute.get_layout"(%a) : (!matrix) -> !cute.layout<"(?,?):(?{i64},1)">
      %21 = "cute.get_shape"(%20) : (!cute.layout<"(?,?):(?{i64},1)">) -> !cute.shape<"(?,?)">
      %22:2 = "cute.get_scalars"(%21) : (!cute.shape<"(?,?)">) -> (i32, i32)
      %23 = "scf.for"(%18, %22#1, %15, %17) ({
      ^bb0(%arg7: i32, %arg8: f32):
        %40 = "cute.make_coord"(%19, %arg7) : (i32, i32) -> !row_and_column
        %41 = "cute.memref.load"(%a, %40) : (!matrix, !row_and_column) -> f32
        %42 = "nvvm.fmax"(%arg8, %41) : (f32, f32) -> f32
        "scf.yield"(%42) : (f32) -> ()
      }) : (i32, i32, i32, f32) -> f32
      %24 = "scf.for"(%9, %11, %10, %23) ({
      ^bb0(%arg5: i32, %arg6: f32):
        %37 = "arith.shrui"(%12, %arg5) : (i32, i32) -> i32
        %38 = "nvvm.shfl.sync"(%16, %arg6, %37, %13) <{kind = #nvvm<shfl_kind bfly>}> : (i32, f32, i32, i32) -> f32
        %39 = "nvvm.fmax"(%arg6, %38) : (f32, f32) -> f32
        "scf.yield"(%39) : (f32) -> ()
      }) : (i32, i32, i32, f32) -> f32
      %25 = "cute.memref.alloc_smem"() : () -> !shared
      %26 = "arith.divui"(%18, %14) : (i32, i32) -> i32
      %27 = "arith.remui"(%18, %14) : (i32, i32) -> i32
      %28 = "arith.cmpi"(%27, %9) <{predicate = 0 : i64}> : (i32, i32) -> i1
      "scf.if"(%28) ({
        %36 = "cute.make_coord"(%26) : (i32) -> !at
        "cute.memref.store"(%25, %36, %24) : (!shared, !at, f32) -> ()
        "scf.yield"() : () -> ()
      }, {
      }) : (i1) -> ()
      "nvvm.barrier"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
      %29 = "arith.cmpi"(%18, %9) <{predicate = 0 : i64}> : (i32, i32) -> i1
      "scf.if"(%29) ({
        %30 = "cute.make_coord"() : () -> !cute.coord<"0">
        %31 = "cute.make_coord"() : () -> !cute.coord<"1">
        %32 = "cute.memref.load"(%25, %30) : (!shared, !cute.coord<"0">) -> f32
        %33 = "cute.memref.load"(%25, %31) : (!shared, !cute.coord<"1">) -> f32
        %34 = "nvvm.fmax"(%32, %33) : (f32, f32) -> f32
        %35 = "cute.make_coord"(%19) : (i32) -> !at
        "cute.memref.store"(%y, %35, %34) : (!vector, !at, f32) -> ()
        "scf.yield"() : () -> ()
      }, {
      }) : (i1) -> ()
      "cuda.return"() : () -> ()
    }) {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (!matrix, !vector, !cuda.stream) -> i32, sym_name = "host"}> ({
  ^bb0(%a: !matrix, %y: !vector, %stream: !cuda.stream):
    %0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %3 = "cute.size"(%y) <{mode = array<i32>}> : (!vector) -> !cute.int_tuple<"?">
    %4 = "cute.get_scalars"(%3) : (!cute.int_tuple<"?">) -> i32
    %5 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %6 = "cuda.launch_cfg.create"(%5, %1, %1, %2, %4, %1, %1, %stream) <{maxNumAttrs = 3 : i32}> : (i32, i32, i32, i64, i32, i32, i32, !cuda.stream) -> !cfg
    "cuda.launch_cfg.programmatic_stream_serialization_allowed"(%6, %0) : (!cfg, i32) -> ()
    "cuda.launch_cfg.cooperative"(%6, %0) : (!cfg, i32) -> ()
    %7 = "cuda.launch_ex"(%6, %a, %y) <{assume_kernel_attr = #cuda.assume_kernel_attr<true>, callee = @kernels::@reduce}> : (!cfg, !matrix, !vector) -> !cuda.result
    %8 = "cuda.cast"(%7) : (!cuda.result) -> i32
    "cuda.return_if_error"(%8) : (i32) -> ()
    "func.return"(%0) : (i32) -> ()
  }) {llvm.emit_c_interface} : () -> ()
}) {gpu.container_module} : () -> ()
