// RUN: %opt %s -split-input-file -verify-diagnostics

// strict: threads that exist.
func.func @range(%arg0: !cute.layout<"(6,8):(1,6)">, %arg1: !cute.layout<"(3,2):(2,1)">, %arg2: !cute.int_tuple<"6">) -> !cute.layout<"(2,4):(3,12)"> {
  // expected-error @below {{'cute.local_partition' op coordinate: all modes: index 6 is outside [0, 6); set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.local_partition(%arg0, %arg1, %arg2) : (!cute.layout<"(6,8):(1,6)">, !cute.layout<"(3,2):(2,1)">, !cute.int_tuple<"6">) -> !cute.layout<"(2,4):(3,12)">
  return %0 : !cute.layout<"(2,4):(3,12)">
}

// -----

func.func @dynamic_threads(%arg0: !cute.layout<"(6,8):(1,6)">, %arg1: !cute.layout<"(?,2):(2,1)">, %arg2: i32) -> !cute.layout<"(2,4):(3,12)"> {
  // expected-error @below {{'cute.local_partition' op operand #1: the layout of threads (?,2):(2,1) must have a static shape}}
  %0 = cute.local_partition(%arg0, %arg1, %arg2) : (!cute.layout<"(6,8):(1,6)">, !cute.layout<"(?,2):(2,1)">, i32) -> !cute.layout<"(2,4):(3,12)">
  return %0 : !cute.layout<"(2,4):(3,12)">
}

// -----

func.func @rank(%arg0: !cute.layout<"6:1">, %arg1: !cute.layout<"(3,2):(2,1)">, %arg2: i32) -> !cute.layout<"2:3"> {
  // expected-error @below {{'cute.local_partition' op the tiler: rank 2, expected at most 1}}
  %0 = cute.local_partition(%arg0, %arg1, %arg2) : (!cute.layout<"6:1">, !cute.layout<"(3,2):(2,1)">, i32) -> !cute.layout<"2:3">
  return %0 : !cute.layout<"2:3">
}

// -----

func.func @value(%arg0: !cute.layout<"(6,8):(1,6)">, %arg1: !cute.layout<"(3,2):(2,1)">, %arg2: !cute.int_tuple<"5">) -> !cute.layout<"(2,4):(3,6)"> {
  // expected-error @below {{'cute.local_partition' op result #0: declared !cute.layout<"(2,4):(3,6)"> is not a weakening of !cute.layout<"(2,4):(3,12)">: the stride of mode 1 is `12`, declared `6`: the values differ}}
  %0 = cute.local_partition(%arg0, %arg1, %arg2) : (!cute.layout<"(6,8):(1,6)">, !cute.layout<"(3,2):(2,1)">, !cute.int_tuple<"5">) -> !cute.layout<"(2,4):(3,6)">
  return %0 : !cute.layout<"(2,4):(3,6)">
}

// -----

func.func @kind(%arg0: !cute.layout<"(6,8):(1,6)">, %arg1: !cute.shape<"(3,2)">, %arg2: !cute.int_tuple<"5">) -> !cute.layout<"(2,4):(3,12)"> {
  // expected-error @below {{'cute.local_partition' op operand #1 must be cute.layout, but got '!cute.shape<"(3,2)">'}}
  %0 = cute.local_partition(%arg0, %arg1, %arg2) : (!cute.layout<"(6,8):(1,6)">, !cute.shape<"(3,2)">, !cute.int_tuple<"5">) -> !cute.layout<"(2,4):(3,12)">
  return %0 : !cute.layout<"(2,4):(3,12)">
}

// -----

// strict: all threads are counted, whatever the projection drops.
func.func @projected_range(%arg0: !cute.layout<"(6,8):(1,6)">, %arg1: !cute.layout<"(3,2,5):(2,1,6)">, %arg2: !cute.int_tuple<"30">) -> !cute.layout<"(2,4):(3,12)"> {
  // expected-error @below {{'cute.local_partition' op coordinate: all modes: index 30 is outside [0, 30); set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.local_partition(%arg0, %arg1, %arg2, "(1,1,_)") : (!cute.layout<"(6,8):(1,6)">, !cute.layout<"(3,2,5):(2,1,6)">, !cute.int_tuple<"30">) -> !cute.layout<"(2,4):(3,12)">
  return %0 : !cute.layout<"(2,4):(3,12)">
}
