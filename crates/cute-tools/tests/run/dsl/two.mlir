// Two kernels, one after another: t = x * x, and y[i] = t[i] + t[n - 1 - i]; where the argument `negate` is not 0, a
// third launch changes the signs.

!vector = !cute.memref<f32, gmem, "(?):(1)">
!at = !cute.coord<"?">
!cfg = !cuda.launch_cfg<max_attrs = 3>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @square(%x: !vector, %t: !vector, %n: i32) attributes {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %bid = nvvm.read.ptx.sreg.ctaid.x : i32
      %dim = nvvm.read.ptx.sreg.ntid.x : i32
      %first = arith.muli %bid, %dim : i32
      %i = arith.addi %first, %tid : i32
      %in = arith.cmpi slt, %i, %n : i32
      scf.if %in {
        %at = cute.make_coord(%i) : (i32) -> !at
        %v = cute.memref.load(%x, %at) : (!vector, !at) -> f32
        %w = arith.mulf %v, %v : f32
        cute.memref.store(%t, %at, %w) : (!vector, !at, f32) -> ()
      }
      cuda.return
    }
    cuda.kernel @fold(%t: !vector, %y: !vector, %n: i32, %sign: f32) attributes {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %bid = nvvm.read.ptx.sreg.ctaid.x : i32
      %dim = nvvm.read.ptx.sreg.ntid.x : i32
      %first = arith.muli %bid, %dim : i32
      %i = arith.addi %first, %tid : i32
      %in = arith.cmpi slt, %i, %n : i32
      scf.if %in {
        %c1 = arith.constant 1 : i32
        %last = arith.subi %n, %c1 : i32
        %j = arith.subi %last, %i : i32
        %at = cute.make_coord(%i) : (i32) -> !at
        %from_behind = cute.make_coord(%j) : (i32) -> !at
        %v = cute.memref.load(%t, %at) : (!vector, !at) -> f32
        %w = cute.memref.load(%t, %from_behind) : (!vector, !at) -> f32
        %sum = arith.addf %v, %w : f32
        %signed = arith.mulf %sum, %sign : f32
        cute.memref.store(%y, %at, %signed) : (!vector, !at, f32) -> ()
      }
      cuda.return
    }
  }
  func.func @host(%x: !vector, %t: !vector, %y: !vector, %negate: i32, %stream: !cuda.stream) -> i32 attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant 0 : i64
    %c64 = arith.constant 64 : i32
    %plus = arith.constant 1.0 : f32
    %minus = arith.constant -1.0 : f32
    %n_size = cute.size (%x) : (!vector) -> !cute.int_tuple<"?">
    %n = cute.get_scalars(%n_size) : !cute.int_tuple<"?">
    %grid = arith.ceildivsi %n, %c64 : i32
    %cfg1 = cuda.launch_cfg.create<max_attrs = 3 : i32> (blockDim = (%c64, %c1, %c1), dynamicSmemBytes = %none, gridDim = (%grid, %c1, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg1] %c0 : !cfg, i32
    cuda.launch_cfg.cooperative[%cfg1] %c0 : !cfg, i32
    %launched1 = cuda.launch_ex @kernels::@square<%cfg1> (%x, %t, %n) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cfg, (!vector, !vector, i32) -> !cuda.result
    %code1 = cuda.cast %launched1 : !cuda.result -> i32
    cuda.return_if_error %code1 : i32
    %cfg2 = cuda.launch_cfg.create<max_attrs = 3 : i32> (blockDim = (%c64, %c1, %c1), dynamicSmemBytes = %none, gridDim = (%grid, %c1, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg2] %c0 : !cfg, i32
    cuda.launch_cfg.cooperative[%cfg2] %c0 : !cfg, i32
    %launched2 = cuda.launch_ex @kernels::@fold<%cfg2> (%t, %y, %n, %plus) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cfg, (!vector, !vector, i32, f32) -> !cuda.result
    %code2 = cuda.cast %launched2 : !cuda.result -> i32
    cuda.return_if_error %code2 : i32
    %again = arith.cmpi ne, %negate, %c0 : i32
    scf.if %again {
      %third = cuda.launch_ex @kernels::@fold<%cfg2> (%t, %y, %n, %minus) : !cfg, (!vector, !vector, i32, f32) -> !cuda.result
    }
    return %c0 : i32
  }
}
