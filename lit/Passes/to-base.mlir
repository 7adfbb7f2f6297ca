// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC

// Everything that is made has a place in the source.
// LOC-NOT: loc(unknown)

// Parameters are the pointer, then dynamic leaves, shape before stride, depth first. Static values have none.
// CHECK-LABEL: func.func @signature
// CHECK-SAME: (%[[P:.+]]: !llvm.ptr<1>, %[[M:.+]]: i32, %[[N:.+]]: i32, %[[LD:.+]]: i64, %{{.+}}: f32) -> (i32, i64)
func.func @signature(%m: !cute.memref<f32, gmem, "(?,(4,?)):(?{i64},(1,4))">, %s: !cute.layout<"(4,8):(1,4)">, %x: f32) -> (!cute.shape<"(?,4)">, !cute.stride<"?{i64}">) {
  %l = cute.get_layout(%m) : !cute.memref<f32, gmem, "(?,(4,?)):(?{i64},(1,4))">
  %shape = cute.get_shape(%l) : !cute.layout<"(?,(4,?)):(?{i64},(1,4))"> -> !cute.shape<"(?,(4,?))">
  %stride = cute.get_stride(%l) : !cute.layout<"(?,(4,?)):(?{i64},(1,4))"> -> !cute.stride<"(?{i64},(1,4))">
  %a = cute.get<[0]> (%shape) : !cute.shape<"(?,(4,?))"> -> !cute.shape<"?">
  %b = cute.get_scalars(%a) : !cute.shape<"?">
  %r = cute.make_shape(%b) : (i32) -> !cute.shape<"(?,4)">
  %d = cute.get<[0]> (%stride) : !cute.stride<"(?{i64},(1,4))"> -> !cute.stride<"?{i64}">
  // CHECK-NEXT: return %[[M]], %[[LD]] : i32, i64
  return %r, %d : !cute.shape<"(?,4)">, !cute.stride<"?{i64}">
}

// Leaves of different width: widened before the multiplication. Static leaves are no operands: 1 * c0 is c0.
// CHECK-LABEL: func.func @widen
// CHECK-SAME: (%[[LD:.+]]: i64, %[[I:.+]]: i32, %[[J:.+]]: i32) -> i64
func.func @widen(%l: !cute.layout<"(8,8):(?{i64},1)">, %i: i32, %j: i32) -> i64 {
  %c = cute.make_coord(%i, %j) : (i32, i32) -> !cute.coord<"(?,?)">
  %x = cute.layout_eval(%c, %l) : (!cute.coord<"(?,?)">, !cute.layout<"(8,8):(?{i64},1)">) -> !cute.int_tuple<"?{i64}">
  %r = cute.get_scalars(%x) : !cute.int_tuple<"?{i64}">
  // CHECK-NEXT: %[[I64:.+]] = arith.extsi %[[I]] : i32 to i64
  // CHECK-NEXT: %[[P:.+]] = arith.muli %[[I64]], %[[LD]] overflow<nsw> : i64
  // CHECK-NEXT: %[[J64:.+]] = arith.extsi %[[J]] : i32 to i64
  // CHECK-NEXT: %[[S:.+]] = arith.addi %[[P]], %[[J64]] overflow<nsw> : i64
  // CHECK-NEXT: return %[[S]]
  return %r : i64
}

// One op an expression, one constant a value, nothing that nobody uses.
// CHECK-LABEL: func.func @shared
func.func @shared(%n: i32, %i: i32) -> (i32, i32) {
  // CHECK-NEXT: %[[C:.+]] = arith.constant 32 : i32
  // CHECK-NEXT: %[[R:.+]] = arith.muli %{{.+}}, %[[C]] overflow<nsw> : i32
  // CHECK-NEXT: return %[[R]], %[[R]]
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(32,?)">
  %l = cute.make_layout(%s) : (!cute.shape<"(32,?)">) -> !cute.layout<"(32,?):(1,32)">
  %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(0,?)">
  %x = cute.crd2idx(%c, %l) : (!cute.coord<"(0,?)">, !cute.layout<"(32,?):(1,32)">) -> !cute.int_tuple<"?{div=32}">
  %y = cute.layout_eval(%c, %l) : (!cute.coord<"(0,?)">, !cute.layout<"(32,?):(1,32)">) -> !cute.int_tuple<"?{div=32}">
  %unused = cute.size(%l) : (!cute.layout<"(32,?):(1,32)">) -> !cute.int_tuple<"?{div=32}">
  %a = cute.get_scalars(%x) : !cute.int_tuple<"?{div=32}">
  %b = cute.get_scalars(%y) : !cute.int_tuple<"?{div=32}">
  return %a, %b : i32, i32
}

// Values cross loops, branches and calls as leaves.
func.func private @callee(!cute.layout<"(?,?):(1,?)">, !cute.layout<"4:1">) -> !cute.int_tuple<"?">
// CHECK-LABEL: func.func @control_flow
// CHECK-SAME: (%[[M:.+]]: i32, %[[N:.+]]: i32, %[[D:.+]]: i32, %[[C:.+]]: i1, %{{.+}}: index) -> i32
func.func @control_flow(%l: !cute.layout<"(?,?):(1,?)">, %st: !cute.layout<"4:1">, %c: i1, %n: index) -> !cute.int_tuple<"?"> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[F:.+]]:3 = scf.for {{.*}} iter_args(%{{.+}} = %[[M]], %{{.+}} = %[[N]], %{{.+}} = %[[D]]) -> (i32, i32, i32)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %l, %y = %st) -> (!cute.layout<"(?,?):(1,?)">, !cute.layout<"4:1">) {
    %z = scf.if %c -> !cute.layout<"(?,?):(1,?)"> {
      scf.yield %x : !cute.layout<"(?,?):(1,?)">
    } else {
      scf.yield %l : !cute.layout<"(?,?):(1,?)">
    }
    scf.yield %z, %y : !cute.layout<"(?,?):(1,?)">, !cute.layout<"4:1">
  }
  cf.cond_br %c, ^bb1(%r#0 : !cute.layout<"(?,?):(1,?)">), ^bb2
^bb1(%v: !cute.layout<"(?,?):(1,?)">):
  // CHECK: ^bb1(%[[A:.+]]: i32, %[[B:.+]]: i32, %{{.+}}: i32):
  // CHECK-NEXT: arith.muli %[[A]], %[[B]] overflow<nsw> : i32
  %s = cute.size(%v) : (!cute.layout<"(?,?):(1,?)">) -> !cute.int_tuple<"?">
  return %s : !cute.int_tuple<"?">
^bb2:
  // CHECK: call @callee(%[[M]], %[[N]], %[[D]]) : (i32, i32, i32) -> i32
  %t = func.call @callee(%l, %r#1) : (!cute.layout<"(?,?):(1,?)">, !cute.layout<"4:1">) -> !cute.int_tuple<"?">
  cf.br ^bb1(%l : !cute.layout<"(?,?):(1,?)">)
}

// Selects that canonicalization makes of branches work leaf by leaf: on the extent, not on the stride that both have.
// CHECK-LABEL: func.func @selected
// CHECK-SAME: (%[[C:.+]]: i1, %[[M:.+]]: i32, %[[N:.+]]: i32, %[[D:.+]]: i32) -> (i32, i32)
// CHECK-NEXT: %[[S:.+]] = arith.select %[[C]], %[[M]], %[[N]] : i32
// CHECK-NEXT: return %[[S]], %[[D]] : i32, i32
func.func @selected(%c: i1, %m: i32, %n: i32, %d: i32) -> !cute.layout<"(?,4):(1,?)"> {
  %stride = cute.make_stride(%d) : (i32) -> !cute.stride<"(1,?)">
  %sm = cute.make_shape(%m) : (i32) -> !cute.shape<"(?,4)">
  %lm = cute.make_layout(%sm, %stride) : (!cute.shape<"(?,4)">, !cute.stride<"(1,?)">) -> !cute.layout<"(?,4):(1,?)">
  %sn = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  %ln = cute.make_layout(%sn, %stride) : (!cute.shape<"(?,4)">, !cute.stride<"(1,?)">) -> !cute.layout<"(?,4):(1,?)">
  %r = arith.select %c, %lm, %ln : !cute.layout<"(?,4):(1,?)">
  return %r : !cute.layout<"(?,4):(1,?)">
}

// CHECK-LABEL: func.func @nothing
// CHECK-COUNT-2: llvm.mlir.poison
// CHECK: return %{{.+}}, %{{.+}} : !llvm.ptr<1>, i32
func.func @nothing() -> !cute.memref<f32, gmem, "?:1"> {
  %r = ub.poison : !cute.memref<f32, gmem, "?:1">
  return %r : !cute.memref<f32, gmem, "?:1">
}

// A swizzle is XOR of the offset; a pointer's swizzle is XOR of the address.
// CHECK-LABEL: func.func @swizzles
func.func @swizzles(%m: !cute.memref<f16, smem, "S<3,3,3> o 0 o (8,64):(64,1)">, %p: !cute.memref<f16, smem, align<128>, S<3,4,3>, "(8,64):(64,1)">, %i: i32, %v: f16) {
  %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,0)">
  // CHECK: %[[O:.+]] = arith.muli
  // CHECK: %[[F:.+]] = arith.andi %[[O]], %{{.+}} : i32
  // CHECK: %[[H:.+]] = arith.shrsi %[[F]], %{{.+}} : i32
  // CHECK: %[[X:.+]] = arith.xori %[[O]], %[[H]] : i32
  // CHECK: llvm.getelementptr %{{.+}}[%[[X]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i16
  cute.memref.store(%m, %c, %v) : (!cute.memref<f16, smem, "S<3,3,3> o 0 o (8,64):(64,1)">, !cute.coord<"(?,0)">, f16) -> ()
  // CHECK: llvm.ptrtoint
  // CHECK: arith.xori %{{.+}}, %{{.+}} : i64
  // CHECK: %[[Q:.+]] = llvm.inttoptr
  // Rows of 128 bytes are aligned to 128; where the swizzle puts their start, to 16.
  // CHECK: llvm.store %{{.+}}, %[[Q]] {alignment = 16 : i64}
  cute.memref.store(%p, %c, %v) : (!cute.memref<f16, smem, align<128>, S<3,4,3>, "(8,64):(64,1)">, !cute.coord<"(?,0)">, f16) -> ()
  return
}

// Fragments are allocated once, at the entry.
// CHECK-LABEL: func.func @fragment
func.func @fragment(%x: vector<4xf32>) -> vector<4xf32> {
  // CHECK: %[[A:.+]] = llvm.alloca %{{.+}} x !llvm.array<4 x f32> {alignment = 32 : i64} : (i32) -> !llvm.ptr
  // CHECK: llvm.store %{{.+}}, %[[A]] {alignment = 32 : i64} : vector<4xf32>, !llvm.ptr
  // CHECK: llvm.load %[[A]] {alignment = 32 : i64} : !llvm.ptr -> vector<4xf32>
  %f = cute.memref.alloca() : !cute.memref<f32, rmem, align<32>, "(2,2):(1,2)">
  cute.memref.store_vec %x, %f : !cute.memref<f32, rmem, align<32>, "(2,2):(1,2)">
  %r = cute.memref.load_vec %f : !cute.memref<f32, rmem, align<32>, "(2,2):(1,2)">
  return %r : vector<4xf32>
}

// Shared memory is a global of the module around.
gpu.module @kernels {
  // CHECK: llvm.mlir.global external @cute_dynamic_smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // CHECK: llvm.mlir.global internal @cute_smem_0() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<512 x f16>
  // CHECK-LABEL: gpu.func @smem
  gpu.func @smem(%v: f16) kernel {
    %s = cute.memref.alloc_smem() : !cute.memref<f16, smem, align<128>, "(8,64):(64,1)">
    %c = cute.make_coord() : () -> !cute.coord<"(1,2)">
    // CHECK: %[[G:.+]] = llvm.mlir.addressof @cute_smem_0 : !llvm.ptr<3>
    // CHECK: %[[E:.+]] = llvm.getelementptr %[[G]][%c66_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i16
    // CHECK: llvm.store %{{.+}}, %[[E]] {alignment = 4 : i64} : f16, !llvm.ptr<3>
    cute.memref.store(%s, %c, %v) : (!cute.memref<f16, smem, align<128>, "(8,64):(64,1)">, !cute.coord<"(1,2)">, f16) -> ()
    %d = cute_nvgpu.arch.get_dyn_smem() : !cute.ptr<i8, smem, align<1024>>
    %h = cute.recast_iter(%d) : !cute.ptr<i8, smem, align<1024>> to !cute.ptr<f16, smem, align<1024>>
    %m = cute.make_view(%h) : !cute.memref<f16, smem, align<1024>, "(8,64):(64,1)">
    // CHECK: llvm.mlir.addressof @cute_dynamic_smem
    cute.memref.store(%m, %c, %v) : (!cute.memref<f16, smem, align<1024>, "(8,64):(64,1)">, !cute.coord<"(1,2)">, f16) -> ()
    gpu.return
  }
}

// A float that LLVM has no type for is an integer in memory.
// CHECK-LABEL: @narrow
func.func @narrow(%m: !cute.memref<f8E5M2, gmem, align<4>, "4:1">, %o: !cute.memref<f8E5M2, gmem, align<4>, "4:1">) {
  %c = cute.make_coord() : () -> !cute.coord<"1">
  // CHECK: %[[B:.+]] = llvm.load %{{.+}} {alignment = 1 : i64} : !llvm.ptr<1> -> i8
  // CHECK: %[[F:.+]] = arith.bitcast %[[B]] : i8 to f8E5M2
  %v = cute.memref.load(%m, %c) : (!cute.memref<f8E5M2, gmem, align<4>, "4:1">, !cute.coord<"1">) -> f8E5M2
  // CHECK: llvm.load %{{.+}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xi8>
  // CHECK: arith.bitcast %{{.+}} : vector<4xi8> to vector<4xf8E5M2>
  %all = cute.memref.load_vec %m : !cute.memref<f8E5M2, gmem, align<4>, "4:1">
  // CHECK: %[[W:.+]] = arith.bitcast %{{.+}} : vector<4xf8E5M2> to vector<4xi8>
  // CHECK: llvm.store %[[W]], %{{.+}} {alignment = 4 : i64} : vector<4xi8>, !llvm.ptr<1>
  cute.memref.store_vec %all, %o : !cute.memref<f8E5M2, gmem, align<4>, "4:1">
  // CHECK: %[[E:.+]] = arith.bitcast %[[F]] : f8E5M2 to i8
  // CHECK: llvm.store %[[E]], %{{.+}} : i8, !llvm.ptr<1>
  cute.memref.store(%o, %c, %v) : (!cute.memref<f8E5M2, gmem, align<4>, "4:1">, !cute.coord<"1">, f8E5M2) -> ()
  return
}
