// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base{runtime-checks},convert-scf-to-cf,convert-to-llvm,reconcile-unrealized-casts)' | mlir-translate --mlir-to-llvmir -o %t.ll

// The assumptions of each op about run-time integers, on the host: a message on standard error, then a trap.

// The part of a mode divides what is left.
// RUN: not --crash lli --entry-function=part %t.ll 2>&1 | FileCheck %s --check-prefix=PART
// PART: 'cute.composition' op 8 is assumed to be a multiple of 3
func.func @part() -> i32 {
  %n = arith.constant 5 : i32
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,8)">
  %a = cute.make_layout(%s) : (!cute.shape<"(?,8)">) -> !cute.layout<"(?,8):(1,?)">
  %b = cute.static : !cute.layout<"8:2">
  %c = cute.composition(%a, %b) : (!cute.layout<"(?,8):(1,?)">, !cute.layout<"8:2">) -> !cute.layout<"(?,?):(2,?)">
  cute.print(%c) : !cute.layout<"(?,?):(2,?)">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// And nothing steps out of a mode but at its end: 4 is 2 * 2, in the next mode.
// RUN: not --crash lli --entry-function=carry %t.ll 2>&1 | FileCheck %s --check-prefix=CARRY
// CARRY: 'cute.composition' op stride 2 steps out of an extent of 3: one is assumed to be a multiple of the other
func.func @carry() -> i32 {
  %n = arith.constant 3 : i32
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,8)">
  %a = cute.make_layout(%s) : (!cute.shape<"(?,8)">) -> !cute.layout<"(?,8):(1,?)">
  %b = cute.static : !cute.layout<"8:2">
  %c = cute.composition(%a, %b) : (!cute.layout<"(?,8):(1,?)">, !cute.layout<"8:2">) -> !cute.layout<"(?,?):(2,?)">
  cute.print(%c) : !cute.layout<"(?,?):(2,?)">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: lli --entry-function=composed %t.ll | FileCheck %s --check-prefix=COMPOSED
// COMPOSED: (2,4):(2,4)
func.func @composed() -> i32 {
  %n = arith.constant 4 : i32
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,8)">
  %a = cute.make_layout(%s) : (!cute.shape<"(?,8)">) -> !cute.layout<"(?,8):(1,?)">
  %b = cute.static : !cute.layout<"8:2">
  %c = cute.composition(%a, %b) : (!cute.layout<"(?,8):(1,?)">, !cute.layout<"8:2">) -> !cute.layout<"(?,?):(2,?)">
  cute.print(%c) : !cute.layout<"(?,?):(2,?)">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// CuTe does not ask for the latter.
// RUN: lli --entry-function=accepted %t.ll | FileCheck %s --check-prefix=ACCEPTED
// ACCEPTED: (2,4):(2,3)
func.func @accepted() -> i32 attributes {cute.domain = "extend"} {
  %n = arith.constant 3 : i32
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,8)">
  %a = cute.make_layout(%s) : (!cute.shape<"(?,8)">) -> !cute.layout<"(?,8):(1,?)">
  %b = cute.static : !cute.layout<"8:2">
  %c = cute.composition(%a, %b) : (!cute.layout<"(?,8):(1,?)">, !cute.layout<"8:2">) -> !cute.layout<"(?,?):(2,?)">
  cute.print(%c) : !cute.layout<"(?,?):(2,?)">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// A stride passes whole modes.
// RUN: not --crash lli --entry-function=stride %t.ll 2>&1 | FileCheck %s --check-prefix=STRIDE
// STRIDE: 'cute.composition' op stride 12 is assumed to be a multiple of extent 5, or less
func.func @stride() -> i32 attributes {cute.domain = "extend"} {
  %n = arith.constant 5 : i32
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,8)">
  %t = cute.make_stride(%n) : (i32) -> !cute.stride<"(1,?)">
  %a = cute.make_layout(%s, %t) : (!cute.shape<"(?,8)">, !cute.stride<"(1,?)">) -> !cute.layout<"(?,8):(1,?)">
  %b = cute.static : !cute.layout<"2:12">
  %c = cute.composition(%a, %b) : (!cute.layout<"(?,8):(1,?)">, !cute.layout<"2:12">) -> !cute.layout<"(?,?):(12,?)">
  cute.print(%c) : !cute.layout<"(?,?):(12,?)">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: lli --entry-function=strided %t.ll | FileCheck %s --check-prefix=STRIDED
// STRIDED: (1,2):(12,12)
func.func @strided() -> i32 {
  %n = arith.constant 4 : i32
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,8)">
  %t = cute.make_stride(%n) : (i32) -> !cute.stride<"(1,?)">
  %a = cute.make_layout(%s, %t) : (!cute.shape<"(?,8)">, !cute.stride<"(1,?)">) -> !cute.layout<"(?,8):(1,?)">
  %b = cute.static : !cute.layout<"2:12">
  %c = cute.composition(%a, %b) : (!cute.layout<"(?,8):(1,?)">, !cute.layout<"2:12">) -> !cute.layout<"(?,?):(12,?)">
  cute.print(%c) : !cute.layout<"(?,?):(12,?)">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// Extents are divided by the strides of the right operand. The check comes first, whatever is computed first.
// RUN: not --crash lli --entry-function=standing %t.ll 2>&1 | FileCheck %s --check-prefix=STANDING
// STANDING: 'cute.composition' op stride 0 of the right operand is assumed not to be 0, because extents are divided by it; a static stride of 0 repeats an element
func.func @standing() -> i32 attributes {cute.domain = "extend"} {
  %n = arith.constant 0 : i32
  %a = cute.static : !cute.layout<"(4,2):(2,16)">
  %s = cute.static : !cute.shape<"4">
  %t = cute.make_stride(%n) : (i32) -> !cute.stride<"?">
  %b = cute.make_layout(%s, %t) : (!cute.shape<"4">, !cute.stride<"?">) -> !cute.layout<"4:?">
  %c = cute.composition(%a, %b) : (!cute.layout<"(4,2):(2,16)">, !cute.layout<"4:?">) -> !cute.layout<"(?,?):(?{div=2},?{div=16})">
  %shape = cute.get_shape(%c) : !cute.layout<"(?,?):(?{div=2},?{div=16})"> -> !cute.shape<"(?,?)">
  %last = cute.get<[1]> (%shape) : !cute.shape<"(?,?)"> -> !cute.shape<"?">
  cute.print(%last) : !cute.shape<"?">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// A left operand of one mode divides by none, and neither does an extent of 1.
// RUN: lli --entry-function=undivided %t.ll | FileCheck %s --check-prefix=UNDIVIDED
// UNDIVIDED: 4:0
// UNDIVIDED-NEXT: 1:0
func.func @undivided() -> i32 {
  %n = arith.constant 0 : i32
  %a = cute.static : !cute.layout<"8:2">
  %two = cute.static : !cute.layout<"(4,2):(2,16)">
  %s = cute.static : !cute.shape<"4">
  %one = cute.static : !cute.shape<"1">
  %t = cute.make_stride(%n) : (i32) -> !cute.stride<"?">
  %b = cute.make_layout(%s, %t) : (!cute.shape<"4">, !cute.stride<"?">) -> !cute.layout<"4:?">
  %single = cute.make_layout(%one, %t) : (!cute.shape<"1">, !cute.stride<"?">) -> !cute.layout<"1:?">
  %c = cute.composition(%a, %b) : (!cute.layout<"8:2">, !cute.layout<"4:?">) -> !cute.layout<"4:?{div=2}">
  %d = cute.composition(%two, %single) : (!cute.layout<"(4,2):(2,16)">, !cute.layout<"1:?">) -> !cute.layout<"1:?{div=16}">
  cute.print(%c) : !cute.layout<"4:?{div=2}">
  cute.print(%d) : !cute.layout<"1:?{div=16}">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// A complement is a layout if the stride is above 0. It divides by the stride too.
// RUN: not --crash lli --entry-function=backwards %t.ll 2>&1 | FileCheck %s --check-prefix=BACKWARDS
// BACKWARDS: 'cute.complement' op stride -2 is assumed to be above 0, because a complement fills the gap below it
func.func @backwards() -> i32 attributes {cute.domain = "extend"} {
  %n = arith.constant -2 : i32
  %s = cute.static : !cute.shape<"4">
  %t = cute.make_stride(%n) : (i32) -> !cute.stride<"?">
  %a = cute.make_layout(%s, %t) : (!cute.shape<"4">, !cute.stride<"?">) -> !cute.layout<"4:?">
  %m = cute.static : !cute.shape<"16">
  %c = cute.complement(%a, %m) : (!cute.layout<"4:?">, !cute.shape<"16">) -> !cute.layout<"(?,?):(1,?{div=4})">
  cute.print(%c) : !cute.layout<"(?,?):(1,?{div=4})">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: lli --entry-function=upwards %t.ll | FileCheck %s --check-prefix=UPWARDS
// UPWARDS: (2,2):(1,8)
func.func @upwards() -> i32 {
  %n = arith.constant 2 : i32
  %s = cute.static : !cute.shape<"4">
  %t = cute.make_stride(%n) : (i32) -> !cute.stride<"?">
  %a = cute.make_layout(%s, %t) : (!cute.shape<"4">, !cute.stride<"?">) -> !cute.layout<"4:?">
  %m = cute.static : !cute.shape<"16">
  %c = cute.complement(%a, %m) : (!cute.layout<"4:?">, !cute.shape<"16">) -> !cute.layout<"(?,?):(1,?{div=4})">
  cute.print(%c) : !cute.layout<"(?,?):(1,?{div=4})">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// Strict: tiles cover what they divide.
// RUN: not --crash lli --entry-function=partial %t.ll 2>&1 | FileCheck %s --check-prefix=PARTIAL
// PARTIAL: 'cute.logical_divide' op tiles cover 160 elements of 128; set cute.domain = "extend" for a partial last tile
func.func @partial() -> i32 {
  %n = arith.constant 128 : i32
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"?">
  %a = cute.make_layout(%s) : (!cute.shape<"?">) -> !cute.layout<"?:1">
  %t = cute.static : !cute.shape<"40">
  %d = cute.logical_divide(%a, %t) : (!cute.layout<"?:1">, !cute.shape<"40">) -> !cute.layout<"(40,?):(1,40)">
  cute.print(%d) : !cute.layout<"(40,?):(1,40)">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: lli --entry-function=whole %t.ll | FileCheck %s --check-prefix=WHOLE
// WHOLE: (40,3):(1,40)
func.func @whole() -> i32 {
  %n = arith.constant 120 : i32
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"?">
  %a = cute.make_layout(%s) : (!cute.shape<"?">) -> !cute.layout<"?:1">
  %t = cute.static : !cute.shape<"40">
  %d = cute.logical_divide(%a, %t) : (!cute.layout<"?:1">, !cute.shape<"40">) -> !cute.layout<"(40,?):(1,40)">
  cute.print(%d) : !cute.layout<"(40,?):(1,40)">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: lli --entry-function=rounded %t.ll | FileCheck %s --check-prefix=ROUNDED
// ROUNDED: (40,4):(1,40)
func.func @rounded() -> i32 attributes {cute.domain = "extend"} {
  %n = arith.constant 128 : i32
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"?">
  %a = cute.make_layout(%s) : (!cute.shape<"?">) -> !cute.layout<"?:1">
  %t = cute.static : !cute.shape<"40">
  %d = cute.logical_divide(%a, %t) : (!cute.layout<"?:1">, !cute.shape<"40">) -> !cute.layout<"(40,?):(1,40)">
  cute.print(%d) : !cute.layout<"(40,?):(1,40)">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: not --crash lli --entry-function=quotient %t.ll 2>&1 | FileCheck %s --check-prefix=QUOTIENT
// QUOTIENT: 'cute.shape_div' op of 128 and 40 one is assumed to be a multiple of the other
func.func @quotient() -> i32 {
  %n = arith.constant 128 : i32
  %a = cute.make_shape(%n) : (i32) -> !cute.shape<"?">
  %b = cute.static : !cute.shape<"40">
  %d = cute.shape_div(%a, %b) : (!cute.shape<"?">, !cute.shape<"40">) -> !cute.shape<"?">
  cute.print(%d) : !cute.shape<"?">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: lli --entry-function=divided %t.ll | FileCheck %s --check-prefix=DIVIDED
// DIVIDED: 1
func.func @divided() -> i32 {
  %n = arith.constant 20 : i32
  %a = cute.make_shape(%n) : (i32) -> !cute.shape<"?">
  %b = cute.static : !cute.shape<"40">
  %d = cute.shape_div(%a, %b) : (!cute.shape<"?">, !cute.shape<"40">) -> !cute.shape<"?">
  cute.print(%d) : !cute.shape<"?">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// A division by 0 is one too.
// RUN: not --crash lli --entry-function=zero %t.ll 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: 'cute.shape_div' op of 40 and 0
func.func @zero() -> i32 {
  %n = arith.constant 0 : i32
  %a = cute.static : !cute.shape<"40">
  %b = cute.make_shape(%n) : (i32) -> !cute.shape<"?">
  %d = cute.shape_div(%a, %b) : (!cute.shape<"40">, !cute.shape<"?">) -> !cute.shape<"?">
  cute.print(%d) : !cute.shape<"?">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: not --crash lli --entry-function=promise %t.ll 2>&1 | FileCheck %s --check-prefix=PROMISE
// PROMISE: 'cute.assume' op 12 is assumed to be a multiple of 8
func.func @promise() -> i32 {
  %n = arith.constant 12 : i64
  %a = cute.assume(%n) : (i64) -> !cute.i64<divby 8>
  %s = cute.make_shape(%a) : (!cute.i64<divby 8>) -> !cute.shape<"?{i64 div=8}">
  cute.print(%s) : !cute.shape<"?{i64 div=8}">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: lli --entry-function=promised %t.ll | FileCheck %s --check-prefix=PROMISED
// PROMISED: 16
func.func @promised() -> i32 {
  %n = arith.constant 16 : i64
  %a = cute.assume(%n) : (i64) -> !cute.i64<divby 8>
  %s = cute.make_shape(%a) : (!cute.i64<divby 8>) -> !cute.shape<"?{i64 div=8}">
  cute.print(%s) : !cute.shape<"?{i64 div=8}">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// Strict: coordinates are in range.
// RUN: not --crash lli --entry-function=past %t.ll 2>&1 | FileCheck %s --check-prefix=PAST
// PAST: 'cute.crd2idx' op index 4 is outside [0, 4)
func.func @past() -> i32 {
  %n = arith.constant 4 : i32
  %c = cute.make_coord(%n) : (i32) -> !cute.coord<"(?,1)">
  %l = cute.static : !cute.layout<"(4,8):(8,1)">
  %i = cute.crd2idx(%c, %l) : (!cute.coord<"(?,1)">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"?">
  cute.print(%i) : !cute.int_tuple<"?">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: not --crash lli --entry-function=negative %t.ll 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: 'cute.crd2idx' op index -1 is outside [0, 4)
func.func @negative() -> i32 {
  %n = arith.constant -1 : i32
  %c = cute.make_coord(%n) : (i32) -> !cute.coord<"(?,1)">
  %l = cute.static : !cute.layout<"(4,8):(8,1)">
  %i = cute.crd2idx(%c, %l) : (!cute.coord<"(?,1)">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"?">
  cute.print(%i) : !cute.int_tuple<"?">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: lli --entry-function=inside %t.ll | FileCheck %s --check-prefix=INSIDE
// INSIDE: 25
func.func @inside() -> i32 {
  %n = arith.constant 3 : i32
  %c = cute.make_coord(%n) : (i32) -> !cute.coord<"(?,1)">
  %l = cute.static : !cute.layout<"(4,8):(8,1)">
  %i = cute.crd2idx(%c, %l) : (!cute.coord<"(?,1)">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"?">
  cute.print(%i) : !cute.int_tuple<"?">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: lli --entry-function=extended %t.ll | FileCheck %s --check-prefix=EXTENDED
// EXTENDED: 33
func.func @extended() -> i32 attributes {cute.domain = "extend"} {
  %n = arith.constant 4 : i32
  %c = cute.make_coord(%n) : (i32) -> !cute.coord<"(?,1)">
  %l = cute.static : !cute.layout<"(4,8):(8,1)">
  %i = cute.crd2idx(%c, %l) : (!cute.coord<"(?,1)">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"?">
  cute.print(%i) : !cute.int_tuple<"?">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// A static index, of a dynamic extent.
// RUN: not --crash lli --entry-function=fixed %t.ll 2>&1 | FileCheck %s --check-prefix=FIXED
// FIXED: 'cute.layout_eval' op index 7 is outside [0, 5)
func.func @fixed() -> i32 {
  %n = arith.constant 5 : i32
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"?">
  %l = cute.make_layout(%s) : (!cute.shape<"?">) -> !cute.layout<"?:1">
  %c = cute.make_coord() : () -> !cute.coord<"7">
  %i = cute.layout_eval(%c, %l) : (!cute.coord<"7">, !cute.layout<"?:1">) -> !cute.int_tuple<"7">
  cute.print(%i) : !cute.int_tuple<"7">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: not --crash lli --entry-function=tile %t.ll 2>&1 | FileCheck %s --check-prefix=TILE
// TILE: 'cute.local_tile' op index 2 is outside [0, 2)
func.func @tile() -> i32 {
  %n = arith.constant 2 : i32
  %t = cute.static : !cute.coord_tensor<"(0,0)", "(128,64):(1@0,1@1)">
  %b = cute.static : !cute.shape<"(64,32)">
  %c = cute.make_coord(%n) : (i32) -> !cute.coord<"(0,?)">
  %i = cute.local_tile(%t, %b, %c) : (!cute.coord_tensor<"(0,0)", "(128,64):(1@0,1@1)">, !cute.shape<"(64,32)">, !cute.coord<"(0,?)">) -> !cute.coord_tensor<"(0,?{div=32})", "(64,32):(1@0,1@1)">
  cute.print(%i) : !cute.coord_tensor<"(0,?{div=32})", "(64,32):(1@0,1@1)">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: lli --entry-function=tiled %t.ll | FileCheck %s --check-prefix=TILED
// TILED: (0,32) o (64,32)
func.func @tiled() -> i32 {
  %n = arith.constant 1 : i32
  %t = cute.static : !cute.coord_tensor<"(0,0)", "(128,64):(1@0,1@1)">
  %b = cute.static : !cute.shape<"(64,32)">
  %c = cute.make_coord(%n) : (i32) -> !cute.coord<"(0,?)">
  %i = cute.local_tile(%t, %b, %c) : (!cute.coord_tensor<"(0,0)", "(128,64):(1@0,1@1)">, !cute.shape<"(64,32)">, !cute.coord<"(0,?)">) -> !cute.coord_tensor<"(0,?{div=32})", "(64,32):(1@0,1@1)">
  cute.print(%i) : !cute.coord_tensor<"(0,?{div=32})", "(64,32):(1@0,1@1)">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: not --crash lli --entry-function=row %t.ll 2>&1 | FileCheck %s --check-prefix=ROW
// ROW: 'cute.slice' op index 128 is outside [0, 128)
func.func @row() -> i32 {
  %n = arith.constant 128 : i32
  %t = cute.static : !cute.coord_tensor<"(0,0)", "(128,64):(1@0,1@1)">
  %c = cute.make_coord(%n) : (i32) -> !cute.coord<"(?,_)">
  %i = cute.slice(%t, %c) : !cute.coord_tensor<"(0,0)", "(128,64):(1@0,1@1)">, !cute.coord<"(?,_)">
  cute.print(%i) : !cute.coord_tensor<"(?,0)", "(64):(1@1)">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: not --crash lli --entry-function=element %t.ll 2>&1 | FileCheck %s --check-prefix=ELEMENT
// ELEMENT: 'cute.memref.load' op index 4 is outside [0, 4)
func.func @element() -> f32 {
  %n = arith.constant 4 : i32
  %m = cute.memref.alloca() : !cute.memref<f32, rmem, align<16>, "4:1">
  %c = cute.make_coord(%n) : (i32) -> !cute.coord<"?">
  %x = cute.memref.load(%m, %c) : (!cute.memref<f32, rmem, align<16>, "4:1">, !cute.coord<"?">) -> f32
  return %x : f32
}

// RUN: not --crash lli --entry-function=window %t.ll 2>&1 | FileCheck %s --check-prefix=WINDOW
// WINDOW: 'cute.stencil_divide' op a window spans 9 elements, but the mode has 8
func.func @window() -> i32 {
  %n = arith.constant 8 : i32
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"?">
  %l = cute.make_layout(%s) : (!cute.shape<"?">) -> !cute.layout<"?:1">
  %w = cute.static : !cute.coord<"9">
  %d = cute.stencil_divide(%l, %w) : (!cute.layout<"?:1">, !cute.coord<"9">) -> !cute.layout<"(9,?):(1,1)">
  cute.print(%d) : !cute.layout<"(9,?):(1,1)">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: not --crash lli --entry-function=vector %t.ll 2>&1 | FileCheck %s --check-prefix=VECTOR
// VECTOR: 'cute.recast_layout' op 6 is assumed to be a multiple of 4
func.func @vector() -> i32 {
  %n = arith.constant 6 : i32
  %t = cute.make_stride(%n) : (i32) -> !cute.stride<"(1,?)">
  %s = cute.static : !cute.shape<"(8,4)">
  %l = cute.make_layout(%s, %t) : (!cute.shape<"(8,4)">, !cute.stride<"(1,?)">) -> !cute.layout<"(8,4):(1,?)">
  %d = cute.recast_layout<32, 8> (%l) : !cute.layout<"(8,4):(1,?)"> -> !cute.layout<"(2,4):(1,?)">
  cute.print(%d) : !cute.layout<"(2,4):(1,?)">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// Products and sums stay within their width.
// RUN: not --crash lli --entry-function=overflow %t.ll 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// OVERFLOW: 'cute.size' op 65536 * 65536 overflows i32; leaves of i64 hold more
func.func @overflow() -> i32 {
  %n = arith.constant 65536 : i32
  %s = cute.make_shape(%n, %n) : (i32, i32) -> !cute.shape<"(?,?)">
  %z = cute.size(%s) : (!cute.shape<"(?,?)">) -> !cute.int_tuple<"?">
  cute.print(%z) : !cute.int_tuple<"?">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: lli --entry-function=wide %t.ll | FileCheck %s --check-prefix=WIDE
// WIDE: 4294967296
func.func @wide() -> i32 {
  %n = arith.constant 65536 : i64
  %s = cute.make_shape(%n, %n) : (i64, i64) -> !cute.shape<"(?{i64},?{i64})">
  %z = cute.size(%s) : (!cute.shape<"(?{i64},?{i64})">) -> !cute.int_tuple<"?{i64}">
  cute.print(%z) : !cute.int_tuple<"?{i64}">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: not --crash lli --entry-function=wider %t.ll 2>&1 | FileCheck %s --check-prefix=WIDER
// WIDER: 'cute.size' op 4294967296 * 4294967296 overflows i64
func.func @wider() -> i32 {
  %n = arith.constant 4294967296 : i64
  %s = cute.make_shape(%n, %n) : (i64, i64) -> !cute.shape<"(?{i64},?{i64})">
  %z = cute.size(%s) : (!cute.shape<"(?{i64},?{i64})">) -> !cute.int_tuple<"?{i64}">
  cute.print(%z) : !cute.int_tuple<"?{i64}">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: not --crash lli --entry-function=thread %t.ll 2>&1 | FileCheck %s --check-prefix=THREAD
// THREAD: 'cute.local_partition' op index 32 is outside [0, 32)
func.func @thread() -> i32 {
  %n = arith.constant 32 : i32
  %t = cute.static : !cute.coord_tensor<"(0,0)", "(64,32):(1@0,1@1)">
  %h = cute.static : !cute.layout<"(8,4):(4,1)">
  %p = cute.local_partition(%t, %h, %n) : (!cute.coord_tensor<"(0,0)", "(64,32):(1@0,1@1)">, !cute.layout<"(8,4):(4,1)">, i32) -> !cute.coord_tensor<"(?,?)", "(8,8):(8@0,4@1)">
  cute.print(%p) : !cute.coord_tensor<"(?,?)", "(8,8):(8@0,4@1)">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: lli --entry-function=last %t.ll | FileCheck %s --check-prefix=LAST
// LAST: (7,3) o (8,8):(8@0,4@1)
func.func @last() -> i32 {
  %n = arith.constant 31 : i32
  %t = cute.static : !cute.coord_tensor<"(0,0)", "(64,32):(1@0,1@1)">
  %h = cute.static : !cute.layout<"(8,4):(4,1)">
  %p = cute.local_partition(%t, %h, %n) : (!cute.coord_tensor<"(0,0)", "(64,32):(1@0,1@1)">, !cute.layout<"(8,4):(4,1)">, i32) -> !cute.coord_tensor<"(?,?)", "(8,8):(8@0,4@1)">
  cute.print(%p) : !cute.coord_tensor<"(?,?)", "(8,8):(8@0,4@1)">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: not --crash lli --entry-function=block %t.ll 2>&1 | FileCheck %s --check-prefix=BLOCK
// BLOCK: 'cute.tile_to_shape' op tiles cover 9 elements of 8
func.func @block() -> i32 {
  %n = arith.constant 8 : i32
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"?">
  %b = cute.static : !cute.layout<"3:1">
  %t = cute.tile_to_shape(%b, %s) : (!cute.layout<"3:1">, !cute.shape<"?">) -> !cute.layout<"((3,(?))):((1,(3)))">
  cute.print(%t) : !cute.layout<"((3,(?))):((1,(3)))">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// Strict: values of several modes do not add up past a mode: 3 + 2 would be 5 of 4.
// RUN: not --crash lli --entry-function=sum %t.ll 2>&1 | FileCheck %s --check-prefix=SUM
// SUM: 'cute.composition' op several modes reach 5 together, which must be below 4 so that no sum carries
func.func @sum() -> i32 {
  %n = arith.constant 4 : i32
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,8)">
  %t = cute.static : !cute.stride<"(1,5)">
  %a = cute.make_layout(%s, %t) : (!cute.shape<"(?,8)">, !cute.stride<"(1,5)">) -> !cute.layout<"(?,8):(1,5)">
  %b = cute.static : !cute.layout<"(4,2):(1,2)">
  %c = cute.composition(%a, %b) : (!cute.layout<"(?,8):(1,5)">, !cute.layout<"(4,2):(1,2)">) -> !cute.layout<"((?,?),(?,?)):((1,?{div=5}),(2,?{div=5}))">
  cute.print(%c) : !cute.layout<"((?,?),(?,?)):((1,?{div=5}),(2,?{div=5}))">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// Where the next mode continues the first, sums may pass it.
// RUN: lli --entry-function=continued %t.ll | FileCheck %s --check-prefix=CONTINUED
// CONTINUED: ((5,1),(2,1)):((1,5),(3,5))
func.func @continued() -> i32 {
  %n = arith.constant 5 : i32
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,8)">
  %t = cute.static : !cute.stride<"(1,5)">
  %a = cute.make_layout(%s, %t) : (!cute.shape<"(?,8)">, !cute.stride<"(1,5)">) -> !cute.layout<"(?,8):(1,5)">
  %b = cute.static : !cute.layout<"(5,2):(1,3)">
  %c = cute.composition(%a, %b) : (!cute.layout<"(?,8):(1,5)">, !cute.layout<"(5,2):(1,3)">) -> !cute.layout<"((?,?),(?,?)):((1,?{div=5}),(3,?{div=5}))">
  cute.print(%c) : !cute.layout<"((?,?),(?,?)):((1,?{div=5}),(3,?{div=5}))">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// Strict: the right operand stays in the left one.
// RUN: not --crash lli --entry-function=reach %t.ll 2>&1 | FileCheck %s --check-prefix=REACH
// REACH: 'cute.composition' op the right operand reaches 7, and the left operand has 5 elements
func.func @reach() -> i32 {
  %n = arith.constant 5 : i32
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"?">
  %a = cute.make_layout(%s) : (!cute.shape<"?">) -> !cute.layout<"?:1">
  %b = cute.static : !cute.layout<"8:1">
  %c = cute.composition(%a, %b) : (!cute.layout<"?:1">, !cute.layout<"8:1">) -> !cute.layout<"8:1">
  cute.print(%c) : !cute.layout<"8:1">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// RUN: not --crash lli --entry-function=repeated %t.ll 2>&1 | FileCheck %s --check-prefix=REPEATED
// REPEATED: 'cute.logical_divide' op a mode of stride 0 has 3 elements, and must have 1: it repeats values
func.func @repeated() -> i32 {
  %n = arith.constant 3 : i32
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(2,?)">
  %d = cute.static : !cute.stride<"(1,0)">
  %t = cute.make_layout(%s, %d) : (!cute.shape<"(2,?)">, !cute.stride<"(1,0)">) -> !cute.layout<"(2,?):(1,0)">
  %a = cute.static : !cute.layout<"24:1">
  %c = cute.logical_divide(%a, %t) : (!cute.layout<"24:1">, !cute.layout<"(2,?):(1,0)">) -> !cute.layout<"((2,?),12):((1,0),2)">
  cute.print(%c) : !cute.layout<"((2,?),12):((1,0),2)">
  %zero = arith.constant 0 : i32
  return %zero : i32
}
