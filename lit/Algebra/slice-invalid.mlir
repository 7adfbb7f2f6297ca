// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @rank(%arg0: !cute.layout<"(2,3):(1,2)">, %arg1: !cute.coord<"(_,_,_)">) -> !cute.layout<"(2,3):(1,2)"> {
  // expected-error @below {{'cute.slice' op the coordinate: rank 3, expected exactly 2}}
  %0 = cute.slice(%arg0, %arg1) : !cute.layout<"(2,3):(1,2)">, !cute.coord<"(_,_,_)">
  return %0 : !cute.layout<"(2,3):(1,2)">
}

// -----

func.func @rank_inside(%arg0: !cute.layout<"(2,(3,4)):(1,(2,6))">, %arg1: !cute.coord<"(_,(0,_,0))">) -> !cute.layout<"(2,3):(1,2)"> {
  // expected-error @below {{'cute.slice' op mode 1 of the coordinate: rank 3, expected exactly 2}}
  %0 = cute.slice(%arg0, %arg1) : !cute.layout<"(2,(3,4)):(1,(2,6))">, !cute.coord<"(_,(0,_,0))">
  return %0 : !cute.layout<"(2,3):(1,2)">
}

// -----

func.func @range(%arg0: !cute.layout<"(2,3):(1,2)">, %arg1: !cute.coord<"(_,3)">) -> !cute.layout<"(2):(1)"> {
  // expected-error @below {{'cute.slice' op coordinate: mode 1: index 3 is outside [0, 3); set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.slice(%arg0, %arg1) : !cute.layout<"(2,3):(1,2)">, !cute.coord<"(_,3)">
  return %0 : !cute.layout<"(2):(1)">
}

// -----

func.func @kind(%arg0: !cute.swizzle<"S<3,4,3>">, %arg1: !cute.coord<"(_,3)">) -> !cute.layout<"(2):(1)"> {
  // expected-error @below {{'cute.slice' op operand #0 must be a layout, composed layout, memref or coord_tensor, found !cute.swizzle}}
  %0 = cute.slice(%arg0, %arg1) : !cute.swizzle<"S<3,4,3>">, !cute.coord<"(_,3)">
  return %0 : !cute.layout<"(2):(1)">
}

// -----

// strict: the offset of the last row does not fit the 32 bits of its index.
func.func @wraps(%arg0: !cute.memref<f32, gmem, align<16>, "(536870913,4):(4,1)">, %arg1: !cute.coord<"(?,_)">) -> !cute.memref<f32, gmem, align<16>, "(4):(1)"> {
  // expected-error @below {{'cute.slice' op offset: (?,_) in (536870913,4):(4,1) reaches 2147483648, which 32 bits do not hold}}
  %0 = cute.slice(%arg0, %arg1) : !cute.memref<f32, gmem, align<16>, "(536870913,4):(4,1)">, !cute.coord<"(?,_)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(4):(1)">
}
