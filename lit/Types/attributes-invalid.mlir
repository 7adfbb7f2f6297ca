// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: invalid "(1,": column 4: expected
func.func private @shape() attributes {bad = #cute.shape<"(1,">}

// -----
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: invalid "(2,3:(1,2)": column 5: expected `,` or `)`, found `:`
func.func private @layout() attributes {bad = #cute.layout<"(2,3:(1,2)">}

// -----
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: a rank such as 32 is not a complete type
func.func private @int_tuple() attributes {bad = #cute.int_tuple<32>}
