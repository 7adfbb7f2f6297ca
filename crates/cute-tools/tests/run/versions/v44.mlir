// y = x + 1, tile by tile. A block asks for the work of blocks that have not begun, until none is left.
// In custom assembly of CuTe DSL 4.4: only the types of results, or no types.

!vector = !cute.memref<f32, gmem, align<16>, "(?):(1)">
!word = !cute.memref<i128, smem, align<16>, "(1):(1)">
!bar = !cute.ptr<i64, smem, align<16>>
!cfg = !cuda.launch_cfg<max_attrs = 3>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @persistent(%x: !vector, %y: !vector, %n: i32) attributes {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c16 = arith.constant 16 : i32
      %c32 = arith.constant 32 : i32
      %ticks = arith.constant 10000000 : i32
      %one = arith.constant 1.0 : f32
      %true = arith.constant true
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %bid = nvvm.read.ptx.sreg.ctaid.x : i32
      %base = cute_nvgpu.arch.get_dyn_smem() : !cute.ptr<i8, smem, align<1024>>
      %offset = cute.make_int_tuple() : () -> !cute.int_tuple<"16">
      %behind = cute.add_offset(%base, %offset) : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"16">) -> !cute.ptr<i8, smem, align<16>>
      %at = cute.recast_iter(%base) : !cute.ptr<i8, smem, align<1024>> to !cute.ptr<i128, smem, align<16>>
      %shape = cute.make_shape() : () -> !cute.shape<"(1)">
      %layout = cute.make_layout(%shape) : !cute.layout<"(1):(1)">
      %word = cute.make_view(%at, %layout) : !word
      %bar = cute.recast_iter(%behind) : !cute.ptr<i8, smem, align<16>> to !bar
      %response = builtin.unrealized_conversion_cast %at : !cute.ptr<i128, smem, align<16>> to !llvm.ptr<3>
      %barrier = builtin.unrealized_conversion_cast %bar : !bar to !llvm.ptr<3>
      %first = arith.cmpi eq, %tid, %c0 : i32
      scf.if %first {
        nvvm.mbarrier.init.shared %barrier, %c1 : !llvm.ptr<3>, i32
      }
      nvvm.fence.mbarrier.init
      nvvm.barrier
      %last:3 = scf.while (%tile = %bid, %phase = %c0, %more = %true) : (i32, i32, i1) -> (i32, i32, i1) {
        scf.condition(%more) %tile, %phase, %more : i32, i32, i1
      } do {
      ^bb0(%tile: i32, %phase: i32, %more: i1):
        scf.if %first {
          nvvm.mbarrier.txn %barrier, %c16 {kind = #nvvm.mbar_txn_kind<arrive_expect_tx>} : !llvm.ptr<3>, i32
          nvvm.clusterlaunchcontrol.try_cancel.multicast %response, %barrier
        }
        %begin = arith.muli %tile, %c32 : i32
        %i = arith.addi %begin, %tid : i32
        %in = arith.cmpi slt, %i, %n : i32
        scf.if %in {
          %coord = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
          %v = cute.memref.load(%x, %coord) : (!vector, !cute.coord<"?">) -> f32
          %sum = arith.addf %v, %one : f32
          cute.memref.store(%y, %coord, %sum) : (!vector, !cute.coord<"?">, f32) -> ()
        }
        nvvm.mbarrier.try_wait.parity.shared %barrier, %phase, %ticks : !llvm.ptr<3>, i32, i32
        %answers = cute.memref.load_vec %word : !word
        %answer = vector.extractelement %answers[%c0 : i32] : vector<1xi128>
        %taken = nvvm.clusterlaunchcontrol.query_cancel.is_canceled %answer : i1
        %next = scf.if %taken -> (i32) {
          %ctaid = nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.x %answer : i32
          scf.yield %ctaid : i32
        } else {
          scf.yield %tile : i32
        }
        nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
        nvvm.barrier
        %other = arith.xori %phase, %c1 : i32
        scf.yield %next, %other, %taken : i32, i32, i1
      }
      cuda.return
    }
  }
  func.func @host(%x: !vector, %y: !vector, %stream: !cuda.stream) -> i32 attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %none = arith.constant 0 : i64
    %block = arith.constant 32 : i32
    %bytes = arith.constant 32 : i64
    %count = cute.size (%x) : (!vector) -> !cute.int_tuple<"?">
    %n = cute.get_scalars(%count) : !cute.int_tuple<"?">
    %grid = arith.ceildivsi %n, %block : i32
    %cfg = cuda.launch_cfg.create<max_attrs = 3 : i32> (blockDim = (%block, %c1, %c1), dynamicSmemBytes = %bytes, gridDim = (%grid, %c1, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg] %c0 : !cfg, i32
    cuda.launch_cfg.cooperative[%cfg] %c0 : !cfg, i32
    %launched = cuda.launch_ex @kernels::@persistent<%cfg> (%x, %y, %n) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cfg, (!vector, !vector, i32) -> !cuda.result
    %code = cuda.cast %launched : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
