// y = 1 / (1 + 2^-x) by approximate instructions.

!vector = !cute.memref<f32, gmem, "(?):(1)">
!at = !cute.coord<"?">
!cfg = !cuda.launch_cfg<max_attrs = 3>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @sigmoid(%x: !vector, %y: !vector, %n: i32) attributes {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %bid = nvvm.read.ptx.sreg.ctaid.x : i32
      %dim = nvvm.read.ptx.sreg.ntid.x : i32
      %first = arith.muli %bid, %dim : i32
      %i = arith.addi %first, %tid : i32
      %in = arith.cmpi slt, %i, %n : i32
      scf.if %in {
        %one = arith.constant 1.0 : f32
        %at = cute.make_coord(%i) : (i32) -> !at
        %v = cute.memref.load(%x, %at) : (!vector, !at) -> f32
        %minus = arith.negf %v : f32
        %power = math.exp2 %minus fastmath<fast> : f32
        %sum = arith.addf %power, %one fastmath<fast> : f32
        %s = nvvm.rcp.approx.ftz.f %sum : f32
        cute.memref.store(%y, %at, %s) : (!vector, !at, f32) -> ()
      }
      cuda.return
    }
  }
  func.func @host(%x: !vector, %y: !vector, %stream: !cuda.stream) -> i32 attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant 0 : i64
    %c64 = arith.constant 64 : i32
    %n_size = cute.size (%x) : (!vector) -> !cute.int_tuple<"?">
    %n = cute.get_scalars(%n_size) : !cute.int_tuple<"?">
    %grid = arith.ceildivsi %n, %c64 : i32
    %cfg = cuda.launch_cfg.create<max_attrs = 3 : i32> (blockDim = (%c64, %c1, %c1), dynamicSmemBytes = %none, gridDim = (%grid, %c1, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg] %c0 : !cfg, i32
    cuda.launch_cfg.cooperative[%cfg] %c0 : !cfg, i32
    %launched = cuda.launch_ex @kernels::@sigmoid<%cfg> (%x, %y, %n) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cfg, (!vector, !vector, i32) -> !cuda.result
    %code = cuda.cast %launched : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
