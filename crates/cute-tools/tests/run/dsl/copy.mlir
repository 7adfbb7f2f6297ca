// Copies a vector of whole tiles of 512 elements, 128 bits per thread and access.
// In generic form.

!vector = !cute.memref<f32, gmem, align<16>, "(?{div=512}):(1)">
!tiler = !cute.tile<"[512:1]">
!tile = !cute.memref<f32, gmem, align<16>, "(512):(1)">
!atom = !cute_nvgpu.atom.universal_copy<f32, 128 b>
!tiled_copy = !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(128,4):(4,1)">, tiler_mn = <"[512:1]">>
!part = !cute.memref<f32, gmem, align<16>, "((4,1),(1)):((1,0),(0))">
!fragment = !cute.memref<f32, rmem, align<16>, "((4,1),(1)):((1,0),(0))">
!cfg = !cuda.launch_cfg<max_attrs = 3>

"builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    "cuda.kernel"() <{function_type = (!vector, !vector) -> (), sym_name = "copy"}> ({
    ^bb0(%x: !vector, %y: !vector):
      %11 = "nvvm.read.ptx.sreg.tid.x"() : () -> i32
      %12 = "nvvm.read.ptx.sreg.ctaid.x"() : () -> i32
      %13 = "cute.make_tile"() : () -> !tiler
      %14 = "cute.make_coord"(%12) : (i32) -> !cute.coord<"?">
      %15 = "cute.local_tile"(%x, %13, %14) : (!vector, !tiler, !cute.coord<"?">) -> !tile
      %16 = "cute.local_tile"(%y, %13, %14) : (!vector, !tiler, !cute.coord<"?">) -> !tile
      %17 = "cute.make_atom"() : () -> !atom
      %18 = "cute.make_tiled_copy"(%17) : (!atom) -> !tiled_copy
      %19 = "cute.make_coord"(%11) : (i32) -> !cute.coord<"?">
      %20 = "cute.tiled.copy.partition_S"(%18, %15, %19) : (!tiled_copy, !tile, !cute.coord<"?">) -> !part
      %21 = "cute.tiled.copy.partition_D"(%18, %16, %19) : (!tiled_copy, !tile, !cute.coord<"?">) -> !part
      %22 = "cute.memref.alloca"() : () -> !fragment
      "cute.copy"(%18, %20, %22) : (!tiled_copy, !part, !fragment) -> ()
      "cute.copy"(%18, %22, %21) : (!tiled_copy, !fragment, !part) -> ()
      "cuda.return"() : () -> ()
    }) {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (!vector, !vector, !cuda.stream) -> i32, sym_name = "host"}> ({
  ^bb0(%x: !vector, %y: !vector, %stream: !cuda.stream):
    %0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 128 : i32}> : () -> i32
    %4 = "cute.size"(%x) <{mode = array<i32>}> : (!vector) -> !cute.int_tuple<"?{div=512}">
    %5 = "cute.get_scalars"(%4) : (!cute.int_tuple<"?{div=512}">) -> i32
    %6 = "arith.constant"() <{value = 512 : i32}> : () -> i32
    %7 = "arith.ceildivsi"(%5, %6) : (i32, i32) -> i32
    %8 = "cuda.launch_cfg.create"(%3, %1, %1, %2, %7, %1, %1, %stream) <{maxNumAttrs = 3 : i32}> : (i32, i32, i32, i64, i32, i32, i32, !cuda.stream) -> !cfg
    "cuda.launch_cfg.programmatic_stream_serialization_allowed"(%8, %0) : (!cfg, i32) -> ()
    "cuda.launch_cfg.cooperative"(%8, %0) : (!cfg, i32) -> ()
    %9 = "cuda.launch_ex"(%8, %x, %y) <{assume_kernel_attr = #cuda.assume_kernel_attr<true>, callee = @kernels::@copy}> : (!cfg, !vector, !vector) -> !cuda.result
    %10 = "cuda.cast"(%9) : (!cuda.result) -> i32
    "cuda.return_if_error"(%10) : (i32) -> ()
    "func.return"(%0) : (i32) -> ()
  }) {llvm.emit_c_interface} : () -> ()
}) {gpu.container_module} : () -> ()
