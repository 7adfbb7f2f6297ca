// Views whose layouts are static are passed as addresses, and a layout alone is not passed: y(m, n) = x(m, n) + m, with
// x by rows and y by columns.

!x = !cute.memref<f32, gmem, "(8,16):(16,1)">
!y = !cute.memref<f32, gmem, "(8,16):(1,8)">
!threads = !cute.layout<"(8,16):(16,1)">
!at = !cute.coord<"(?,?)">
!cfg = !cuda.launch_cfg<max_attrs = 3>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @rows(%x: !x, %threads: !threads, %y: !y) attributes {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %hier = cute.get_flat_coord(%tid, %threads) : (i32, !threads) -> !at
      %m, %n = cute.get_scalars(%hier) : !at
      %v = cute.memref.load(%x, %hier) : (!x, !at) -> f32
      %row = arith.sitofp %m : i32 to f32
      %sum = arith.addf %v, %row : f32
      cute.memref.store(%y, %hier, %sum) : (!y, !at, f32) -> ()
      cuda.return
    }
  }
  func.func @host(%x: !x, %y: !y, %stream: !cuda.stream) -> i32 attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant 0 : i64
    %c128 = arith.constant 128 : i32
    %threads = cute.static : !threads
    %cfg = cuda.launch_cfg.create<max_attrs = 3 : i32> (blockDim = (%c128, %c1, %c1), dynamicSmemBytes = %none, gridDim = (%c1, %c1, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg] %c0 : !cfg, i32
    cuda.launch_cfg.cooperative[%cfg] %c0 : !cfg, i32
    %launched = cuda.launch_ex @kernels::@rows<%cfg> (%x, %threads, %y) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cfg, (!x, !threads, !y) -> !cuda.result
    %code = cuda.cast %launched : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
