// REQUIRES: cutec
// RUN: %cutec run %s --grid 2 --arg f32[5x4] --arg f32[5x4] | FileCheck %s
// RUN: %cutec run %s --grid 3 --arg f32[5x4] --arg f32[5x4] | FileCheck %s
// RUN: not %cutec run %s --grid 1 --arg f32[5x4] --arg f32[5x4] 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: not %cutec run %s --grid 2 --arg f32[5x4] --arg f32[5x3] 2>&1 | FileCheck %s --check-prefix=EXTENT
// RUN: sed 's/arg1\[1\]/arg1[7]/' %s > %t.none.mlir
// RUN: not %cutec %t.none.mlir --target sm_90a 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sed 's/ceil(arg0/floor(arg0/' %s > %t.floor.mlir
// RUN: not %cutec %t.floor.mlir --target sm_90a 2>&1 | FileCheck %s --check-prefix=FORM

// A kernel states which extents must be equal, and how many blocks it needs. More blocks are allowed. The names of arguments are those of
// the source, although the attributes have numbers.

// CHECK: copy: {{[23]}} blocks,
// GRID: kernel 'copy': its grid is (1, 1, 1), but its arguments need (2, 1, 1): ceil(from[0] / 4); give --grid 2,1,1
// EXTENT: kernel 'copy': from[1] is 4, but to[1] is 3: these extents must be equal, from[1] = to[1]
// NONE: error: {{.*}}kernel 'copy': no argument has the extent arg1[7]
// FORM: error: {{.*}}kernel 'copy': 'floor(arg0[0] / 4)' is not a number of blocks, such as ceil(arg3[0] / 128)
!m = !cute.memref<f32, gmem, "(?,?):(?{i64},1)">
gpu.module @m {
  gpu.func @copy(%from: !m, %to: !m) kernel attributes {
      cute.equal_extents = ["arg0[0] = arg1[0]", "arg0[1] = arg1[1]"], cute.grid = ["ceil(arg0[0] / 4)"],
      known_block_size = array<i32: 16, 1, 1>} {
    gpu.return
  }
}
