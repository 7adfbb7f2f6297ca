// RUN: %opt %s | FileCheck %s
// RUN: %opt %s | %opt | FileCheck %s

// Types of results that are inferred may be left out. They are printed.

!mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>
!view = !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">

// A function type without its results.
// CHECK-LABEL: @functional(
// CHECK-NEXT: cute.zipped_divide(%arg0, %arg1) : ({{.*}}) -> !cute.memref<f32, gmem, align<16>, "((8,4),(8,8)):((32,1),(256,4))">
// CHECK-NEXT: cute.local_tile(%arg0, %arg1, %arg2) : ({{.*}}) -> !cute.memref<f32, gmem, align<16>, "(8,4):(32,1)">
// CHECK-NEXT: cute.memref.load(%arg0, %arg2) : ({{.*}}) -> f32
// CHECK-NEXT: cute.memref.store(%arg0, %arg2, %2) : ({{.*}}) -> ()
func.func @functional(%view: !view, %tiler: !cute.tile<"[8:1;4:1]">, %at: !cute.coord<"(?,?)">) {
  %0 = cute.zipped_divide(%view, %tiler) : (!view, !cute.tile<"[8:1;4:1]">)
  %1 = cute.local_tile(%view, %tiler, %at) : (!view, !cute.tile<"[8:1;4:1]">, !cute.coord<"(?,?)">)
  %2 = cute.memref.load(%view, %at) : (!view, !cute.coord<"(?,?)">)
  cute.memref.store(%view, %at, %2) : (!view, !cute.coord<"(?,?)">, f32)
  return
}

// A mode path, a range, a matrix, the value of a projection.
// CHECK-LABEL: @prefixed(
// CHECK-NEXT: cute.size<[1]> (%arg0) : (!cute.memref<{{.*}}>) -> !cute.int_tuple<"32">
// CHECK-NEXT: cute.group_modes<0, 2> (%arg0) : ({{.*}}) -> !cute.memref<f32, gmem, align<16>, "((64,32)):((32,1))">
// CHECK-NEXT: cute.tiled.mma.partition_shape C(%arg1, %arg2) : ({{.*}}) -> !cute.shape<"((2,2),2,4)">
// CHECK-NEXT: cute.local_tile(%arg0, %arg3, %arg4, "(1,_,1)") : ({{.*}}) -> !cute.memref<f32, gmem, align<16>, "(8,4):(32,1)">
func.func @prefixed(%view: !view, %mma: !mma, %shape: !cute.shape<"(64,64)">, %tiler: !cute.tile<"[8:1;16:1;4:1]">, %at: !cute.coord<"(?,?,?)">) {
  %0 = cute.size<[1]> (%view) : (!view)
  %1 = cute.group_modes<0, 2> (%view) : (!view)
  %2 = cute.tiled.mma.partition_shape C (%mma, %shape) : (!mma, !cute.shape<"(64,64)">)
  %3 = cute.local_tile(%view, %tiler, %at, "(1,_,1)") : (!view, !cute.tile<"[8:1;16:1;4:1]">, !cute.coord<"(?,?,?)">)
  return
}

// A type that maps to another.
// CHECK-LABEL: @mapped(
// CHECK-NEXT: cute.get_shape(%arg0) : !cute.layout<"(?,8):(8,1)"> -> !cute.shape<"(?,8)">
// CHECK-NEXT: cute.get_shape(%arg0) : !cute.layout<"(?,8):(8,1)"> -> !cute.shape<"(?,8)">
// CHECK-NEXT: cute.get_stride(%arg0) : <"(?,8):(8,1)"> -> !cute.stride<"(8,1)">
// CHECK-NEXT: cute.recast_layout<32, 16> (%arg0) : !cute.layout<"(?,8):(8,1)"> -> !cute.layout<"(?,4):(4,1)">
// CHECK-NEXT: cute.fast_divmod.create_divisor(%arg1) : i32 -> !cute.fast_divmod_divisor<32>
func.func @mapped(%layout: !cute.layout<"(?,8):(8,1)">, %n: i32) {
  %0 = cute.get_shape(%layout) : !cute.layout<"(?,8):(8,1)">
  %1 = cute.get_shape(%layout) : (!cute.layout<"(?,8):(8,1)">)
  %2 = cute.get_stride(%layout) : <"(?,8):(8,1)">
  %3 = cute.recast_layout<32, 16> (%layout) : !cute.layout<"(?,8):(8,1)">
  %4 = cute.fast_divmod.create_divisor(%n) : i32
  return
}

// Constructors, whose results may also stand alone.
// CHECK-LABEL: @constructed(
// CHECK-NEXT: cute.make_layout(%arg0) : (!cute.shape<"(4,?)">) -> !cute.layout<"(4,?):(1,4)">
// CHECK-NEXT: cute.make_layout(%arg0, %arg1) : (!cute.shape<"(4,?)">, !cute.stride<"(1,8)">) -> !cute.layout<"(4,?):(1,8)">
// CHECK-NEXT: cute.make_identity_layout(%arg0) : !cute.shape<"(4,?)"> -> !cute.layout<"(4,?):(1@0,1@1)">
// CHECK-NEXT: cute.make_identity_tensor(%arg0) : !cute.shape<"(4,?)"> -> !cute.coord_tensor<"(0,0)", "(4,?):(1@0,1@1)">
// CHECK-NEXT: cute.make_composed_layout(%arg2, %arg3, %1) : ({{.*}}) -> !cute.composed_layout<"S<1,2,2> o 0 o (4,?):(1,8)">
func.func @constructed(%shape: !cute.shape<"(4,?)">, %stride: !cute.stride<"(1,8)">, %swizzle: !cute.swizzle<"S<1,2,2>">, %zero: !cute.int_tuple<"0">) {
  %0 = cute.make_layout(%shape) : (!cute.shape<"(4,?)">)
  %1 = cute.make_layout(%shape, %stride) : (!cute.shape<"(4,?)">, !cute.stride<"(1,8)">)
  %2 = cute.make_identity_layout(%shape) : !cute.shape<"(4,?)">
  %3 = cute.make_identity_tensor(%shape) : (!cute.shape<"(4,?)">)
  %4 = cute.make_composed_layout(%swizzle, %zero, %1) : (!cute.swizzle<"S<1,2,2>">, !cute.int_tuple<"0">, !cute.layout<"(4,?):(1,8)">)
  return
}

// Several results, also of an op of the other dialect.
// CHECK-LABEL: @several(
// CHECK-NEXT: %quotient, %remainder = cute.fast_divmod.compute(%arg0, %arg1) : (i32, !cute.fast_divmod_divisor<32>) -> (i32, i32)
// CHECK-NEXT: cute_nvgpu.atom.make_non_exec_tiled_tma_store({{.*}}) : ({{.*}}) -> (!cute_nvgpu.atom.non_exec_tiled_tma_store<f16, copy_bits = 65536, {{.*}}>, !cute.coord_tensor<"(0,0)", "(?,?):(1@1,1@0)">)
func.func @several(%n: i32, %by: !cute.fast_divmod_divisor<32>, %C: !cute.memref<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">,
                   %tile: !cute.layout<"(64,64):(64,1)">, %values: !cute.layout<"(64,64):(1@0,1@1)">) {
  %quotient, %remainder = cute.fast_divmod.compute(%n, %by) : (i32, !cute.fast_divmod_divisor<32>)
  %tma, %coords = cute_nvgpu.atom.make_non_exec_tiled_tma_store(%C, %tile, %values) : (!cute.memref<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, !cute.layout<"(64,64):(64,1)">, !cute.layout<"(64,64):(1@0,1@1)">)
  return
}
