// REQUIRES: cute-opt, cutec
// RUN: %cutec import %s 2>&1 | FileCheck %s

// Kernels that are functions with a mark, as cute-rs writes them, and ops that it spells otherwise.

// CHECK: note: '{{.*}}functions.mlir' is a module of CuTe DSL; rewrote 12 ops of another MLIR version: {{.*}}, 3 func.func
"builtin.module"() ({
^bb0:
  "gpu.module"() <{sym_name = "kernels"}> ({
  ^bb0:
    // A mark, and no parameter by value.
    // CHECK: gpu.func @copied(%{{.*}}: !cute.memref<{{.*}}>, %{{.*}}: !cute.memref<{{.*}}>) kernel attributes {nvvm.reqntid = array<i32: 32, 1, 1>}
    "func.func"() <{function_type = (!cute.memref<f32, gmem, align<16>, "(4):(1)">, !cute.memref<f32, gmem, align<16>, "(4):(1)">) -> (), sym_name = "copied"}> ({
    ^bb0(%a: !cute.memref<f32, gmem, align<16>, "(4):(1)">, %b: !cute.memref<f32, gmem, align<16>, "(4):(1)">):
      %t = "cute.make_atom"() : () -> !cute_nvgpu.atom.universal_copy<f32, 128b>
      // CHECK: cute.copy(%{{.*}}, %{{.*}}, %{{.*}})
      "cute.copy"(%t, %a, %b) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!cute_nvgpu.atom.universal_copy<f32, 128b>, !cute.memref<f32, gmem, align<16>, "(4):(1)">, !cute.memref<f32, gmem, align<16>, "(4):(1)">) -> ()
      // CHECK: %[[V:.*]] = cute.memref.load_vec
      %v = "cute.memref.load_vec"(%a) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cute.memref<f32, gmem, align<16>, "(4):(1)">) -> vector<4xf32>
      // CHECK: cute.memref.store_vec %[[V]], %{{.*}}
      "cute.memref.store_vec"(%v, %b) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (vector<4xf32>, !cute.memref<f32, gmem, align<16>, "(4):(1)">) -> ()
      // CHECK: func.call @doubled
      "func.call"() <{callee = @doubled}> : () -> ()
      // CHECK: gpu.return
      "func.return"() : () -> ()
    }) {cute.kernel = unit, gpu.kernel = unit, nvvm.reqntid = array<i32: 32, 1, 1>} : () -> ()
    // A function of the device stays one.
    // CHECK: func.func @doubled()
    // CHECK-NEXT: return
    "func.func"() <{function_type = () -> (), sym_name = "doubled"}> ({
      "func.return"() : () -> ()
    }) : () -> ()
    // A parameter by value.
    // CHECK: llvm.func @by_value(%[[MAP:.*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %[[N:.*]]: i64) attributes {{{.*}}nvvm.kernel
    "func.func"() <{arg_attrs = [{llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant = unit}, {}], function_type = (!llvm.ptr, i64) -> (), sym_name = "by_value"}> ({
    ^bb0(%map: !llvm.ptr, %n: i64):
      "nvvm.prefetch"(%map) <{tensormap = unit}> : (!llvm.ptr) -> ()
      // CHECK: llvm.return
      "func.return"() : () -> ()
    }) {cute.kernel = unit} : () -> ()
    // CHECK: gpu.func @instructions(
    "func.func"() <{function_type = (!llvm.ptr, !llvm.ptr<3>, i32, i16, f32, i1, i64, !llvm.ptr<6>, vector<4xf8E4M3FN>) -> (), sym_name = "instructions"}> ({
    ^bb0(%g: !llvm.ptr, %s: !llvm.ptr<3>, %i: i32, %m: i16, %f: f32, %p: i1, %l: i64, %t: !llvm.ptr<6>, %narrow: vector<4xf8E4M3FN>):
      // CHECK: arith.extf %{{.*}} : vector<4xf8E4M3FN> to vector<4xf16>
      %wide = "nvgpu.cvt_fpext"(%narrow) : (vector<4xf8E4M3FN>) -> vector<4xf16>
      // CHECK: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 2 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}
      %two = "nvvm.ldmatrix"(%s) <{layout = #nvvm.mma_layout<row>, num = 2 : i32}> : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
      // CHECK: nvvm.stmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, shape
      "nvvm.stmatrix"(%s, %i, %i) <{layout = #nvvm.mma_layout<col>}> : (!llvm.ptr<3>, i32, i32) -> ()
      // CHECK: nvvm.mbarrier.try_wait %{{.*}}, %{{.*}} {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32 -> i1
      %done = "nvvm.mbarrier.wait.parity"(%s, %i) <{kind = #nvvm.mbar_wait<try>, order = #nvvm.mem_order<acquire>, scope = #nvvm.mbar_scope<cluster>}> : (!llvm.ptr<3>, i32) -> i1
      // CHECK: nvvm.tcgen05.mma %{{.*}} {collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<f16>}
      "nvvm.tcgen05.mma"(%t, %l, %l, %i, %p) <{collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, ctaGroup = #nvvm.cta_group<cta_2>, mmaKind = #nvvm.tcgen05_mma_kind<f16>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0>}> : (!llvm.ptr<6>, i64, i64, i32, i1) -> ()
      // CHECK: llvm.inline_asm has_side_effects "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13}, {$14}, {0, 0}, {$15}, {0, 0};"
      %d:4 = "cute_nvgpu.arch.mma.SM120.block_scaled"(%i, %i, %i, %i, %i, %i, %f, %f, %f, %f, %m, %m) <{a_type = f4E2M1FN, b_type = f4E2M1FN, operandSegmentSizes = array<i32: 4, 2, 4, 1, 1, 0, 0>, sf_type = f8E8M0FNU, shape_MNK = #cute.shape<"(16,8,64)">, thread_id_a = 0 : i16, thread_id_b = 0 : i16, vec_size = 32 : i32}> : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32, i16, i16) -> (f32, f32, f32, f32)
      %map = "builtin.unrealized_conversion_cast"(%g) : (!llvm.ptr) -> !cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<64>>
      %tile = "builtin.unrealized_conversion_cast"(%s) : (!llvm.ptr<3>) -> !cute.ptr<f16, smem, align<128>>
      %bar = "builtin.unrealized_conversion_cast"(%s) : (!llvm.ptr<3>) -> !cute.ptr<i64, smem, align<8>>
      // CHECK: %[[ELECTED:.*]] = nvvm.elect.sync -> i1
      // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %{{.*}}, %{{.*}}, box[%{{.*}}, %{{.*}}] multicast_mask = %{{.*}} predicate = %[[ELECTED]] {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<7>, !llvm.ptr
      "cute_nvgpu.arch.copy.SM100.tma_load"(%map, %tile, %bar, %i, %i, %m) <{mode = #cute_nvgpu.tma_load_mode<tiled>, num_cta = 2 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 2, 1, 0, 0>}> : (!cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<64>>, !cute.ptr<f16, smem, align<128>>, !cute.ptr<i64, smem, align<8>>, i32, i32, i16) -> ()
      // CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %{{.*}}, %{{.*}}, box[%{{.*}}] : !llvm.ptr, <3>
      "cute_nvgpu.arch.copy.SM100.tma_store"(%map, %tile, %i) <{mode = #cute_nvgpu.tma_store_mode<tiled>, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<64>>, !cute.ptr<f16, smem, align<128>>, i32) -> ()
      %place = "builtin.unrealized_conversion_cast"(%i) : (i32) -> !cute.ptr<f32, tmem, align<16>>
      // CHECK: nvvm.tcgen05.ld %{{.*}} {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<32xi32>
      // CHECK-NEXT: nvvm.tcgen05.wait <load>
      %sums = "cute_nvgpu.arch.copy.SM100.tmem_load"(%place) <{num_b = 32 : i32, num_dp = 32 : i32, num_rep = 32 : i32}> : (!cute.ptr<f32, tmem, align<16>>) -> vector<32xi32>
      "func.return"() : () -> ()
    }) {gpu.kernel = unit} : () -> ()
  }) : () -> ()
}) {gpu.container_module = unit} : () -> ()
