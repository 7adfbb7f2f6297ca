// y = f16(x + bias), four elements per thread as a vector.
// In generic form, with spellings of the MLIR that CuTe DSL is built with.

!x = !cute.memref<f32, gmem, align<16>, "(4,?):(1,4)">
!y = !cute.memref<f16, gmem, align<8>, "(4,?):(1,4)">
!column = !cute.coord<"(_,?)">
!four = !cute.memref<f32, gmem, align<16>, "(4):(1)">
!four_narrow = !cute.memref<f16, gmem, align<8>, "(4):(1)">
!cfg = !cuda.launch_cfg<max_attrs = 3>

"builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    "cuda.kernel"() <{function_type = (!x, !y, f32) -> (), sym_name = "convert"}> ({
    ^bb0(%x: !x, %y: !y, %bias: f32):
      %10 = "nvvm.read.ptx.sreg.tid.x"() : () -> i32
      %11 = "nvvm.read.ptx.sreg.ctaid.x"() : () -> i32
      %12 = "nvvm.read.ptx.sreg.ntid.x"() : () -> i32
      %13 = "arith.muli"(%11, %12) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %14 = "arith.addi"(%13, %10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %15 = "cute.make_coord"(%14) : (i32) -> !column
      %16 = "cute.slice"(%x, %15) : (!x, !column) -> !four
      %17 = "cute.slice"(%y, %15) : (!y, !column) -> !four_narrow
      %18 = "cute.memref.load_vec"(%16) : (!four) -> vector<4xf32>
      %19 = "vector.splat"(%bias) : (f32) -> vector<4xf32>
      %20 = "arith.addf"(%18, %19) <{fastmath = #arith.fastmath<none>}> : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
      %21 = "arith.truncf"(%20) : (vector<4xf32>) -> vector<4xf16>
      "cute.memref.store_vec"(%21, %17) : (vector<4xf16>, !four_narrow) -> ()
      "cuda.return"() : () -> ()
    }) {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (!x, !y, f32, !cuda.stream) -> i32, sym_name = "host"}> ({
  ^bb0(%x: !x, %y: !y, %bias: f32, %stream: !cuda.stream):
    %0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %4 = "cute.size"(%x) <{mode = array<i32: 1>}> : (!x) -> !cute.int_tuple<"?">
    %5 = "cute.get_scalars"(%4) : (!cute.int_tuple<"?">) -> i32
    %6 = "arith.divsi"(%5, %3) : (i32, i32) -> i32
    %7 = "cuda.launch_cfg.create"(%3, %1, %1, %2, %6, %1, %1, %stream) <{maxNumAttrs = 3 : i32}> : (i32, i32, i32, i64, i32, i32, i32, !cuda.stream) -> !cfg
    "cuda.launch_cfg.programmatic_stream_serialization_allowed"(%7, %0) : (!cfg, i32) -> ()
    "cuda.launch_cfg.cooperative"(%7, %0) : (!cfg, i32) -> ()
    %8 = "cuda.launch_ex"(%7, %x, %y, %bias) <{assume_kernel_attr = #cuda.assume_kernel_attr<true>, callee = @kernels::@convert}> : (!cfg, !x, !y, f32) -> !cuda.result
    %9 = "cuda.cast"(%8) : (!cuda.result) -> i32
    "cuda.return_if_error"(%9) : (i32) -> ()
    "func.return"(%0) : (i32) -> ()
  }) {llvm.emit_c_interface} : () -> ()
}) {gpu.container_module} : () -> ()
