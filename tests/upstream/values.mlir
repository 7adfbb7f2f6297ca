// Values of cute types in every construct that carries them from one place to another. Each public function takes and returns
// integers; above it stand calls of it and what they return. `tests/upstream.rs` runs upstream passes over the file, compiles it and
// makes these calls.

!c = !cute.coord<"?">
!l = !cute.layout<"(?,4):(1,?)">
!p = !cute.ptr<f32, gmem, align<16>>
!m = !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">
!s = !cute.ptr<f16, smem, align<128>, S<3,4,3>>
!swizzled = !cute.memref<f16, smem, align<128>, S<3,4,3>, "(8,64):(64,1)">
!crds = !cute.coord_tensor<"(?,?)", "(4,?):(1@0,1@1)">
!mma_atom = !cute_nvgpu.sm100.mma<128x256x16, num_cta = 2, ab_major = (k, mn), elem_type = (bf16, bf16, f32), frag_kind = ss, c_scale_exp = 0>
!mma = !cute.tiled_mma<!mma_atom, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!copy_atom = !cute_nvgpu.atom.universal_copy<f32, 128 b>
!copy = !cute.tiled_copy<!copy_atom, layout_copy_tv = <"(4,4):(4,1)">, tiler_mn = <"[16:1]">>

// A coordinate of either branch.
// if_coord(1, 5, 9) = 20
// if_coord(0, 5, 9) = 36
func.func @if_coord(%which: i32, %i: i32, %j: i32) -> i32 {
  %yes = arith.trunci %which : i32 to i1
  %a = cute.make_coord(%i) : (i32) -> !c
  %b = cute.make_coord(%j) : (i32) -> !c
  %at = scf.if %yes -> !c {
    scf.yield %a : !c
  } else {
    scf.yield %b : !c
  }
  %l = cute.static : !cute.layout<"16:4">
  %x = cute.crd2idx(%at, %l) : (!c, !cute.layout<"16:4">) -> !cute.int_tuple<"?{div=4}">
  %r = cute.get_scalars(%x) : !cute.int_tuple<"?{div=4}">
  return %r : i32
}

// The values that the branches compute.
// if_layout(1, 3, 5) = 12, 3, 6
// if_layout(0, 3, 5) = 20, 5, 7
func.func @if_layout(%which: i32, %m: i32, %d: i32) -> (i32, i32, i32) {
  %yes = arith.trunci %which : i32 to i1
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %l, %n = scf.if %yes -> (!l, i32) {
    %shape = cute.make_shape(%m) : (i32) -> !cute.shape<"(?,4)">
    %d1 = arith.addi %d, %one : i32
    %stride = cute.make_stride(%d1) : (i32) -> !cute.stride<"(1,?)">
    %l = cute.make_layout(%shape, %stride) : (!cute.shape<"(?,4)">, !cute.stride<"(1,?)">) -> !l
    scf.yield %l, %m : !l, i32
  } else {
    %shape = cute.make_shape(%d) : (i32) -> !cute.shape<"(?,4)">
    %d2 = arith.addi %d, %two : i32
    %stride = cute.make_stride(%d2) : (i32) -> !cute.stride<"(1,?)">
    %l = cute.make_layout(%shape, %stride) : (!cute.shape<"(?,4)">, !cute.stride<"(1,?)">) -> !l
    scf.yield %l, %d : !l, i32
  }
  %size = cute.size(%l) : (!l) -> !cute.int_tuple<"?{div=4}">
  %a = cute.get_scalars(%size) : !cute.int_tuple<"?{div=4}">
  %at = cute.static : !cute.coord<"(0,1)">
  %x = cute.crd2idx(%at, %l) : (!cute.coord<"(0,1)">, !l) -> !cute.int_tuple<"?">
  %b = cute.get_scalars(%x) : !cute.int_tuple<"?">
  return %a, %n, %b : i32, i32, i32
}

// Which of two tensors: their pointers and extents differ, their strides are static.
// if_memref(1, 4096, 8192, 3, 7) = 4224, 24
// if_memref(0, 4096, 8192, 3, 7) = 8320, 56
func.func @if_memref(%which: i32, %p: i64, %q: i64, %m: i32, %n: i32) -> (i64, i32) {
  %yes = arith.trunci %which : i32 to i1
  %a = func.call @tensor(%p, %m) : (i64, i32) -> !m
  %b = func.call @tensor(%q, %n) : (i64, i32) -> !m
  %t = scf.if %yes -> !m {
    scf.yield %a : !m
  } else {
    scf.yield %b : !m
  }
  %r = func.call @row(%t) : (!m) -> i64
  %size = cute.size(%t) : (!m) -> !cute.int_tuple<"?{div=8}">
  %s = cute.get_scalars(%size) : !cute.int_tuple<"?{div=8}">
  return %r, %s : i64, i32
}

// Private functions that take, return and ignore values.
func.func private @tensor(%address: i64, %m: i32) -> !m {
  %p = cute.inttoptr(%address) : i64 to !p
  %shape = cute.make_shape(%m) : (i32) -> !cute.shape<"(?,8)">
  %stride = cute.static : !cute.stride<"(8,1)">
  %l = cute.make_layout(%shape, %stride) : (!cute.shape<"(?,8)">, !cute.stride<"(8,1)">) -> !cute.layout<"(?,8):(8,1)">
  %t = cute.make_view(%p, %l) : !m
  return %t : !m
}
// The address of row 4.
func.func private @row(%t: !m) -> i64 {
  %iter = cute.get_iter(%t) : !m
  %four = cute.static : !cute.coord<"(4,0)">
  %l = cute.get_layout(%t) : !m
  %x = cute.crd2idx(%four, %l) : (!cute.coord<"(4,0)">, !cute.layout<"(?,8):(8,1)">) -> !cute.int_tuple<"32">
  %q = cute.add_offset(%iter, %x) : (!p, !cute.int_tuple<"32">) -> !p
  %r = cute.ptrtoint(%q) : !p to i64
  return %r : i64
}
func.func private @ignores(%t: !m, %c: !c, %keep: !c) -> (!c, !m, !c) {
  return %keep, %t, %c : !c, !m, !c
}

// dead(4096, 3, 7) = 7
func.func @dead(%p: i64, %m: i32, %i: i32) -> i32 {
  %t = func.call @tensor(%p, %m) : (i64, i32) -> !m
  %c = cute.make_coord(%i) : (i32) -> !c
  %d = cute.make_coord(%m) : (i32) -> !c
  %r:3 = func.call @ignores(%t, %d, %c) : (!m, !c, !c) -> (!c, !m, !c)
  %x = cute.get_scalars(%r#0) : !c
  return %x : i32
}

// The swizzle belongs to the type: element (1,0) lies at byte 128, where the address XORs 16 in.
// if_swizzled(1, 1024, 2048) = 1168
// if_swizzled(0, 1024, 2048) = 2192
func.func @if_swizzled(%which: i32, %p: i64, %q: i64) -> i64 {
  %yes = arith.trunci %which : i32 to i1
  %a = cute.inttoptr(%p) : i64 to !s
  %b = cute.inttoptr(%q) : i64 to !s
  %l = cute.static : !cute.layout<"(8,64):(64,1)">
  %va = cute.make_view(%a, %l) : !swizzled
  %vb = cute.make_view(%b, %l) : !swizzled
  %v = scf.if %yes -> !swizzled {
    scf.yield %va : !swizzled
  } else {
    scf.yield %vb : !swizzled
  }
  %iter = cute.get_iter(%v) : !swizzled
  %x = cute.static : !cute.int_tuple<"64">
  %row = cute.add_offset(%iter, %x) : (!s, !cute.int_tuple<"64">) -> !s
  %at = cute.apply_swizzle(%row) : (!s) -> !cute.ptr<f16, smem, align<16>, S<3,4,3>>
  %r = cute.ptrtoint(%at) : !cute.ptr<f16, smem, align<16>, S<3,4,3>> to i64
  return %r : i64
}

// if_coord_tensor(1, 5, 6, 7) = 5, 8, 28
// if_coord_tensor(0, 5, 6, 7) = 6, 7, 28
func.func @if_coord_tensor(%which: i32, %i: i32, %j: i32, %n: i32) -> (i32, i32, i32) {
  %yes = arith.trunci %which : i32 to i1
  %c8 = arith.constant 8 : i32
  %a = func.call @coords(%i, %c8, %n) : (i32, i32, i32) -> !crds
  %b = func.call @coords(%j, %n, %n) : (i32, i32, i32) -> !crds
  %t = scf.if %yes -> !crds {
    scf.yield %a : !crds
  } else {
    scf.yield %b : !crds
  }
  %iter = cute.get_iter(%t) : !crds
  %at = cute.deref_arith_tuple_iter(%iter) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
  %x, %y = cute.get_scalars(%at) : !cute.int_tuple<"(?,?)">
  %size = cute.size(%t) : (!crds) -> !cute.int_tuple<"?{div=4}">
  %s = cute.get_scalars(%size) : !cute.int_tuple<"?{div=4}">
  return %x, %y, %s : i32, i32, i32
}
func.func private @coords(%i: i32, %j: i32, %n: i32) -> !crds {
  %x = cute.make_int_tuple(%i, %j) : (i32, i32) -> !cute.int_tuple<"(?,?)">
  %iter = cute.make_arith_tuple_iter(%x) : (!cute.int_tuple<"(?,?)">) -> !cute.arith_tuple_iter<"(?,?)">
  %shape = cute.make_shape(%n) : (i32) -> !cute.shape<"(4,?)">
  %l = cute.make_identity_layout(%shape) : (!cute.shape<"(4,?)">) -> !cute.layout<"(4,?):(1@0,1@1)">
  %t = cute.make_view(%iter, %l) : !crds
  return %t : !crds
}

// A value without leaves.
// if_static(1) = 32
// if_static(0) = 32
func.func @if_static(%which: i32) -> i32 {
  %yes = arith.trunci %which : i32 to i1
  %l = scf.if %yes -> !cute.layout<"(4,8):(8,1)"> {
    %a = cute.static : !cute.layout<"(4,8):(8,1)">
    scf.yield %a : !cute.layout<"(4,8):(8,1)">
  } else {
    %shape = cute.make_shape() : () -> !cute.shape<"(4,8)">
    %stride = cute.make_stride() : () -> !cute.stride<"(8,1)">
    %b = cute.make_layout(%shape, %stride) : (!cute.shape<"(4,8)">, !cute.stride<"(8,1)">) -> !cute.layout<"(4,8):(8,1)">
    scf.yield %b : !cute.layout<"(4,8):(8,1)">
  }
  %size = cute.size(%l) : (!cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"32">
  %r = cute.get_scalars(%size) : !cute.int_tuple<"32">
  return %r : i32
}

// A tiled copy, and what a thread has of it.
// if_copy(1, 4096, 3) = 4144
// if_copy(0, 4096, 3) = 4144
func.func @if_copy(%which: i32, %p: i64, %thread: i32) -> i64 {
  %yes = arith.trunci %which : i32 to i1
  %atom = cute.make_atom() : () -> !copy_atom
  %a = cute.make_tiled_copy(%atom) : !copy
  %b = cute.make_tiled_copy(%atom) : !copy
  %copy = scf.if %yes -> !copy {
    scf.yield %a : !copy
  } else {
    scf.yield %b : !copy
  }
  %iter = cute.inttoptr(%p) : i64 to !p
  %l = cute.static : !cute.layout<"16:1">
  %view = cute.make_view(%iter, %l) : !cute.memref<f32, gmem, align<16>, "16:1">
  %t = cute.make_coord(%thread) : (i32) -> !c
  %part = cute.tiled.copy.partition_S(%copy, %view, %t) : (!copy, !cute.memref<f32, gmem, align<16>, "16:1">, !c) -> !cute.memref<f32, gmem, align<16>, "((4,1),(1)):((1,0),(0))">
  %q = cute.get_iter(%part) : !cute.memref<f32, gmem, align<16>, "((4,1),(1)):((1,0),(0))">
  %r = cute.ptrtoint(%q) : !p to i64
  return %r : i64
}

// One type where one branch knows more.
// if_derefined(1, 8) = 8
// if_derefined(0, 3) = 3
func.func @if_derefined(%which: i32, %m: i32) -> i32 {
  %yes = arith.trunci %which : i32 to i1
  %x = cute.make_shape(%m) : (i32) -> !cute.shape<"?">
  %m8 = cute.assume(%m) : (i32) -> !cute.i32<divby 8>
  %even = cute.make_shape(%m8) : (!cute.i32<divby 8>) -> !cute.shape<"?{div=8}">
  %l8 = cute.make_layout(%even) : (!cute.shape<"?{div=8}">) -> !cute.layout<"?{div=8}:1">
  %a = cute.derefine(%l8) : !cute.layout<"?{div=8}:1"> to !cute.layout<"?:1">
  %b = cute.make_layout(%x) : (!cute.shape<"?">) -> !cute.layout<"?:1">
  %l = scf.if %yes -> !cute.layout<"?:1"> {
    scf.yield %a : !cute.layout<"?:1">
  } else {
    scf.yield %b : !cute.layout<"?:1">
  }
  %size = cute.size(%l) : (!cute.layout<"?:1">) -> !cute.int_tuple<"?">
  %r = cute.get_scalars(%size) : !cute.int_tuple<"?">
  return %r : i32
}

// The flags of an atom are leaves too.
// if_state(1, 1, 0) = 1
// if_state(0, 1, 0) = 0
// if_state(0, 0, 1) = 1
func.func @if_state(%which: i32, %i: i32, %j: i32) -> i32 {
  %yes = arith.trunci %which : i32 to i1
  %x = arith.trunci %i : i32 to i1
  %y = arith.trunci %j : i32 to i1
  %off = arith.constant false
  %a = cute.make_atom(%x, %off, %off) : (i1, i1, i1) -> !mma_atom
  %b = cute.make_atom(%y, %off, %off) : (i1, i1, i1) -> !mma_atom
  %ma = cute.make_tiled_mma(%a) : !mma
  %mb = cute.make_tiled_mma(%b) : !mma
  %m = scf.if %yes -> !mma {
    scf.yield %ma : !mma
  } else {
    scf.yield %mb : !mma
  }
  %flag = cute_nvgpu.atom.get_value(%m : !mma) {field = #cute_nvgpu.atom_mma_field_sm100<accum_c>} : i1
  %r = arith.extui %flag : i1 to i32
  return %r : i32
}

// if_divisor(1, 10, 3, 4) = 3
// if_divisor(0, 10, 3, 4) = 2
func.func @if_divisor(%which: i32, %n: i32, %a: i32, %b: i32) -> i32 {
  %yes = arith.trunci %which : i32 to i1
  %da = cute.fast_divmod.create_divisor(%a) : i32 -> !cute.fast_divmod_divisor<32>
  %db = cute.fast_divmod.create_divisor(%b) : i32 -> !cute.fast_divmod_divisor<32>
  %d = scf.if %yes -> !cute.fast_divmod_divisor<32> {
    scf.yield %da : !cute.fast_divmod_divisor<32>
  } else {
    scf.yield %db : !cute.fast_divmod_divisor<32>
  }
  %q, %r = cute.fast_divmod.compute(%n, %d) : (i32, !cute.fast_divmod_divisor<32>) -> (i32, i32)
  return %q : i32
}

// Selected by hand.
// select(1, 5, 9) = 5
// select(0, 5, 9) = 9
func.func @select(%which: i32, %i: i32, %j: i32) -> i32 {
  %yes = arith.trunci %which : i32 to i1
  %a = cute.make_coord(%i) : (i32) -> !c
  %b = cute.make_coord(%j) : (i32) -> !c
  %at = arith.select %yes, %a, %b : !c
  %r = cute.get_scalars(%at) : !c
  return %r : i32
}

// A value that is never looked at.
// poison(1, 5) = 5
func.func @poison(%which: i32, %i: i32) -> i32 {
  %yes = arith.trunci %which : i32 to i1
  %nothing = ub.poison : !m
  %none = ub.poison : !c
  %a = cute.make_coord(%i) : (i32) -> !c
  %t, %at = scf.if %yes -> (!m, !c) {
    scf.yield %nothing, %a : !m, !c
  } else {
    scf.yield %nothing, %none : !m, !c
  }
  %r = cute.get_scalars(%at) : !c
  return %r : i32
}

// Two buffers change places.
// ping_pong(4096, 8192, 0) = 4224
// ping_pong(4096, 8192, 1) = 8320
// ping_pong(4096, 8192, 6) = 4224
func.func @ping_pong(%p: i64, %q: i64, %n: i32) -> i64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = func.call @tensor(%p, %n) : (i64, i32) -> !m
  %b = func.call @tensor(%q, %c1) : (i64, i32) -> !m
  %now, %next = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (!m, !m) : i32 {
    scf.yield %y, %x : !m, !m
  }
  %r = func.call @row(%now) : (!m) -> i64
  return %r : i64
}

// Loops of several results, some of which nobody needs.
// counts(5, 2) = 11, 5
// counts(0, 2) = 1, 0
func.func @counts(%n: i32, %step: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = cute.make_coord(%c1) : (i32) -> !c
  %by = cute.make_int_tuple(%step) : (i32) -> !cute.int_tuple<"?">
  %i, %at, %other, %same = scf.while (%i = %c0, %x = %one, %y = %one, %z = %one) : (i32, !c, !c, !c) -> (i32, !c, !c, !c) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %x, %y, %z : i32, !c, !c, !c
  } do {
  ^bb0(%i: i32, %x: !c, %y: !c, %z: !c):
    %v = cute.get_scalars(%x) : !c
    %d = cute.get_scalars(%by) : !cute.int_tuple<"?">
    %w = arith.addi %v, %d : i32
    %moved = cute.make_coord(%w) : (i32) -> !c
    %next = arith.addi %i, %c1 : i32
    scf.yield %next, %moved, %x, %z : i32, !c, !c, !c
  }
  %r = cute.get_scalars(%at) : !c
  return %r, %i : i32, i32
}

// chooses(0, 7) = 7
// chooses(1, 7) = 14
// chooses(2, 7) = 0
func.func @chooses(%which: i32, %i: i32) -> i32 {
  %index = arith.index_cast %which : i32 to index
  %a = cute.make_coord(%i) : (i32) -> !c
  %at, %l = scf.index_switch %index -> !c, !cute.layout<"4:1">
  case 0 {
    %l = cute.static : !cute.layout<"4:1">
    scf.yield %a, %l : !c, !cute.layout<"4:1">
  }
  case 1 {
    %l = cute.static : !cute.layout<"4:1">
    %j = arith.addi %i, %i : i32
    %b = cute.make_coord(%j) : (i32) -> !c
    scf.yield %b, %l : !c, !cute.layout<"4:1">
  }
  default {
    %l = cute.static : !cute.layout<"4:1">
    %c0 = arith.constant 0 : i32
    %b = cute.make_coord(%c0) : (i32) -> !c
    scf.yield %b, %l : !c, !cute.layout<"4:1">
  }
  %r = cute.get_scalars(%at) : !c
  return %r : i32
}

// A region of one block, and of several.
// region(1, 5) = 5, 12
// region(0, 5) = 6, 12
func.func @region(%which: i32, %i: i32) -> (i32, i32) {
  %yes = arith.trunci %which : i32 to i1
  %one = arith.constant 1 : i32
  %at, %l = scf.execute_region -> (!c, !l) {
    %a = cute.make_coord(%i) : (i32) -> !c
    %j = arith.addi %i, %one : i32
    %b = cute.make_coord(%j) : (i32) -> !c
    cf.cond_br %yes, ^end(%a : !c), ^end(%b : !c)
  ^end(%c: !c):
    %three = arith.constant 3 : i32
    %shape = cute.make_shape(%three) : (i32) -> !cute.shape<"(?,4)">
    %stride = cute.make_stride(%three) : (i32) -> !cute.stride<"(1,?)">
    %l = cute.make_layout(%shape, %stride) : (!cute.shape<"(?,4)">, !cute.stride<"(1,?)">) -> !l
    scf.yield %c, %l : !c, !l
  }
  %same = scf.execute_region -> !l no_inline {
    scf.yield %l : !l
  }
  %r = cute.get_scalars(%at) : !c
  %size = cute.size(%same) : (!l) -> !cute.int_tuple<"?{div=4}">
  %s = cute.get_scalars(%size) : !cute.int_tuple<"?{div=4}">
  return %r, %s : i32, i32
}

// Blocks with arguments.
// branches(1, 5, 9) = 5
// branches(0, 5, 9) = 9
func.func @branches(%which: i32, %i: i32, %j: i32) -> i32 {
  %yes = arith.trunci %which : i32 to i1
  %a = cute.make_coord(%i) : (i32) -> !c
  %b = cute.make_coord(%j) : (i32) -> !c
  cf.cond_br %yes, ^one(%a, %b : !c, !c), ^other(%b : !c)
^one(%x: !c, %unused: !c):
  cf.br ^end(%x : !c)
^other(%y: !c):
  cf.br ^end(%y : !c)
^end(%at: !c):
  %r = cute.get_scalars(%at) : !c
  return %r : i32
}

// switches(0, 4096, 8192) = 4224
// switches(3, 4096, 8192) = 8320
// switches(9, 4096, 8192) = -1
func.func @switches(%which: i32, %p: i64, %q: i64) -> i64 {
  %a = func.call @tensor(%p, %which) : (i64, i32) -> !m
  %b = func.call @tensor(%q, %which) : (i64, i32) -> !m
  cf.switch %which : i32, [
    default: ^none,
    0: ^end(%a : !m),
    3: ^end(%b : !m)
  ]
^none:
  %none = arith.constant -1 : i64
  return %none : i64
^end(%t: !m):
  %r = func.call @row(%t) : (!m) -> i64
  return %r : i64
}

// A loop of branches with two ways out, which carry different values.
// leaves_early(5, 100) = 5, 0
// leaves_early(50, 3) = 3, 1
func.func @leaves_early(%n: i32, %limit: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = cute.make_coord(%c0) : (i32) -> !c
  cf.br ^head(%zero : !c)
^head(%at: !c):
  %i = cute.get_scalars(%at) : !c
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end(%at : !c)
^body:
  %over = arith.cmpi sge, %i, %limit : i32
  cf.cond_br %over, ^stop(%at, %c1 : !c, i32), ^next
^next:
  %j = arith.addi %i, %c1 : i32
  %next = cute.make_coord(%j) : (i32) -> !c
  cf.br ^head(%next : !c)
^end(%last: !c):
  cf.br ^stop(%last, %c0 : !c, i32)
^stop(%found: !c, %why: i32):
  %r = cute.get_scalars(%found) : !c
  return %r, %why : i32, i32
}

// Ops that do not change in a loop are hoisted; a loop that does not run must not divide.
// invariant(3, 12, 4) = 9
// invariant(0, 12, 0) = 0
func.func @invariant(%n: i32, %a: i32, %b: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %c0) -> i32 : i32 {
    %x = cute.make_int_tuple(%a) : (i32) -> !cute.int_tuple<"?">
    %y = cute.make_int_tuple(%b) : (i32) -> !cute.int_tuple<"?">
    %q = cute.tuple_div(%x, %y) : (!cute.int_tuple<"?">, !cute.int_tuple<"?">) -> !cute.int_tuple<"?">
    %v = cute.get_scalars(%q) : !cute.int_tuple<"?">
    %next = arith.addi %sum, %v : i32
    scf.yield %next : i32
  }
  return %r : i32
}

// A block in front of the one that dominates it.
// out_of_order(5) = 5
func.func @out_of_order(%i: i32) -> i32 {
  cf.br ^first
^last:
  %r = cute.get_scalars(%at) : !c
  return %r : i32
^first:
  %at = cute.make_coord(%i) : (i32) -> !c
  cf.br ^last
}
