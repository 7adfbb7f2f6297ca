//! `st.async`, `red.async`: values that go to another block of the cluster, whose barrier counts
//! their bytes.

use crate::tma::SCHEDULES;
use crate::{function, program};
use cute_sim::{Arg, Launch, Memory, Schedule};

/// Each thread sends to its element of the other block's tile by `send`, the blocks expect `bytes`
/// bytes and `wait`, and write their tiles out.
fn kernel(send: &str, bytes: u32, barrier: &str, wait: &str) -> String {
    let body = format!(
        "%t = nvvm.read.ptx.sreg.tid.x : i32
         %b = nvvm.read.ptx.sreg.ctaid.x : i32
         %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
         %zero = llvm.mlir.constant(0 : i32) : i32
         %one = llvm.mlir.constant(1 : i32) : i32
         %c32 = llvm.mlir.constant(32 : i32) : i32
         %ticks = llvm.mlir.constant(10000 : i32) : i32
         %bytes = llvm.mlir.constant({bytes} : i32) : i32
         %full = llvm.mlir.addressof @full : !llvm.ptr<3>
         %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
         %first = llvm.icmp \"eq\" %t, %zero : i32
         nvvm.mbarrier.init %full, %one, predicate = %first : !llvm.ptr<3>, i32, i1
         %own = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
         llvm.store %t, %own : i32, !llvm.ptr<3>
         nvvm.fence.mbarrier.init
         nvvm.cluster.arrive {{aligned}}
         nvvm.cluster.wait {{aligned}}
         llvm.cond_br %first, ^expect, ^go
       ^expect:
         nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
         llvm.br ^go
       ^go:
         %peer = llvm.xor %rank, %one : i32
         %far = nvvm.mapa %own, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
         %counts = nvvm.mapa %full, {barrier} : !llvm.ptr<3> -> !llvm.ptr<7>
         %base = llvm.mul %b, %c32 : i32
         %at = llvm.add %base, %t : i32
         {send}
         {wait}
         %r = llvm.load %own : !llvm.ptr<3> -> i32
         %p = llvm.getelementptr %out[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         llvm.store %r, %p : i32, !llvm.ptr<1>"
    );
    let globals = "llvm.mlir.global internal @full() {addr_space = 3 : i32} : i64
        llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x i32>\n";
    globals.to_owned() + &function("%out: !llvm.ptr<1>", &body)
}

fn run(source: &str, schedule: Schedule) -> Result<Vec<i32>, String> {
    let mut memory = Memory::new();
    let out = memory.zeroed::<i32>(64);
    let launch =
        Launch { schedule, cluster: Some([2, 1, 1]), ..Launch::new("kernel", [2, 1, 1], [32, 1, 1]) };
    let report = program(source).run(&launch, &mut memory, &[Arg::Buffer(out)]);
    report.map(|_| memory.download(out)).map_err(|e| e.to_string())
}

fn asm(text: &str, operands: &str, types: &str) -> String {
    let constraints = vec!["r"; types.split(',').count()].join(",");
    format!("llvm.inline_asm has_side_effects \"{text};\", \"{constraints}\" {operands} : ({types}) -> ()")
}

const WAIT: &str = "nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32";

fn store() -> String {
    let text = "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [$0], $1, [$2]";
    asm(text, "%far, %at, %counts", "!llvm.ptr<7>, i32, !llvm.ptr<7>")
}

#[test]
fn values_arrive_with_the_phase_that_counts_their_bytes() {
    let expected: Vec<i32> = (0..64).map(|i| i ^ 32).collect();
    for schedule in SCHEDULES {
        assert_eq!(
            run(&kernel(&store(), 128, "%peer", WAIT), schedule),
            Ok(expected.clone()),
            "{schedule:?}"
        );
        // The barrier of the cluster waits for threads only.
        let meet = "nvvm.cluster.arrive {aligned}\nnvvm.cluster.wait {aligned}";
        let e = run(&kernel(&store(), 128, "%peer", meet), schedule).unwrap_err();
        assert!(e.contains("nothing orders it with the"), "{e}");
        let e = run(&kernel(&store(), 132, "%peer", WAIT), schedule).unwrap_err();
        assert!(e.contains("4 of 132 expected bytes have not arrived"), "{e}");
        let e = run(&kernel(&store(), 128, "%rank", WAIT), schedule).unwrap_err();
        assert!(e.contains("but its mbarrier is in block"), "{e}");
    }
}

/// Every fourth thread sends four values.
#[test]
fn vectors_are_sent_as_a_whole() {
    let text = "{ .reg .pred P; .reg .b32 Q, A, B, C; and.b32 Q, $3, 3; setp.eq.u32 P, Q, 0; add.u32 A, $1, 1; add.u32 B, $1, 2; add.u32 C, $1, 3;
        @P st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [$0], {$1, A, B, C}, [$2]; }";
    let send = asm(text, "%far, %at, %counts, %t", "!llvm.ptr<7>, i32, !llvm.ptr<7>, i32").replace('\n', " ");
    let expected: Vec<i32> = (0..64).map(|i| i ^ 32).collect();
    for schedule in SCHEDULES {
        assert_eq!(run(&kernel(&send, 128, "%peer", WAIT), schedule), Ok(expected.clone()), "{schedule:?}");
    }
}

#[test]
fn values_are_reduced_where_they_arrive() {
    for (op, of) in [
        ("add.u32", (|old, new| old + new) as fn(i32, i32) -> i32),
        ("max.s32", |old, new| old.max(new)),
        ("min.u32", |old, new| old.min(new)),
        ("xor.b32", |old, new| old ^ new),
        ("inc.u32", |old, new| if old >= new { 0 } else { old + 1 }),
    ] {
        let text = format!(
            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.{op} [$0], $1, [$2]"
        );
        let send = asm(&text, "%far, %at, %counts", "!llvm.ptr<7>, i32, !llvm.ptr<7>");
        // Two reductions of one element are in no order, and both happen.
        let twice = op.starts_with("add");
        let (send, bytes) = if twice { (format!("{send}\n{send}"), 256) } else { (send, 128) };
        let value = |i: i32| of(if twice { of(i % 32, i ^ 32) } else { i % 32 }, i ^ 32);
        let expected: Vec<i32> = (0..64).map(value).collect();
        for schedule in SCHEDULES {
            assert_eq!(
                run(&kernel(&send, bytes, "%peer", WAIT), schedule),
                Ok(expected.clone()),
                "{op} {schedule:?}"
            );
        }
    }
    let send = asm(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.f32 [$0], $1, [$2]",
        "%far, %at, %counts",
        "!llvm.ptr<7>, i32, !llvm.ptr<7>",
    );
    let e = crate::decode(&kernel(&send, 128, "%peer", WAIT)).unwrap_err().to_string();
    assert!(e.contains("the PTX instruction `red.async"), "{e}");
}
