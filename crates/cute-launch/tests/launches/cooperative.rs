//! Cooperative launches: blocks that wait for each other, as the grid groups of cooperative groups
//! do.

use super::{file, launch, outcome, outcome_on};
use cute_launch::after::After;

/// Each thread writes its number to x, waits for the grid, and copies the element from the other
/// end to y.
pub const KERNEL: &str = ".visible .entry reverse(.param .u64 x, .param .u64 y) {
  .reg .pred %p<5>; .reg .b32 %r<20>; .reg .b64 %d<12>;
  ld.param.u64 %d1, [x];
  ld.param.u64 %d2, [y];
  mov.u32 %r1, %envreg2;
  cvt.u64.u32 %d3, %r1;
  mov.u32 %r2, %envreg1;
  cvt.u64.u32 %d4, %r2;
  bfi.b64 %d5, %d4, %d3, 32, 32;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %tid.x;
  mov.u32 %r6, %nctaid.x;
  mad.lo.u32 %r7, %r3, %r4, %r5;
  mul.wide.u32 %d6, %r7, 4;
  add.u64 %d7, %d1, %d6;
  st.global.u32 [%d7], %r7;
  setp.ne.s64 %p1, %d5, 0;
  @%p1 bra MEET;
  trap;
MEET:
  barrier.sync 0;
  setp.ne.u32 %p2, %r5, 0;
  @%p2 bra MET;
  setp.eq.u32 %p3, %r3, 0;
  sub.u32 %r8, -2147483647, %r6;
  selp.b32 %r9, %r8, 1, %p3;
  add.u64 %d8, %d5, 4;
  atom.add.release.gpu.u32 %r10, [%d8], %r9;
AGAIN:
  ld.acquire.gpu.u32 %r11, [%d8];
  xor.b32 %r12, %r11, %r10;
  setp.gt.s32 %p4, %r12, -1;
  @%p4 bra AGAIN;
MET:
  barrier.sync 0;
  mul.lo.u32 %r13, %r4, %r6;
  not.b32 %r14, %r7;
  add.u32 %r15, %r13, %r14;
  mul.wide.u32 %d9, %r15, 4;
  add.u64 %d10, %d1, %d9;
  ld.global.u32 %r16, [%d10];
  add.u64 %d11, %d2, %d6;
  st.global.u32 [%d11], %r16;
  ret;
}
";

fn reverse(cooperative: bool) -> String {
    launch("reverse", "s").replace('}', &format!(", \"cooperative\": {cooperative}}}"))
}

#[test]
fn the_blocks_of_a_cooperative_launch_meet() {
    // The barrier works again and again.
    let outcome = outcome(&file(&[reverse(true), reverse(true)])).unwrap();
    assert_eq!(outcome.reports.findings(), None, "{}", outcome.reports);
    let After::Simulated(memory, buffer) = &outcome.arrays[1] else { panic!() };
    let expected: Vec<i32> = (0..128).rev().collect();
    assert_eq!(memory.download::<i32>(*buffer), expected);
}

#[test]
fn other_launches_have_no_barrier_of_the_grid() {
    let outcome = outcome(&file(&[reverse(false)])).unwrap();
    let text = outcome.reports.found();
    assert!(
        text.contains("the kernel traps: it reads %envreg1 and %envreg2, as the grid groups of cooperative groups do, and the launch \
            is not cooperative"),
        "{text}"
    );
}

#[test]
fn the_grid_must_fit_on_the_device() {
    let text =
        file(&[reverse(true).replace("\"grid\": [2], \"block\": [64]", "\"grid\": [5], \"block\": [1024]")]);
    let why = outcome_on(&text, Some(2)).expect_err("two SMs hold four blocks").to_string();
    assert_eq!(
        why,
        "operations[0]: kernel 'reverse': it is cooperative with 5 blocks, but 2 multiprocessors hold 4 of them at once, 2 each: a \
         block has 1024 threads and 0 bytes of shared memory"
    );
    let text = text.replace("[5]", "[4]").replace("[128]", "[4096]");
    assert!(outcome_on(&text, Some(2)).is_ok());
}

/// Without their number, the multiprocessors are those of the largest GPU.
#[test]
fn the_grid_must_fit_on_the_largest_device() {
    let text = |blocks: u32| {
        let own = format!("\"grid\": [{blocks}], \"block\": [1024]");
        file(&[reverse(true).replace("\"grid\": [2], \"block\": [64]", &own)])
    };
    let why = outcome(&text(265)).expect_err("132 SMs hold 264 blocks").to_string();
    assert_eq!(
        why,
        "operations[0]: kernel 'reverse': it is cooperative with 265 blocks, but 132 multiprocessors hold 264 of them at once, 2 each: \
         a block has 1024 threads and 0 bytes of shared memory; these are the multiprocessors of H100, because \"sms\" gives no other number"
    );
    let small = text(4).replace("[128]", "[4096]");
    assert!(outcome(&small).is_ok());
}
