// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @rank(%arg0: !cute.coord<"(1,2,3)">, %arg1: !cute.shape<"(4,8)">) -> !cute.int_tuple<"9"> {
  // expected-error @below {{'cute.crd2idx' op the coordinate: rank 3, expected exactly 2}}
  %0 = cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(1,2,3)">, !cute.shape<"(4,8)">) -> !cute.int_tuple<"9">
  return %0 : !cute.int_tuple<"9">
}

// -----

func.func @rank_inside(%arg0: !cute.coord<"(1,(2,3))">, %arg1: !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"9"> {
  // expected-error @below {{'cute.crd2idx' op mode 1 of the coordinate: a tuple of rank 2 is given for a mode that has no modes of its own}}
  %0 = cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(1,(2,3))">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"9">
  return %0 : !cute.int_tuple<"9">
}

// -----

// strict: a static coordinate lies in the domain.
func.func @range(%arg0: !cute.coord<"(4,0)">, %arg1: !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"32"> {
  // expected-error @below {{'cute.crd2idx' op coordinate: mode 0: index 4 is outside [0, 4); set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(4,0)">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"32">
  return %0 : !cute.int_tuple<"32">
}

// -----

func.func @kind(%arg0: !cute.coord<"(1,2)">, %arg1: !cute.stride<"(4,8)">) -> !cute.int_tuple<"9"> {
  // expected-error @below {{'cute.crd2idx' op operand #1 must be shape, layout or composed layout, but got '!cute.stride<"(4,8)">'}}
  %0 = cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.stride<"(4,8)">) -> !cute.int_tuple<"9">
  return %0 : !cute.int_tuple<"9">
}

// -----

func.func @value(%arg0: !cute.coord<"(1,2)">, %arg1: !cute.shape<"(4,8)">) -> !cute.int_tuple<"7"> {
  // expected-error @below {{'cute.crd2idx' op result #0: declared !cute.int_tuple<"7"> is not a weakening of !cute.int_tuple<"9">: the value is `9`, declared `7`: the values differ}}
  %0 = cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.shape<"(4,8)">) -> !cute.int_tuple<"7">
  return %0 : !cute.int_tuple<"7">
}

// -----

// strict: the offset of row 536870912 is 2^31, and the code would compute it with 32 bits.
func.func @wraps(%arg0: !cute.coord<"(?,?)">, %arg1: !cute.layout<"(536870913,4):(4,1)">) -> !cute.int_tuple<"?{i64}"> {
  // expected-error @below {{'cute.crd2idx' op offset: (?,?) in (536870913,4):(4,1) reaches 2147483648, which 32 bits do not hold; indices of 64 bits (`?{i64}`) give an offset of 64; cute.domain = "extend" does so by itself}}
  %0 = cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(?,?)">, !cute.layout<"(536870913,4):(4,1)">) -> !cute.int_tuple<"?{i64}">
  return %0 : !cute.int_tuple<"?{i64}">
}

// -----

func.func @below(%arg0: !cute.coord<"(?,?)">, %arg1: !cute.layout<"(536870913,4):(-4,-1)">) -> !cute.int_tuple<"?{i64}"> {
  // expected-error @below {{reaches -2147483651, which 32 bits do not hold}}
  %0 = cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(?,?)">, !cute.layout<"(536870913,4):(-4,-1)">) -> !cute.int_tuple<"?{i64}">
  return %0 : !cute.int_tuple<"?{i64}">
}

// -----

func.func @shape(%arg0: !cute.coord<"(?,?)">, %arg1: !cute.shape<"(65536,65536)">) -> !cute.int_tuple<"?{i64}"> {
  // expected-error @below {{offset: (?,?) in (65536,65536) reaches 4294901760, which 32 bits do not hold}}
  %0 = cute.crd2idx(%arg0, %arg1) : (!cute.coord<"(?,?)">, !cute.shape<"(65536,65536)">) -> !cute.int_tuple<"?{i64}">
  return %0 : !cute.int_tuple<"?{i64}">
}
