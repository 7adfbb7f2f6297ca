// Blocks of a cluster add their rows to each other's in smem, and both to gmem, by bulk reductions.
!row = !cute.memref<i32, gmem, align<16>, "(?,128):(128,1)">
!smem = !cute.memref<i32, smem, align<16>, "(128):(1)">
!load = !cute_nvgpu.atom.bulk_copy_g2s<i32 copy_bits = 4096>
!send = !cute_nvgpu.atom.bulk_reduce_s2s<i32 copy_bits = 4096 kind = ADD>
!store = !cute_nvgpu.atom.bulk_reduce_s2g<i32 copy_bits = 4096 kind = ADD>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @add(%a: !row, %b: !row) kernel attributes {nvvm.reqntid = array<i32: 32>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %bytes = arith.constant 512 : i32
      %both = arith.constant 1024 : i32
      %block = nvvm.read.ptx.sreg.ctaid.x : i32
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %other = arith.xori %rank, %c1 : i32
      %own = cute.memref.alloc_smem() : !smem
      %its = cute.memref.alloc_smem() : !smem
      %bars = cute.memref.alloc_smem() : !cute.memref<i64, smem, align<8>, "2:1">
      %loaded = cute.get_iter(%bars) : !cute.memref<i64, smem, align<8>, "2:1">
      %one = cute.static : !cute.int_tuple<"1">
      %sent = cute.add_offset(%loaded, %one) : (!cute.ptr<i64, smem>, !cute.int_tuple<"1">) -> !cute.ptr<i64, smem>
      %loaded_p = builtin.unrealized_conversion_cast %loaded : !cute.ptr<i64, smem> to !llvm.ptr<3>
      %sent_p = builtin.unrealized_conversion_cast %sent : !cute.ptr<i64, smem> to !llvm.ptr<3>
      %first = nvvm.elect.sync -> i1
      scf.if %first {
        nvvm.mbarrier.init %loaded_p, %c1 : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %sent_p, %c1 : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
        nvvm.mbarrier.arrive.expect_tx %loaded_p, %both : !llvm.ptr<3>, i32
        nvvm.mbarrier.arrive.expect_tx %sent_p, %bytes : !llvm.ptr<3>, i32
      }
      nvvm.cluster.arrive
      nvvm.cluster.wait
      %at = cute.make_coord(%block) : (i32) -> !cute.coord<"(?,_)">
      %from = cute.slice(%a, %at) : !row, !cute.coord<"(?,_)">
      %to = cute.slice(%b, %at) : !row, !cute.coord<"(?,_)">
      %l = cute.make_atom() : () -> !load
      %load = cute_nvgpu.atom.set_value(%l, %loaded : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_bulkg2s<tma_bar>} : !load
      cute.copy(%load, %from, %own) : (!load, !cute.memref<i32, gmem, align<16>, "(128):(1)">, !smem)
      cute.copy(%load, %from, %its) : (!load, !cute.memref<i32, gmem, align<16>, "(128):(1)">, !smem)
      nvvm.mbarrier.try_wait.parity %loaded_p, %c0, %c1 : !llvm.ptr<3>, i32, i32
      nvvm.cluster.arrive
      nvvm.cluster.wait
      %s = cute.make_atom() : () -> !send
      %s1 = cute_nvgpu.atom.set_value(%s, %sent : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_bulks2s<tma_bar>} : !send
      %send = cute_nvgpu.atom.set_value(%s1, %other : i32) {field = #cute_nvgpu.atom_copy_field_bulks2s<cta_rank>} : !send
      cute.copy(%send, %own, %its) : (!send, !smem, !smem)
      nvvm.mbarrier.try_wait.parity %sent_p, %c0, %c1 : !llvm.ptr<3>, i32, i32
      %store = cute.make_atom() : () -> !store
      cute.copy(%store, %its, %to) : (!store, !smem, !cute.memref<i32, gmem, align<16>, "(128):(1)">)
      nvvm.cp.async.bulk.commit.group
      nvvm.cp.async.bulk.wait_group 0 {read}
      // The source may be written again.
      %again = cute.get_iter(%its) : !smem
      %again_p = builtin.unrealized_conversion_cast %again : !cute.ptr<i32, smem, align<16>> to !llvm.ptr<3>
      scf.if %first {
        llvm.store %c1, %again_p : i32, !llvm.ptr<3>
      }
      // What this block sent has been read when the other block has it.
      nvvm.cluster.arrive
      nvvm.cluster.wait
      gpu.return
    }
  }
}
