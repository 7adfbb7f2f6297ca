// Sums of rows, each by a cluster of 4 blocks that read one another's shared memory.
//
//   grid  (4, rows), cluster (4, 1), block 128
//
// Each block adds a quarter of the columns, 128 at a time, and keeps its sum in shared memory. After a barrier of the cluster the first
// block reads the sums of all 4 blocks. `nvvm.mapa` turns an address of its own shared memory into the same address of another block. A
// second barrier keeps the other blocks until they have been read.
//
//   cutec run examples/hopper/cluster_sum.mlir --grid 4,3 --arg "X:f32[3x1000]=random(1)" --arg "S:f32[3]" --out S=s.npy

!matrix = !cute.memref<f32, gmem, "(?,?):(?{i64},1)">
!vector = !cute.memref<f32, gmem, "(?):(1)">
!warps = !cute.memref<f32, smem, align<4>, "4:1">
!total = !cute.memref<f32, smem, align<4>, "1:0">
!number = !cute.int_tuple<"?">

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @cluster_sum(%X: !matrix, %S: !vector) kernel attributes {
        known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 4, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c4 = arith.constant 4 : i32
      %c32 = arith.constant 32 : i32
      %c128 = arith.constant 128 : i32
      %c512 = arith.constant 512 : i32
      %zero = arith.constant 0.0 : f32
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %rank = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
      %row = nvvm.read.ptx.sreg.ctaid.y : i32
      %lane = arith.remui %thread, %c32 : i32
      %warp = arith.divui %thread, %c32 : i32

      // A thread adds every 512th column.
      %extent = cute.size<[1]> (%X) : (!matrix) -> !number
      %columns = cute.get_scalars(%extent) : !number
      %before = arith.muli %rank, %c128 : i32
      %first = arith.addi %before, %thread : i32
      %own = scf.for %j = %first to %columns step %c512 iter_args(%sum = %zero) -> (f32) : i32 {
        %at = cute.make_coord(%row, %j) : (i32, i32) -> !cute.coord<"(?,?)">
        %x = cute.memref.load(%X, %at) : (!matrix, !cute.coord<"(?,?)">) -> f32
        %next = arith.addf %sum, %x : f32
        scf.yield %next : f32
      }

      // The sum of a warp by shuffles, the sum of the block through shared memory.
      %of_warp = gpu.subgroup_reduce add %own : (f32) -> f32
      %warps = cute.memref.alloc_smem() : !warps
      %total = cute.memref.alloc_smem() : !total
      %is_lane_0 = arith.cmpi eq, %lane, %c0 : i32
      scf.if %is_lane_0 {
        %at = cute.make_coord(%warp) : (i32) -> !cute.coord<"?">
        cute.memref.store(%warps, %at, %of_warp) : (!warps, !cute.coord<"?">, f32) -> ()
      }
      nvvm.barrier0
      %is_thread_0 = arith.cmpi eq, %thread, %c0 : i32
      %here = cute.make_coord() : () -> !cute.coord<"0">
      scf.if %is_thread_0 {
        %of_block = scf.for %w = %c0 to %c4 step %c1 iter_args(%sum = %zero) -> (f32) : i32 {
          %at = cute.make_coord(%w) : (i32) -> !cute.coord<"?">
          %x = cute.memref.load(%warps, %at) : (!warps, !cute.coord<"?">) -> f32
          %next = arith.addf %sum, %x : f32
          scf.yield %next : f32
        }
        cute.memref.store(%total, %here, %of_block) : (!total, !cute.coord<"0">, f32) -> ()
      }

      // All blocks have stored their sums.
      nvvm.cluster.arrive {aligned}
      nvvm.cluster.wait {aligned}
      %total_iter = cute.get_iter(%total) : !total
      %total_p = builtin.unrealized_conversion_cast %total_iter : !cute.ptr<f32, smem> to !llvm.ptr<3>
      %is_block_0 = arith.cmpi eq, %rank, %c0 : i32
      %is_first = arith.andi %is_block_0, %is_thread_0 : i1
      scf.if %is_first {
        %of_row = scf.for %block = %c0 to %c4 step %c1 iter_args(%sum = %zero) -> (f32) : i32 {
          %there = nvvm.mapa %total_p, %block : !llvm.ptr<3> -> !llvm.ptr<7>
          %x = llvm.load %there : !llvm.ptr<7> -> f32
          %next = arith.addf %sum, %x : f32
          scf.yield %next : f32
        }
        %at = cute.make_coord(%row) : (i32) -> !cute.coord<"?">
        cute.memref.store(%S, %at, %of_row) : (!vector, !cute.coord<"?">, f32) -> ()
      }

      // No block returns while its shared memory may still be read.
      nvvm.cluster.arrive {aligned}
      nvvm.cluster.wait {aligned}
      gpu.return
    }
  }
}
