// RUN: %opt %s -split-input-file -verify-diagnostics

// One run reports all ops that are not valid, in nested regions too.
func.func @several(%l: !cute.layout<"(4,8):(1,4)">, %n: index) {
  // expected-error @below {{the value is `32`, declared `31`}}
  %0 = cute.size(%l) : (!cute.layout<"(4,8):(1,4)">) -> !cute.int_tuple<"31">
  %1 = cute.get_shape(%l) : !cute.layout<"(4,8):(1,4)"> -> !cute.shape<"(4,8)">
  scf.for %i = %n to %n step %n {
    // expected-error @below {{the extent of mode 1 is `8`, declared `9`}}
    %2 = cute.get_shape(%l) : !cute.layout<"(4,8):(1,4)"> -> !cute.shape<"(4,9)">
  }
  // expected-error @below {{the stride of mode 0 is `1`, declared `2`}}
  %3 = cute.get_stride(%l) : <"(4,8):(1,4)"> -> !cute.stride<"(2,4)">
  return
}

func.func @another(%l: !cute.layout<"(4,8):(1,4)">) {
  // expected-error @below {{the value is `32`, declared `30`}}
  %0 = cute.size(%l) : (!cute.layout<"(4,8):(1,4)">) -> !cute.int_tuple<"30">
  return
}

// -----

// The first op may break a rule of TableGen, and others may be of another dialect.
func.func @kinds(%l: !cute.layout<"(4,8):(1,4)">, %s: !cute.shape<"(4,8)">, %v: vector<4xf32>) {
  // expected-error @below {{'cute.right_inverse' op operand #0 must be layout, composed layout, memref or coord_tensor, but got '!cute.shape<"(4,8)">'}}
  %0 = cute.right_inverse(%s) : (!cute.shape<"(4,8)">) -> !cute.layout<"32:1">
  // expected-error @below {{expected position attribute #1 to be a non-negative integer smaller than the corresponding vector dimension}}
  %1 = vector.extract %v[7] : f32 from vector<4xf32>
  // expected-error @below {{the value is `32`, declared `31`}}
  %2 = cute.size(%l) : (!cute.layout<"(4,8):(1,4)">) -> !cute.int_tuple<"31">
  return
}

// -----

// A parser cannot go on behind an op whose result types it cannot infer, but the ops before it are checked.
func.func @parsed(%l: !cute.layout<"(4,8):(1,4)">, %m: !cute.coord<"(0,0,0)">, %n: index) {
  // expected-error @below {{the value is `32`, declared `31`}}
  %0 = cute.size(%l) : (!cute.layout<"(4,8):(1,4)">) -> !cute.int_tuple<"31">
  scf.for %i = %n to %n step %n {
    // expected-error @below {{the extent of mode 1 is `8`, declared `9`}}
    %1 = cute.get_shape(%l) : !cute.layout<"(4,8):(1,4)"> -> !cute.shape<"(4,9)">
    // expected-error @below {{'cute.crd2idx' op the coordinate: rank 3, expected exactly 2}}
    %2 = cute.crd2idx(%m, %1) : (!cute.coord<"(0,0,0)">, !cute.shape<"(4,9)">)
    // An error in what follows is not reached.
    %3 = cute.size(%l) : (!cute.layout<"(4,8):(1,4)">) -> !cute.int_tuple<"30">
  }
  return
}
