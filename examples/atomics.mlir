// Counts how often each byte occurs: atomics in shared memory, then one atomic per bin and block in global memory.
//
//   grid  ceil(N / 4096), block 256
//
// No op of cute is an atomic. The address of an element comes from cute, as an iterator plus an offset; a cast turns it into an LLVM
// pointer, and `llvm.atomicrmw` does the rest. Plain loads and stores through such a pointer work the same way.
//
//   cutec run examples/atomics.mlir --grid 3 --arg "x:i8[10000]=random(1)" --arg "counts:i32[256]" --out counts=c.npy

!bytes = !cute.memref<i8, gmem, "(?):(1)">
!counts = !cute.memref<i32, gmem, "256:1">
!bins = !cute.memref<i32, smem, align<4>, "256:1">
!bin = !cute.ptr<i32, smem>
!count = !cute.ptr<i32, gmem>
!number = !cute.int_tuple<"?">

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @histogram(%x: !bytes, %counts: !counts) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c256 = arith.constant 256 : i32
      %c4096 = arith.constant 4096 : i32
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block = nvvm.read.ptx.sreg.ctaid.x : i32

      // Every thread clears its bin.
      %bins = cute.memref.alloc_smem() : !bins
      %own = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
      cute.memref.store(%bins, %own, %c0) : (!bins, !cute.coord<"?">, i32) -> ()
      nvvm.barrier0

      // It counts 16 bytes that are 256 apart. Two threads may have the same byte at the same time.
      %size = cute.size(%x) : (!bytes) -> !number
      %n = cute.get_scalars(%size) : !number
      %first = arith.muli %block, %c4096 : i32
      %begin = arith.addi %first, %thread : i32
      %behind = arith.addi %first, %c4096 : i32
      %end = arith.minsi %behind, %n : i32
      %bins_iter = cute.get_iter(%bins) : !bins
      scf.for %i = %begin to %end step %c256 : i32 {
        %at = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
        %byte = cute.memref.load(%x, %at) : (!bytes, !cute.coord<"?">) -> i8
        %value = arith.extui %byte : i8 to i32
        %offset = cute.make_int_tuple(%value) : (i32) -> !number
        %bin = cute.add_offset(%bins_iter, %offset) : (!bin, !number) -> !bin
        %bin_p = builtin.unrealized_conversion_cast %bin : !bin to !llvm.ptr<3>
        %before = llvm.atomicrmw add %bin_p, %c1 syncscope("block") monotonic : !llvm.ptr<3>, i32
      }
      nvvm.barrier0

      // Blocks add their bins.
      %sum = cute.memref.load(%bins, %own) : (!bins, !cute.coord<"?">) -> i32
      %counts_iter = cute.get_iter(%counts) : !counts
      %own_offset = cute.make_int_tuple(%thread) : (i32) -> !number
      %count = cute.add_offset(%counts_iter, %own_offset) : (!count, !number) -> !count
      %count_p = builtin.unrealized_conversion_cast %count : !count to !llvm.ptr<1>
      %before = llvm.atomicrmw add %count_p, %sum monotonic : !llvm.ptr<1>, i32
      gpu.return
    }
  }
}
