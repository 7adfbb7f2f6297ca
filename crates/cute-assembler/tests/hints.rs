//! Hints about races: which half of what orders two accesses is there, and which is missing. Each
//! kernel has twins, in which it is not missing, or the other half is not there either.

use cute_assembler::module::{Reading, parse};
use cute_sim::{Arg, Error, Launch, Memory};

const HEAD: &str = ".version 8.8 .target sm_90a .address_size 64\n";

/// The findings of a kernel `k`, whose only parameter is a buffer.
fn findings(text: &str, grid: u32, block: u32) -> Vec<String> {
    let reading = Reading { file: "k.ptx", strict: true };
    let text = HEAD.to_owned() + text;
    let program = parse(&text, reading).and_then(|file| file.program()).unwrap_or_else(|why| panic!("{why}"));
    let mut memory = Memory::new();
    let buffer = memory.upload(&[0u32; 256]);
    let launch = Launch::new("k", [grid, 1, 1], [block, 1, 1]);
    match program.run(&launch, &mut memory, &[Arg::Buffer(buffer)]) {
        Ok(_) => Vec::new(),
        Err(Error::Findings(report)) => report.findings.iter().map(ToString::to_string).collect(),
        Err(other) => panic!("{other}"),
    }
}

/// Warp 0 reads words of shared memory, `uses` them, and lane 0 arrives at a barrier, after whose
/// phase warp 1 writes them.
fn released(uses: &str, before_arrival: &str) -> String {
    format!(
        ".visible .entry k(.param .u64 out) {{
          .shared .align 16 .b8 sm[512];
          .reg .pred %p<4>; .reg .b32 %r<20>; .reg .f32 %f<8>; .reg .b64 %d<4>;
          mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31; mov.u32 %r3, sm; shl.b32 %r4, %r2, 2; add.s32 %r5, %r3, %r4;
          setp.ne.u32 %p1, %r1, 0; @%p1 bra INIT;
          mbarrier.init.shared.b64 [%r3], 1;
         INIT:
          st.shared.b32 [%r5+16], 0;
          bar.sync 0;
          setp.ge.u32 %p0, %r1, 32; @%p0 bra WAIT;
          ld.shared.b32 %r6, [%r5+16];
          {uses}
          {before_arrival}
          setp.ne.u32 %p1, %r2, 0; @%p1 bra DONE;
          mbarrier.arrive.shared.b64 %d1, [%r3];
          bra DONE;
         WAIT:
          mbarrier.try_wait.parity.shared.b64 %p3, [%r3], %r11;
          @!%p3 bra WAIT;
          st.shared.b32 [%r5+16], 7;
         DONE:
          ret;
        }}"
    )
    .replace("bar.sync 0;", "bar.sync 0; mov.b32 %r11, 0;")
}

const MMA: &str = "mov.f32 %f0, 0f00000000; mov.b32 %r7, %r6;
    mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r7, %r6}, {%r6}, {%f0, %f0, %f0, %f0};";
const SHUFFLE: &str = "shfl.sync.idx.b32 %r8, %r6, 0, 31, -1;";

#[test]
fn an_arrival_behind_an_instruction_of_the_warp_lacks_a_barrier_of_the_warp() {
    let hint = "before another lane arrived";
    for uses in [MMA, SHUFFLE] {
        let found = findings(&released(uses, ""), 1, 64);
        assert!(!found.is_empty() && found.iter().all(|one| one.contains(hint)), "{uses}: {found:?}");
        assert!(found[0].contains("what is missing is `bar.warp.sync`"), "{found:?}");
        assert!(findings(&released(uses, "bar.warp.sync -1;"), 1, 64).is_empty(), "{uses}");
    }
    // Nothing uses the value, or an instruction of the lane alone does.
    for uses in ["", "add.s32 %r9, %r6, 1;", "mov.b32 %r9, %r1; shfl.sync.idx.b32 %r8, %r9, 0, 31, -1;"] {
        let found = findings(&released(uses, ""), 1, 64);
        assert!(!found.is_empty() && found.iter().all(|one| !one.contains(hint)), "{uses}: {found:?}");
    }
}

/// The last block reads what each block has written: `releases` stands in front of the ticket, and
/// `acquires` behind it.
fn last_block(releases: &str, acquires: &str) -> String {
    format!(
        ".global .u32 tickets;
         .visible .entry k(.param .u64 out) {{
          .shared .b32 last;
          .reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %d<8>;
          mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %nctaid.x;
          ld.param.u64 %d1, [out]; cvta.to.global.u64 %d1, %d1;
          setp.ne.u32 %p1, %r1, 0; @%p1 bra MEET;
          mul.wide.u32 %d2, %r2, 4; add.s64 %d2, %d1, %d2;
          st.global.u32 [%d2], %r2;
          {releases}
          mov.u64 %d3, tickets; cvta.global.u64 %d3, %d3;
          atom.add.u32 %r4, [%d3], 1;
          st.shared.u32 [last], %r4;
          {acquires}
         MEET:
          bar.sync 0;
          ld.shared.u32 %r5, [last]; add.u32 %r5, %r5, 1;
          setp.ne.u32 %p2, %r5, %r3; @%p2 bra DONE;
          setp.ge.u32 %p3, %r1, %r3; @%p3 bra DONE;
          mul.wide.u32 %d4, %r1, 4; add.s64 %d4, %d1, %d4;
          ld.global.u32 %r6, [%d4];
          st.global.u32 [%d4+64], %r6;
         DONE:
          ret;
        }}"
    )
}

#[test]
fn a_race_behind_half_of_a_release_and_acquire_names_the_other_half() {
    let hint = "what is missing is the acquire";
    for fence in ["membar.gl;", "fence.acq_rel.gpu;"] {
        let found = findings(&last_block(fence, ""), 4, 32);
        assert!(!found.is_empty() && found.iter().all(|one| one.contains(hint)), "{found:?}");
        assert!(findings(&last_block(fence, fence), 4, 32).is_empty(), "both halves are there");
    }
    let found = findings(&last_block("", "fence.acq_rel.gpu;"), 4, 32);
    let hint = "what is missing is the release";
    assert!(!found.is_empty() && found.iter().all(|one| one.contains(hint)), "{found:?}");
    // Neither half is there.
    let found = findings(&last_block("", ""), 4, 32);
    assert!(!found.is_empty() && found.iter().all(|one| !one.contains("what is missing")), "{found:?}");
}
