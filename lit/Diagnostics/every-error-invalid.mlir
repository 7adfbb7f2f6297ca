// RUN: %opt %s -verify-diagnostics

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
