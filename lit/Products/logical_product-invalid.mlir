// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @basis(%arg0: !cute.layout<"(4,3):(1,4)">, %arg1: !cute.layout<"(2,5):(1@0,1@1)">) -> !cute.layout<"4:1"> {
  // expected-error @below {{'cute.logical_product' op the tiler (2,5):(1@0,1@1) has basis strides, but integer strides are required}}
  %0 = cute.logical_product(%arg0, %arg1) : (!cute.layout<"(4,3):(1,4)">, !cute.layout<"(2,5):(1@0,1@1)">) -> !cute.layout<"4:1">
  return %0 : !cute.layout<"4:1">
}

// -----

func.func @value(%arg0: !cute.layout<"4:1">, %arg1: !cute.layout<"2:1">) -> !cute.layout<"(4,2):(1,8)"> {
  // expected-error @below {{'cute.logical_product' op result #0: declared !cute.layout<"(4,2):(1,8)"> is not a weakening of !cute.layout<"(4,2):(1,4)">: the stride of mode 1 is `4`, declared `8`: the values differ}}
  %0 = cute.logical_product(%arg0, %arg1) : (!cute.layout<"4:1">, !cute.layout<"2:1">) -> !cute.layout<"(4,2):(1,8)">
  return %0 : !cute.layout<"(4,2):(1,8)">
}

// -----

func.func @kind(%arg0: !cute.memref<f32, gmem, "4:1">, %arg1: !cute.layout<"2:1">) -> !cute.layout<"(4,2):(1,4)"> {
  // expected-error @below {{'cute.logical_product' op operand #0 must be layout or composed layout, but got '!cute.memref<f32, gmem, "4:1">'}}
  %0 = cute.logical_product(%arg0, %arg1) : (!cute.memref<f32, gmem, "4:1">, !cute.layout<"2:1">) -> !cute.layout<"(4,2):(1,4)">
  return %0 : !cute.layout<"(4,2):(1,4)">
}

// -----

// Two modes with a dynamic stride have no order, hence no complement.
func.func @dynamic_stride(%arg0: !cute.layout<"(4,8):(1,?)">, %arg1: !cute.layout<"2:1">) -> !cute.layout<"4:1"> {
  // expected-error @below {{'cute.logical_product' op complement: stride ? of (4,8):(1,?) is dynamic, but static strides are required}}
  %0 = cute.logical_product(%arg0, %arg1) : (!cute.layout<"(4,8):(1,?)">, !cute.layout<"2:1">) -> !cute.layout<"4:1">
  return %0 : !cute.layout<"4:1">
}

// -----

// strict: no element is in two copies. The last mode of the complement is read past its end.
func.func @overlap(%arg0: !cute.layout<"(2,2):(1,6)">, %arg1: !cute.layout<"(2,2):(2,1)">) -> !cute.layout<"((2,2),(2,2)):((1,6),(4,2))"> {
  // expected-error @below {{'cute.logical_product' op all modes: (2,2):(1,6) repeated over (2,2):(2,1) overlaps itself in ((2,2),(2,2)):((1,6),(4,2)); set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.logical_product(%arg0, %arg1) : (!cute.layout<"(2,2):(1,6)">, !cute.layout<"(2,2):(2,1)">) -> !cute.layout<"((2,2),(2,2)):((1,6),(4,2))">
  return %0 : !cute.layout<"((2,2),(2,2)):((1,6),(4,2))">
}

// -----

// strict: (3,0,0) and (0,1,0) have the value 6, but copies at 8 and 12. There are too many coordinates to find such pairs.
func.func @not_known(%arg0: !cute.layout<"2:3">, %arg1: !cute.layout<"(4,2,20000):(2,6,12)">) -> !cute.layout<"(2,((2,2),2,20000)):(3,((2,6),12,24))"> {
  // expected-error @below {{'cute.logical_product' op all modes: sums of (4,2,20000):(2,6,12) carry in (3,80001):(1,6), and (4,2,20000):(2,6,12) has too many coordinates to find those of equal value, where the copies of 2:3 must be the same; set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.logical_product(%arg0, %arg1) : (!cute.layout<"2:3">, !cute.layout<"(4,2,20000):(2,6,12)">) -> !cute.layout<"(2,((2,2),2,20000)):(3,((2,6),12,24))">
  return %0 : !cute.layout<"(2,((2,2),2,20000)):(3,((2,6),12,24))">
}

// -----

func.func @dynamic_coordinates(%arg0: !cute.layout<"(4,3):(1@0,1@1)">, %arg1: !cute.layout<"(?,?):(?,?)">) -> !cute.layout<"4:1"> {
  // expected-error @below {{'cute.logical_product' op the tiler (?,?):(?,?) is dynamic, but a block with basis strides such as (4,3):(1@0,1@1) needs a static one}}
  %0 = cute.logical_product(%arg0, %arg1) : (!cute.layout<"(4,3):(1@0,1@1)">, !cute.layout<"(?,?):(?,?)">) -> !cute.layout<"4:1">
  return %0 : !cute.layout<"4:1">
}

// -----

func.func @mixed(%arg0: !cute.layout<"(4,3):(1@0,1/2@1)">, %arg1: !cute.layout<"2:1">) -> !cute.layout<"4:1"> {
  // expected-error @below {{'cute.logical_product' op (4,3):(1@0,1/2@1) found where a block with whole basis strides only is required}}
  %0 = cute.logical_product(%arg0, %arg1) : (!cute.layout<"(4,3):(1@0,1/2@1)">, !cute.layout<"2:1">) -> !cute.layout<"4:1">
  return %0 : !cute.layout<"4:1">
}

// -----

func.func @over_rank(%arg0: !cute.layout<"(4,8):(1,4)">, %arg1: !cute.shape<"(2,2,2)">) -> !cute.layout<"4:1"> {
  // expected-error @below {{'cute.logical_product' op the tiler: rank 3, expected at most 2}}
  %0 = cute.logical_product(%arg0, %arg1) : (!cute.layout<"(4,8):(1,4)">, !cute.shape<"(2,2,2)">) -> !cute.layout<"4:1">
  return %0 : !cute.layout<"4:1">
}
