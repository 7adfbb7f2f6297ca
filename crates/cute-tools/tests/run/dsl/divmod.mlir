// y[n % columns, n / columns] = x[n]: the host function prepares the division, the kernel multiplies and shifts.
// In generic form.

!vector = !cute.memref<f32, gmem, "(?):(1)">
!matrix = !cute.memref<f32, gmem, "(?,?):(?{i64},1)">
!divisor = !cute.fast_divmod_divisor<32>
!at = !cute.coord<"?">
!cfg = !cuda.launch_cfg<max_attrs = 3>

"builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    "cuda.kernel"() <{function_type = (!vector, !matrix, !divisor, i32) -> (), sym_name = "spread"}> ({
    ^bb0(%x: !vector, %y: !matrix, %by: !divisor, %n: i32):
      %11 = "nvvm.read.ptx.sreg.tid.x"() : () -> i32
      %12 = "nvvm.read.ptx.sreg.ctaid.x"() : () -> i32
      %13 = "nvvm.read.ptx.sreg.ntid.x"() : () -> i32
      %14 = "arith.muli"(%12, %13) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %15 = "arith.addi"(%14, %11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %16 = "arith.cmpi"(%15, %n) <{predicate = 2 : i64}> : (i32, i32) -> i1
      "scf.if"(%16) ({
        %17:2 = "cute.fast_divmod.compute"(%15, %by) : (i32, !divisor) -> (i32, i32)
        %18 = "cute.make_coord"(%15) : (i32) -> !at
        %19 = "cute.memref.load"(%x, %18) : (!vector, !at) -> f32
        %20 = "cute.make_coord"(%17#1, %17#0) : (i32, i32) -> !cute.coord<"(?,?)">
        "cute.memref.store"(%y, %20, %19) : (!matrix, !cute.coord<"(?,?)">, f32) -> ()
        "scf.yield"() : () -> ()
      }, {
      }) : (i1) -> ()
      "cuda.return"() : () -> ()
    }) {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (!vector, !matrix, i32, !cuda.stream) -> i32, sym_name = "host"}> ({
  ^bb0(%x: !vector, %y: !matrix, %columns: i32, %stream: !cuda.stream):
    %0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %4 = "cute.fast_divmod.create_divisor"(%columns) : (i32) -> !divisor
    %5 = "cute.size"(%x) <{mode = array<i32>}> : (!vector) -> !cute.int_tuple<"?">
    %6 = "cute.get_scalars"(%5) : (!cute.int_tuple<"?">) -> i32
    %7 = "arith.ceildivsi"(%6, %3) : (i32, i32) -> i32
    %8 = "cuda.launch_cfg.create"(%3, %1, %1, %2, %7, %1, %1, %stream) <{maxNumAttrs = 3 : i32}> : (i32, i32, i32, i64, i32, i32, i32, !cuda.stream) -> !cfg
    "cuda.launch_cfg.programmatic_stream_serialization_allowed"(%8, %0) : (!cfg, i32) -> ()
    "cuda.launch_cfg.cooperative"(%8, %0) : (!cfg, i32) -> ()
    %9 = "cuda.launch_ex"(%8, %x, %y, %4, %6) <{assume_kernel_attr = #cuda.assume_kernel_attr<true>, callee = @kernels::@spread}> : (!cfg, !vector, !matrix, !divisor, i32) -> !cuda.result
    %10 = "cuda.cast"(%9) : (!cuda.result) -> i32
    "cuda.return_if_error"(%10) : (i32) -> ()
    "func.return"(%0) : (i32) -> ()
  }) {llvm.emit_c_interface} : () -> ()
}) {gpu.container_module} : () -> ()
