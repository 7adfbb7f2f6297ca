// Y = softmax(X) along the rows, f32, each row by a cluster of 4 blocks that push what the others need into their shared memory.
//
//   grid (4, rows), cluster (4, 1), block 128
//
// Each block has a quarter of the columns, 128 at a time. It computes their maximum and their sum relative to it, and writes the two into
// a slot in the memory of each block of the cluster, its own too. The thread that writes then arrives at the barrier of that block:
//
//   writer    nvvm.mapa, llvm.store to !llvm.ptr<7>             the slot in the other block
//             nvvm.mapa, nvvm.mbarrier.arrive {scope cluster}    releases the writes before it to the threads of the other block
//   reader    nvvm.mbarrier.try_wait {scope cluster}, in a loop  acquires them; it waits at the barrier of its own block, for 4 arrivals
//
// cluster_sum.mlir reads from the other blocks instead, and needs two barriers of the cluster: one before the reads, and one that keeps
// each block until it has been read. A push needs one barrier of the cluster at the beginning, for the barriers, and none at the end:
// when a block has waited for 4 arrivals, nobody will touch its memory any more.
//
//   cutec run examples/hopper/cluster_push.mlir --grid 4,3 --arg "X:f32[3x1000]=random(1)" --arg "Y:f32[3x1000]" --out Y=y.npy

!matrix = !cute.memref<f32, gmem, "(?,?):(?{i64},1)">
!warps = !cute.memref<f32, smem, align<4>, "4:1">
!slots = !cute.memref<f32, smem, align<8>, "(2,4):(1,2)">
!slot = !cute.memref<f32, smem, align<8>, "(2):(1)">
!barrier = !cute.memref<i64, smem, align<8>, "1:0">
!number = !cute.int_tuple<"?">

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @cluster_push(%X: !matrix, %Y: !matrix) kernel attributes {
        known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 4, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c4 = arith.constant 4 : i32
      %c32 = arith.constant 32 : i32
      %c128 = arith.constant 128 : i32
      %c512 = arith.constant 512 : i32
      %zero = arith.constant 0.0 : f32
      %one = arith.constant 1.0 : f32
      %minus_inf = arith.constant 0xFF800000 : f32
      %log2e = arith.constant 1.44269504 : f32
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %rank = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
      %row = nvvm.read.ptx.sreg.ctaid.y : i32
      %lane = arith.remui %thread, %c32 : i32
      %warp = arith.divui %thread, %c32 : i32
      %is_lane_0 = arith.cmpi eq, %lane, %c0 : i32
      %is_thread_0 = arith.cmpi eq, %thread, %c0 : i32

      // A barrier for the 4 arrivals of a phase. The blocks meet before any of them arrives at another one's.
      %maxima = cute.memref.alloc_smem() : !warps
      %sums = cute.memref.alloc_smem() : !warps
      %slots = cute.memref.alloc_smem() : !slots
      %barrier = cute.memref.alloc_smem() : !barrier
      %full = cute.get_iter(%barrier) : !barrier
      %full_p = builtin.unrealized_conversion_cast %full : !cute.ptr<i64, smem> to !llvm.ptr<3>
      scf.if %is_thread_0 {
        nvvm.mbarrier.init %full_p, %c4 : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
      nvvm.cluster.arrive.relaxed {aligned}

      // The maximum of the block's columns: of a thread's, of a warp's by shuffles, of the block's through shared memory.
      %extent = cute.size<[1]> (%X) : (!matrix) -> !number
      %columns = cute.get_scalars(%extent) : !number
      %before = arith.muli %rank, %c128 : i32
      %first = arith.addi %before, %thread : i32
      %m_thread = scf.for %j = %first to %columns step %c512 iter_args(%m = %minus_inf) -> (f32) : i32 {
        %at = cute.make_coord(%row, %j) : (i32, i32) -> !cute.coord<"(?,?)">
        %x = cute.memref.load(%X, %at) : (!matrix, !cute.coord<"(?,?)">) -> f32
        %next = arith.maximumf %m, %x : f32
        scf.yield %next : f32
      }
      %m_warp = gpu.subgroup_reduce maximumf %m_thread : (f32) -> f32
      %at_warp = cute.make_coord(%warp) : (i32) -> !cute.coord<"?">
      scf.if %is_lane_0 {
        cute.memref.store(%maxima, %at_warp, %m_warp) : (!warps, !cute.coord<"?">, f32) -> ()
      }
      nvvm.barrier0
      %m_block = scf.for %w = %c0 to %c4 step %c1 iter_args(%m = %minus_inf) -> (f32) : i32 {
        %at = cute.make_coord(%w) : (i32) -> !cute.coord<"?">
        %x = cute.memref.load(%maxima, %at) : (!warps, !cute.coord<"?">) -> f32
        %next = arith.maximumf %m, %x : f32
        scf.yield %next : f32
      }

      // The sum relative to it. A block without columns has the maximum -inf and the sum 0.
      %s_thread = scf.for %j = %first to %columns step %c512 iter_args(%s = %zero) -> (f32) : i32 {
        %at = cute.make_coord(%row, %j) : (i32, i32) -> !cute.coord<"(?,?)">
        %x = cute.memref.load(%X, %at) : (!matrix, !cute.coord<"(?,?)">) -> f32
        %d = arith.subf %x, %m_block : f32
        %e = arith.mulf %d, %log2e : f32
        %p = math.exp2 %e fastmath<fast> : f32
        %next = arith.addf %s, %p : f32
        scf.yield %next : f32
      }
      %s_warp = gpu.subgroup_reduce add %s_thread : (f32) -> f32
      scf.if %is_lane_0 {
        cute.memref.store(%sums, %at_warp, %s_warp) : (!warps, !cute.coord<"?">, f32) -> ()
      }
      nvvm.barrier0
      nvvm.cluster.wait {aligned}

      // Thread p pushes to block p: the slot has the number of this block.
      %pushes = arith.cmpi ult, %thread, %c4 : i32
      scf.if %pushes {
        %s_block = scf.for %w = %c0 to %c4 step %c1 iter_args(%s = %zero) -> (f32) : i32 {
          %at = cute.make_coord(%w) : (i32) -> !cute.coord<"?">
          %x = cute.memref.load(%sums, %at) : (!warps, !cute.coord<"?">) -> f32
          %next = arith.addf %s, %x : f32
          scf.yield %next : f32
        }
        %at_rank = cute.make_coord(%rank) : (i32) -> !cute.coord<"(_,?)">
        %own = cute.slice(%slots, %at_rank) : !slots, !cute.coord<"(_,?)">
        %own_iter = cute.get_iter(%own) : !slot
        %own_p = builtin.unrealized_conversion_cast %own_iter : !cute.ptr<f32, smem, align<8>> to !llvm.ptr<3>
        %there = nvvm.mapa %own_p, %thread : !llvm.ptr<3> -> !llvm.ptr<7>
        %both = vector.from_elements %m_block, %s_block : vector<2xf32>
        llvm.store %both, %there {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<7>
        %full_there = nvvm.mapa %full_p, %thread : !llvm.ptr<3> -> !llvm.ptr<7>
        nvvm.mbarrier.arrive %full_there {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
      }

      // Every thread waits until 4 blocks have pushed. try_wait may return early, so it is asked again.
      scf.while : () -> () {
        %arrived = nvvm.mbarrier.try_wait %full_p, %c0 {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32 -> i1
        %true = arith.constant true
        %waits = arith.xori %arrived, %true : i1
        scf.condition(%waits)
      } do {
        scf.yield
      }
      %m_row = scf.for %b = %c0 to %c4 step %c1 iter_args(%m = %minus_inf) -> (f32) : i32 {
        %at = cute.make_coord(%b) : (i32) -> !cute.coord<"(0,?)">
        %x = cute.memref.load(%slots, %at) : (!slots, !cute.coord<"(0,?)">) -> f32
        %next = arith.maximumf %m, %x : f32
        scf.yield %next : f32
      }
      %s_row = scf.for %b = %c0 to %c4 step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %at_m = cute.make_coord(%b) : (i32) -> !cute.coord<"(0,?)">
        %at_s = cute.make_coord(%b) : (i32) -> !cute.coord<"(1,?)">
        %m = cute.memref.load(%slots, %at_m) : (!slots, !cute.coord<"(0,?)">) -> f32
        %x = cute.memref.load(%slots, %at_s) : (!slots, !cute.coord<"(1,?)">) -> f32
        %d = arith.subf %m, %m_row : f32
        %e = arith.mulf %d, %log2e : f32
        %scale = math.exp2 %e fastmath<fast> : f32
        %next = math.fma %x, %scale, %s : f32
        scf.yield %next : f32
      }
      %inverse = arith.divf %one, %s_row : f32
      scf.for %j = %first to %columns step %c512 : i32 {
        %at = cute.make_coord(%row, %j) : (i32, i32) -> !cute.coord<"(?,?)">
        %x = cute.memref.load(%X, %at) : (!matrix, !cute.coord<"(?,?)">) -> f32
        %d = arith.subf %x, %m_row : f32
        %e = arith.mulf %d, %log2e : f32
        %p = math.exp2 %e fastmath<fast> : f32
        %y = arith.mulf %p, %inverse : f32
        cute.memref.store(%Y, %at, %y) : (!matrix, !cute.coord<"(?,?)">, f32) -> ()
      }
      gpu.return
    }
  }
}
