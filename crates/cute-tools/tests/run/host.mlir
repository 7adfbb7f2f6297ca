// Two launches of one kernel, with a grid that follows from a layout, and attributes that one of them has.

!vector = !cute.memref<f32, gmem, "(?):(1)">
!tiles = !cute.memref<f32, gmem, "((64),(?)):((1),(64))">
!cfg = !cuda.launch_cfg<max_attrs = 3>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @scale(%a: !vector, %b: !tiles, %n: i32, %by: f32) attributes {
        cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32},
        cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      nvvm.griddepcontrol wait
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %block = nvvm.read.ptx.sreg.ctaid.x : i32
      %size = nvvm.read.ptx.sreg.ntid.x : i32
      %first = arith.muli %block, %size : i32
      %i = arith.addi %first, %t : i32
      %in = arith.cmpi slt, %i, %n : i32
      scf.if %in {
        %from = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
        %to = cute.make_coord(%t, %block) : (i32, i32) -> !cute.coord<"((?),(?))">
        %v = cute.memref.load(%a, %from) : (!vector, !cute.coord<"?">) -> f32
        %w = arith.mulf %v, %by : f32
        cute.memref.store(%b, %to, %w) : (!tiles, !cute.coord<"((?),(?))">, f32) -> ()
      }
      cuda.return
    }
  }
  func.func @twice(%x: !vector, %y: !vector, %by: f32, %again: i32, %s: !cuda.stream) -> i32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %none = arith.constant 0 : i64
    %tile = cute.make_tile() : () -> !cute.tile<"[64:1]">
    %tiles = cute.zipped_divide(%y, %tile) : (!vector, !cute.tile<"[64:1]">) -> !tiles
    %blocks = cute.size<[1]> (%tiles) : (!tiles) -> !cute.int_tuple<"?">
    %grid = cute.get_scalars(%blocks) : !cute.int_tuple<"?">
    %all = cute.size (%x) : (!vector) -> !cute.int_tuple<"?">
    %n = cute.get_scalars(%all) : !cute.int_tuple<"?">
    %cfg = cuda.launch_cfg.create<max_attrs = 3 : i32> (blockDim = (%c64, %c1, %c1), dynamicSmemBytes = %none, gridDim = (%grid, %c1, %c1), stream = %s) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    cuda.launch_cfg.cooperative[%cfg] %c0 : !cfg, i32
    %r = cuda.launch_ex @kernels::@scale<%cfg> (%x, %tiles, %n, %by) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cfg, (!vector, !tiles, i32, f32) -> !cuda.result
    %e = cuda.cast %r : !cuda.result -> i32
    cuda.return_if_error %e : i32
    %more = arith.cmpi ne, %again, %c0 : i32
    scf.if %more {
      cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg] %c1 : !cfg, i32
      cuda.launch_cfg.cluster_dim[%cfg] (%again, %c1, %c1) : !cfg, i32, i32, i32
      %double = arith.mulf %by, %by : f32
      %r2 = cuda.launch_ex @kernels::@scale<%cfg> (%y, %tiles, %n, %double) : !cfg, (!vector, !tiles, i32, f32) -> !cuda.result
    }
    return %c0 : i32
  }
}
