// RUN: %opt %s --pass-pipeline='builtin.module(cute-fold-static)' | FileCheck %s

// A chain of static ops becomes one value; what made it is gone.
// CHECK-LABEL: func.func @chain
func.func @chain() -> !cute.layout<"((5,4),(2,2)):((4,2),(20,8))"> {
  // CHECK-NEXT: %[[S:.+]] = cute.static : !cute.layout<"((5,4),(2,2)):((4,2),(20,8))">
  // CHECK-NEXT: return %[[S]]
  %0 = cute.static : !cute.layout<"(10,8):(4,2)">
  %1 = cute.static : !cute.tile<"[5:1;4:1]">
  %2 = cute.zipped_divide(%0, %1) : (!cute.layout<"(10,8):(4,2)">, !cute.tile<"[5:1;4:1]">) -> !cute.layout<"((5,4),(2,2)):((4,2),(20,8))">
  return %2 : !cute.layout<"((5,4),(2,2)):((4,2),(20,8))">
}

// The static shape of a dynamic layout folds, the layout stays.
// CHECK-LABEL: func.func @shape_of_dynamic
func.func @shape_of_dynamic(%l: !cute.layout<"(4,8):(?,1)">) -> !cute.shape<"(4,8)"> {
  // CHECK-NEXT: %[[S:.+]] = cute.static : !cute.shape<"(4,8)">
  // CHECK-NEXT: return %[[S]]
  %0 = cute.get_shape(%l) : !cute.layout<"(4,8):(?,1)"> -> !cute.shape<"(4,8)">
  return %0 : !cute.shape<"(4,8)">
}

// Effects stay.
// CHECK-LABEL: func.func @effects
func.func @effects(%m: !cute.memref<f32, gmem, "4:1">, %v: f32) {
  // CHECK: cute.memref.store
  %c = cute.make_coord() : () -> !cute.coord<"1">
  cute.memref.store(%m, %c, %v) : (!cute.memref<f32, gmem, "4:1">, !cute.coord<"1">, f32) -> ()
  return
}

// A comparison whose answer is known.
// CHECK-LABEL: @comparisons
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK-DAG: %[[FALSE:.*]] = arith.constant false
// CHECK: return %[[TRUE]], %[[FALSE]]
func.func @comparisons(%a: !cute.int_tuple<"(1,2)">, %b: !cute.int_tuple<"(3,4)">) -> (i1, i1) {
  %0 = cute.elem_less(%a, %b) : (!cute.int_tuple<"(1,2)">, !cute.int_tuple<"(3,4)">) -> i1
  %1 = cute.equal(%a, %b) : (!cute.int_tuple<"(1,2)">, !cute.int_tuple<"(3,4)">) -> i1
  return %0, %1 : i1, i1
}
