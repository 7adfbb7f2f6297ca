// y[block] = x[block] once the other block of the cluster has arrived at a barrier of this one.
// In custom assembly of CuTe DSL 4.6: an address in the cluster, cast to shared memory, for ops that name their space.

!vector = !cute.memref<f32, gmem, align<16>, "(32,?):(1,32)">
!barrier = !cute.memref<i64, smem, align<8>, "(1):(1)">
!at = !cute.coord<"(?,?)">
!cfg = !cuda.launch_cfg<max_attrs = 17>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @meet(%x: !vector, %y: !vector) attributes {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %ticks = arith.constant 10000000 : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %bid = nvvm.read.ptx.sreg.ctaid.x : i32
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %memory = cute.memref.alloca() {smem.partition_id = 0 : i32} : !barrier
      %iter = cute.get_iter(%memory) : !barrier
      %bar = builtin.unrealized_conversion_cast %iter : !cute.ptr<i64, smem, align<8>> to !llvm.ptr<3>
      %first = arith.cmpi eq, %tid, %c0 : i32
      scf.if %first {
        nvvm.mbarrier.init.shared %bar, %c2 : !llvm.ptr<3>, i32
      }
      nvvm.fence.mbarrier.init
      nvvm.cluster.arrive.relaxed
      nvvm.cluster.wait
      %peer = arith.xori %rank, %c1 : i32
      scf.if %first {
        %remote = nvvm.mapa %bar, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
        %cast = llvm.addrspacecast %remote : !llvm.ptr<7> to !llvm.ptr<3>
        nvvm.mbarrier.txn %cast, %c1 {kind = #nvvm.mbar_txn_kind<arrive>, space = #nvvm.mbar_space<cluster>} : !llvm.ptr<3>, i32
        nvvm.mbarrier.txn %bar, %c1 {kind = #nvvm.mbar_txn_kind<arrive>} : !llvm.ptr<3>, i32
      }
      nvvm.mbarrier.try_wait.parity.shared %bar, %c0, %ticks : !llvm.ptr<3>, i32, i32
      %at = cute.make_coord(%tid, %bid) : (i32, i32) -> !at
      %v = cute.memref.load(%x, %at) : (!vector, !at) -> f32
      cute.memref.store(%y, %at, %v) : (!vector, !at, f32) -> ()
      nvvm.cluster.arrive
      nvvm.cluster.wait
      return
    }
  }
  func.func @host(%x: !vector, %y: !vector, %stream: !cuda.stream) -> i32 attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %none = arith.constant 0 : i64
    %block = arith.constant 32 : i32
    %bytes = cute.kernel_smem_size @kernels::@meet : i64
    %count = cute.size<[1]> (%x) : (!vector) -> !cute.int_tuple<"?">
    %grid = cute.get_scalars(%count) : !cute.int_tuple<"?">
    %cfg = cuda.launch_cfg.create<max_attrs = 17 : i32> (blockDim = (%block, %c1, %c1), dynamicSmemBytes = %bytes, gridDim = (%grid, %c1, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg] %c0 : !cfg, i32
    cuda.launch_cfg.cluster_dim[%cfg] (%c2, %c1, %c1) : !cfg, i32, i32, i32
    cuda.launch_cfg.cooperative[%cfg] %c0 : !cfg, i32
    %launched = cuda.launch_ex @kernels::@meet<%cfg> (%x, %y) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cfg, (!vector, !vector) -> !cuda.result
    %code = cuda.cast %launched : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
