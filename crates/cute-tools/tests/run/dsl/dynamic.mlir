// Reverses each block's elements through dynamic shared memory, whose size the host function computes and the kernel
// asserts.

!vector = !cute.memref<f32, gmem, "(?):(1)">
!shared = !cute.memref<f32, smem, align<1024>, "(?):(1)">
!at = !cute.coord<"?">
!cfg = !cuda.launch_cfg<max_attrs = 3>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @reverse(%x: !vector, %y: !vector) attributes {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %bid = nvvm.read.ptx.sreg.ctaid.x : i32
      %dim = nvvm.read.ptx.sreg.ntid.x : i32
      %first = arith.muli %bid, %dim : i32
      %i = arith.addi %first, %tid : i32
      %c1 = arith.constant 1 : i32
      %c256 = arith.constant 256 : i32
      %has = cute_nvgpu.arch.get_dyn_smem_size() : i32
      %enough = arith.cmpi sge, %has, %c256 : i32
      cf.assert %enough, "Allocation failed: shared memory is too small"
      %bytes = cute_nvgpu.arch.get_dyn_smem() : !cute.ptr<i8, smem, align<1024>>
      %base = cute.recast_iter(%bytes) : !cute.ptr<i8, smem, align<1024>> to !cute.ptr<f32, smem, align<1024>>
      %shape = cute.make_shape(%dim) : (i32) -> !cute.shape<"(?)">
      %layout = cute.make_layout(%shape) : !cute.layout<"(?):(1)">
      %shared = cute.make_view(%base, %layout) : !shared
      %from = cute.make_coord(%i) : (i32) -> !at
      %v = cute.memref.load(%x, %from) : (!vector, !at) -> f32
      %own = cute.make_coord(%tid) : (i32) -> !at
      cute.memref.store(%shared, %own, %v) : (!shared, !at, f32) -> ()
      nvvm.barrier
      %last = arith.subi %dim, %c1 : i32
      %behind = arith.subi %last, %tid : i32
      %other = cute.make_coord(%behind) : (i32) -> !at
      %w = cute.memref.load(%shared, %other) : (!shared, !at) -> f32
      cute.memref.store(%y, %from, %w) : (!vector, !at, f32) -> ()
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
    %grid = arith.divsi %n, %c64 : i32
    %c4 = arith.constant 4 : i32
    %bytes = arith.muli %c64, %c4 : i32
    %smem = arith.extsi %bytes : i32 to i64
    %cfg = cuda.launch_cfg.create<max_attrs = 3 : i32> (blockDim = (%c64, %c1, %c1), dynamicSmemBytes = %smem, gridDim = (%grid, %c1, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg] %c0 : !cfg, i32
    cuda.launch_cfg.cooperative[%cfg] %c0 : !cfg, i32
    %launched = cuda.launch_ex @kernels::@reverse<%cfg> (%x, %y) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cfg, (!vector, !vector) -> !cuda.result
    %code = cuda.cast %launched : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
