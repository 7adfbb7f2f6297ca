// Tiles of 128 x 64, each two boxes of the TMA, through one stage of shared memory: %n of them, one below the other.
!load_desc = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@0,1@1)">, tma_format = F16_RN>
!store_desc = !cute_nvgpu.atom.non_exec_tiled_tma_store<f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@0,1@1)">, tma_format = F16_RN>
!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,64):(1@0,1@1)">>
!store = !cute_nvgpu.atom.tma_store<f16, copy_bits = 65536, mode = tiled, g_stride = <"()"> tma_gbasis = <"(64,64):(1@0,1@1)">>
!at = !cute.int_tuple<"(?{div=128},?{div=64})">
!iter = !cute.arith_tuple_iter<"(?{div=128},?{div=64})">
!boxes = !cute.coord_tensor<"(?{div=128},?{div=64})", "((64,64),2):((1@0,1@1),64@0)">
!bytes = !cute.ptr<i8, smem, align<1024>>
!bar = !cute.ptr<i64, smem, align<1024>>
!halves = !cute.ptr<f16, smem, align<1024>, S<3,4,3>>
!stage = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((4096),2):((1),4096)">
gpu.module @m {
  gpu.func @copy(%from: !load_desc, %to: !store_desc, %n: i32) kernel attributes {nvvm.reqntid = array<i32: 128, 1, 1>} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %c128 = arith.constant 128 : i32
    %size = arith.constant 16384 : i32
    %ticks = arith.constant 10000000 : i32
    %w = arith.divui %tid, %c32 : i32
    %warp = cute_nvgpu.arch.make_warp_uniform(%w) : i32
    %first = arith.cmpi eq, %warp, %c0 : i32
    %base = cute_nvgpu.arch.get_dyn_smem() : !bytes
    %behind = cute.make_int_tuple() : () -> !cute.int_tuple<"1024">
    %tile = cute.add_offset(%base, %behind) : (!bytes, !cute.int_tuple<"1024">) -> !bytes
    %bar = cute.recast_iter(%base) : !bytes to !bar
    %b = builtin.unrealized_conversion_cast %bar : !bar to !llvm.ptr<3>
    %stage = cute.recast_iter(%tile) : !bytes to !halves
    %s = cute.make_view(%stage) : !stage
    scf.if %first {
      cute_nvgpu.prefetch_tma_desc(%from) : (!load_desc) -> ()
      cute_nvgpu.prefetch_tma_desc(%to) : (!store_desc) -> ()
      %e = nvvm.elect.sync -> i1
      scf.if %e {
        nvvm.mbarrier.init %b, %c1 : !llvm.ptr<3>, i32
      }
    }
    nvvm.fence.mbarrier.init
    nvvm.barrier
    %column = arith.muli %x, %c128 : i32
    %c = cute.assume(%column) : (i32) -> !cute.i32<divby 128>
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%phase = %c0) -> (i32) : i32 {
      %row = arith.muli %i, %c64 : i32
      %r = cute.assume(%row) : (i32) -> !cute.i32<divby 64>
      %at = cute.make_int_tuple(%c, %r) : (!cute.i32<divby 128>, !cute.i32<divby 64>) -> !at
      %iter = cute.make_arith_tuple_iter(%at) : (!at) -> !iter
      %g = cute.make_view(%iter) : !boxes
      scf.if %first {
        %e = nvvm.elect.sync -> i1
        scf.if %e {
          nvvm.mbarrier.arrive.expect_tx %b, %size : !llvm.ptr<3>, i32
        }
        %atom = cute_nvgpu.atom.make_exec_tma(%from) : (!load_desc) -> !load
        %set = cute_nvgpu.atom.set_value(%atom, %bar : !bar) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load
        cute.copy(%set, %g, %s) : (!load, !boxes, !stage)
      }
      nvvm.mbarrier.try_wait.parity %b, %phase, %ticks : !llvm.ptr<3>, i32, i32
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.barrier
      scf.if %first {
        %e = nvvm.elect.sync -> i1
        scf.if %e {
          %atom = cute_nvgpu.atom.make_exec_tma(%to) : (!store_desc) -> !store
          cute.copy(%atom, %s, %g) : (!store, !stage, !boxes)
          nvvm.cp.async.bulk.commit.group
          nvvm.cp.async.bulk.wait_group 0 {read}
        }
      }
      %next = arith.xori %phase, %c1 : i32
      nvvm.barrier
      scf.yield %next : i32
    }
    gpu.return
  }
}
