// REQUIRES: cutec
// RUN: %cutec %S/../../examples/copy.mlir --target sm_90a --emit ptx | FileCheck %s --check-prefix=COPY
// RUN: %cutec %S/../../examples/copy.mlir --target sm_100a --emit ptx | FileCheck %s --check-prefix=COPY
// RUN: %cutec %S/../../examples/transpose.mlir --target sm_90a --emit ptx | FileCheck %s --check-prefix=TRANSPOSE
// RUN: %cutec %S/../../examples/transpose.mlir --target sm_100a --emit ptx | FileCheck %s --check-prefix=TRANSPOSE

// 128 bits an access, fragments in registers.
// COPY: .visible .entry copy(
// COPY: .ptr .global .align 16 copy_param_0
// COPY-NOT: .local
// COPY-COUNT-4: ld.global.{{v4.b32|v2.b64}}
// COPY-COUNT-4: st.global.{{v4.b32|v2.b64}}
// COPY-NOT: {{(ld|st)}}.local

// 16 bytes in by cp.async, 128 bits out.
// TRANSPOSE: .visible .entry transpose(
// TRANSPOSE-NOT: .local
// TRANSPOSE-COUNT-4: cp.async.cg.shared.global [{{.+}}], [{{.+}}], 16,
// TRANSPOSE: bar.sync
// TRANSPOSE-COUNT-4: st.global.{{v4.b32|v2.b64}}
// TRANSPOSE-NOT: {{(ld|st)}}.local

// The assumptions of the kernels are checked on request only.
// RUN: %cutec %S/../../examples/copy.mlir --target sm_90a --runtime-checks | FileCheck %s --check-prefix=CHECKED
// RUN: %cutec %S/../../examples/copy.mlir --target sm_90a | FileCheck %s --check-prefix=UNCHECKED
// CHECKED: vprintf
// CHECKED: .visible .entry copy(
// CHECKED: trap;
// UNCHECKED-NOT: {{vprintf|trap;}}
