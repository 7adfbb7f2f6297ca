// RUN: %opt %s -split-input-file -verify-diagnostics

// The default is strict.
func.func @default(%l: !cute.layout<"128:1">, %t: !cute.shape<"40">) {
  // expected-error @below {{'cute.tiled_divide' op expects same size in rank 0 but got srcShape: 128, dstShape: (40): tile 40 of mode 0 does not divide its extent 128; set cute.domain = "extend"}}
  %0 = cute.tiled_divide(%l, %t) : (!cute.layout<"128:1">, !cute.shape<"40">) -> !cute.layout<"(40,4):(1,40)">
  return
}

// -----

// The nearest attribute wins.
module attributes {cute.domain = "extend"} {
  func.func @function(%l: !cute.layout<"128:1">, %t: !cute.shape<"40">) attributes {cute.domain = "strict"} {
    // expected-error @below {{'cute.tiled_divide' op expects same size in rank 0}}
    %0 = cute.tiled_divide(%l, %t) : (!cute.layout<"128:1">, !cute.shape<"40">) -> !cute.layout<"(40,4):(1,40)">
    return
  }
}

// -----

func.func @value(%l: !cute.layout<"128:1">, %t: !cute.shape<"32">) attributes {cute.domain = "lenient"} {
  // expected-error @below {{attribute 'cute.domain' must be "strict" or "extend"}}
  %0 = cute.tiled_divide(%l, %t) : (!cute.layout<"128:1">, !cute.shape<"32">) -> !cute.layout<"(32,4):(1,32)">
  return
}

// -----

func.func @empty(%l: !cute.layout<"128:1">, %t: !cute.shape<"32">) attributes {cute.domain = ""} {
  // expected-error @below {{attribute 'cute.domain' must be "strict" or "extend"}}
  %0 = cute.tiled_divide(%l, %t) : (!cute.layout<"128:1">, !cute.shape<"32">) -> !cute.layout<"(32,4):(1,32)">
  return
}
