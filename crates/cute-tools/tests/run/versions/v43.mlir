// y[row, column] = e4m3(x[n]) as f32, for n = row * columns + column in units of four elements.
// In custom assembly of CuTe DSL 4.3: one type for two results, `to` for the arrow, properties before the types.

!x = !cute.memref<f32, gmem, align<16>, "(4,?):(1,4)">
!y = !cute.memref<f32, gmem, align<16>, "(4,?,?):(1,?{i64 div=4},?{i64 div=4})">
!four = !cute.memref<f32, gmem, align<16>, "(4):(1)">
!divisor = !cute.fast_divmod_divisor<32>
!cfg = !cuda.launch_cfg<max_attrs = 3>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @narrow(%x: !x, %y: !y, %by: !divisor, %n: i32) attributes {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %bid = nvvm.read.ptx.sreg.ctaid.x : i32
      %size = nvvm.read.ptx.sreg.ntid.x : i32
      %first = arith.muli %bid, %size : i32
      %i = arith.addi %first, %tid : i32
      %in = arith.cmpi slt, %i, %n : i32
      scf.if %in {
        %row, %column = cute.fast_divmod.compute(%i, %by) : i32, !divisor -> i32
        %from = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
        %to = cute.make_coord(%row, %column) : (i32, i32) -> !cute.coord<"(_,?,?)">
        %source = cute.slice(%x, %from) : !x, !cute.coord<"(_,?)">
        %target = cute.slice(%y, %to) : !y, !cute.coord<"(_,?,?)">
        %v = cute.memref.load_vec %source : !four
        %narrow = nvgpu.cvt_fptrunc %v : vector<4xf32> to vector<4xf8E4M3FN>
        %wide = arith.extf %narrow : vector<4xf8E4M3FN> to vector<4xf32>
        cute.memref.store_vec %wide, %target : !four
      }
      cuda.return
    }
  }
  func.func @host(%x: !x, %y: !y, %columns: i32, %stream: !cuda.stream) -> i32 attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %none = arith.constant 0 : i64
    %block = arith.constant 32 : i32
    %by = cute.fast_divmod.create_divisor(%columns) : i32 -> !divisor
    %count = cute.size<[1]> (%x) : (!x) -> !cute.int_tuple<"?">
    %n = cute.get_scalars(%count) : !cute.int_tuple<"?">
    %grid = arith.ceildivsi %n, %block : i32
    %cfg = cuda.launch_cfg.create<max_attrs = 3 : i32> (blockDim = (%block, %c1, %c1), dynamicSmemBytes = %none, gridDim = (%grid, %c1, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg] %c0 : !cfg, i32
    cuda.launch_cfg.cooperative[%cfg] %c0 : !cfg, i32
    %launched = cuda.launch_ex @kernels::@narrow<%cfg> (%x, %y, %by, %n) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cfg, (!x, !y, !divisor, i32) -> !cuda.result
    %code = cuda.cast %launched : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
