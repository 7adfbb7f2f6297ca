// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @shape(%arg0: !cute.shape<"(4,8)">) {
  // expected-error @below {{'cute.print_view' op operand #0 must be memref or coord_tensor, but got '!cute.shape<"(4,8)">'}}
  "cute.print_view"(%arg0) : (!cute.shape<"(4,8)">) -> ()
  return
}
