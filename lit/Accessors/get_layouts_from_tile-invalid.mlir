// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @none(%arg0: !cute.tile<"[_;_]">) -> !cute.layout<"4:1"> {
  // expected-error @below {{'cute.get_layouts_from_tile' op the tile [_;_] has no layout, only `_`}}
  %0 = cute.get_layouts_from_tile(%arg0) : !cute.tile<"[_;_]">
  return %0 : !cute.layout<"4:1">
}

// -----

func.func @kind(%arg0: !cute.layout<"(4,8):(1,4)">) -> !cute.layout<"(4,8):(1,4)"> {
  // expected-error @below {{invalid kind of type specified: expected cute.tile, but found '!cute.layout<"(4,8):(1,4)">'}}
  %0 = cute.get_layouts_from_tile(%arg0) : !cute.layout<"(4,8):(1,4)">
  return %0 : !cute.layout<"(4,8):(1,4)">
}

// -----

func.func @count(%arg0: !cute.tile<"[4:1;_;(2,3):(1,2)]">) -> !cute.layout<"4:1"> {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %0 = cute.get_layouts_from_tile(%arg0) : !cute.tile<"[4:1;_;(2,3):(1,2)]">
  return %0 : !cute.layout<"4:1">
}
