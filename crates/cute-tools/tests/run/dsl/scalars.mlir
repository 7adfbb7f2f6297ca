// y = a * x + b from element `first` on: scalars of five types.

!vector = !cute.memref<f32, gmem, "(?):(1)">
!at = !cute.coord<"?">
!cfg = !cuda.launch_cfg<max_attrs = 3>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @axpy(%x: !vector, %y: !vector, %a: f32, %n: i32, %first_of_all: i64, %b: f16, %negative: i8) attributes {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %bid = nvvm.read.ptx.sreg.ctaid.x : i32
      %dim = nvvm.read.ptx.sreg.ntid.x : i32
      %first = arith.muli %bid, %dim : i32
      %i = arith.addi %first, %tid : i32
      %begin = arith.trunci %first_of_all : i64 to i32
      %at_least = arith.cmpi sge, %i, %begin : i32
      %at_most = arith.cmpi slt, %i, %n : i32
      %in = arith.andi %at_least, %at_most : i1
      scf.if %in {
        %zero = arith.constant 0 : i8
        %is_negative = arith.cmpi ne, %negative, %zero : i8
        %wide = arith.extf %b : f16 to f32
        %minus = arith.negf %wide : f32
        %bias = arith.select %is_negative, %minus, %wide : f32
        %at = cute.make_coord(%i) : (i32) -> !at
        %v = cute.memref.load(%x, %at) : (!vector, !at) -> f32
        %product = arith.mulf %v, %a : f32
        %sum = arith.addf %product, %bias : f32
        cute.memref.store(%y, %at, %sum) : (!vector, !at, f32) -> ()
      }
      cuda.return
    }
  }
  func.func @host(%x: !vector, %y: !vector, %a: f32, %first: i64, %b: f16, %negative: i8, %stream: !cuda.stream) -> i32 attributes {llvm.emit_c_interface} {
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
    %launched = cuda.launch_ex @kernels::@axpy<%cfg> (%x, %y, %a, %n, %first, %b, %negative) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cfg, (!vector, !vector, f32, i32, i64, f16, i8) -> !cuda.result
    %code = cuda.cast %launched : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
