//! Tiles of more than 32 threads, whose warps meet in memory that the device reserves.

use super::{KERNELS, outcome_with};
use cute_launch::{NamedKernels, Ptx, after::After};

/// Two tiles of 64 threads: each thread stores its number, its tile meets as those of cooperative
/// groups do, and it reads what the thread at the other end of the tile has stored.
const KERNEL: &str = ".visible .entry swap(.param .u64 x) .reqntid 128 {
  .reg .pred %p<5>; .reg .b32 %r<20>; .reg .b64 %d<4>;
  .shared .align 4 .b8 tile[512];
  ld.param.u64 %d1, [x];
  mov.u32 %r1, %reserved_smem_offset_1;
  cvt.u64.u32 %d2, %r1;
  cvta.shared.u64 %d2, %d2;
  mov.u32 %r2, %tid.x;
  and.b32 %r3, %r2, 31;
  shr.u32 %r4, %r2, 5;
  shl.b32 %r5, 1, %r4;
  setp.ne.s32 %p1, %r3, 0;
  @%p1 bra BEGIN;
  not.b32 %r6, %r5;
  red.and.release.cta.b32 [%d2], %r6;
BEGIN:
  barrier.sync 0;
  mov.u32 %r7, tile;
  shl.b32 %r8, %r2, 2;
  add.u32 %r8, %r7, %r8;
  st.shared.u32 [%r8], %r2;
  shr.u32 %r9, %r2, 6;
  shl.b32 %r10, %r9, 1;
  shl.b32 %r11, 3, %r10;
  bar.warp.sync -1;
MEET
  bar.warp.sync -1;
  xor.b32 %r12, %r2, 63;
  shl.b32 %r12, %r12, 2;
  add.u32 %r12, %r7, %r12;
  ld.shared.u32 %r13, [%r12];
  mul.wide.u32 %d3, %r2, 4;
  add.u64 %d3, %d1, %d3;
  st.global.u32 [%d3], %r13;
  ret;
}
";

/// The last warp of the tile clears the bits of all of them, for which the others wait.
const MEET: &str = "  @%p1 bra MET;
  atom.or.acq_rel.cta.b32 %r14, [%d2], %r5;
  or.b32 %r15, %r14, %r5;
  and.b32 %r16, %r15, %r11;
  setp.eq.s32 %p2, %r16, %r11;
  @%p2 bra LAST;
WAIT:
  ld.acquire.cta.u32 %r17, [%d2];
  and.b32 %r18, %r17, %r5;
  setp.ne.s32 %p3, %r18, 0;
  @%p3 bra WAIT;
  bra.uni MET;
LAST:
  not.b32 %r19, %r11;
  red.and.release.cta.b32 [%d2], %r19;
MET:";

#[test]
fn the_warps_of_a_tile_meet() {
    let run = |meet: &str| {
        let text = KERNELS.replace("BODY", &KERNEL.replace("MEET", meet));
        let ptx = Ptx::read("k.ptx", &text, None).unwrap_or_else(|why| panic!("{why}"));
        let kernels = NamedKernels::from((&ptx.manifest, "k.ptx"));
        let launches = r#"{"arrays": {"X": "u32[128]"}, "operations": [{"launch": "swap", "grid": [1], "args": ["&X"]}]}"#;
        outcome_with(launches, kernels, &ptx.program, ptx.target).unwrap()
    };
    let met = run(MEET);
    assert_eq!(met.reports.findings(), None, "{}", met.reports);
    let After::Simulated(memory, buffer) = &met.arrays[0] else { panic!() };
    let expected: Vec<u32> = (0..128).map(|i| i ^ 63).collect();
    assert_eq!(memory.download::<u32>(*buffer), expected);
    // Without the meeting, they race.
    let found = run("").reports.found();
    assert!(found.contains("of shared memory @tile"), "{found}");
}
