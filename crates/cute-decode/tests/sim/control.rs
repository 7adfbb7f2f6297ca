//! `clusterlaunchcontrol`: blocks that do the work of others that have not begun.

use crate::tma::SCHEDULES;
use crate::{function, program};
use cute_sim::{Arg, Launch, Memory, Schedule};

const NVVM: [&str; 3] = [
    "nvvm.clusterlaunchcontrol.try.cancel %answer, %full",
    "%canceled = nvvm.clusterlaunchcontrol.query.cancel query = is_canceled, %r : i1",
    "%x = nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_x, %r : i32",
];

const PTX: [&str; 3] = [
    "llvm.inline_asm has_side_effects \"clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [$0], [$1];\", \"r,r\" %answer, %full
       : (!llvm.ptr<3>, !llvm.ptr<3>) -> ()",
    "%flag = llvm.inline_asm has_side_effects \"{ .reg .b128 R; .reg .pred P; ld.shared.b128 R, [$1]; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 P, R; selp.u32 $0, 1, 0, P; }\",
       \"=r,r\" %answer : (!llvm.ptr<3>) -> i32
     %canceled = llvm.icmp \"ne\" %flag, %zero : i32",
    "%x = llvm.inline_asm has_side_effects \"{ .reg .b128 R; ld.shared.b128 R, [$1]; clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {$0, _, _, _}, R; }\",
       \"=r,r\" %answer : (!llvm.ptr<3>) -> i32",
];

const FENCE: &str =
    "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}";

/// Each block does its own part, then those of blocks that it cancels. `fence` and `meet` are
/// after the reads of an answer, `go` is what happens if there is a block left, by its condition.
fn kernel([cancel, is_canceled, first]: [&str; 3], fence: &str, meet: &str, go: &str) -> String {
    let body = format!(
        "%t = nvvm.read.ptx.sreg.tid.x : i32
         %b = nvvm.read.ptx.sreg.ctaid.x : i32
         %zero = llvm.mlir.constant(0 : i32) : i32
         %one = llvm.mlir.constant(1 : i32) : i32
         %c16 = llvm.mlir.constant(16 : i32) : i32
         %c32 = llvm.mlir.constant(32 : i32) : i32
         %ticks = llvm.mlir.constant(10000 : i32) : i32
         %full = llvm.mlir.addressof @full : !llvm.ptr<3>
         %answer = llvm.mlir.addressof @answer : !llvm.ptr<3>
         %first = llvm.icmp \"eq\" %t, %zero : i32
         nvvm.mbarrier.init %full, %one, predicate = %first : !llvm.ptr<3>, i32, i1
         nvvm.barrier0
         llvm.br ^part(%b, %zero : i32, i32)
       ^part(%part: i32, %phase: i32):
         llvm.cond_br %first, ^ask, ^work
       ^ask:
         nvvm.mbarrier.arrive.expect_tx %full, %c16 : !llvm.ptr<3>, i32
         {cancel}
         llvm.br ^work
       ^work:
         %base = llvm.mul %part, %c32 : i32
         %at = llvm.add %base, %t : i32
         %p = llvm.getelementptr %out[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         llvm.store %at, %p : i32, !llvm.ptr<1>
         nvvm.mbarrier.try_wait.parity %full, %phase, %ticks : !llvm.ptr<3>, i32, i32
         %loaded = llvm.load %answer : !llvm.ptr<3> -> vector<1xi128>
         %r = llvm.extractelement %loaded[%zero : i32] : vector<1xi128>
         {is_canceled}
         %other = llvm.xor %phase, %one : i32
         llvm.cond_br {go}, ^next, ^end
       ^next:
         {first}
         {fence}
         {meet}
         llvm.br ^part(%x, %other : i32, i32)
       ^end:"
    );
    let globals = "llvm.mlir.global internal @full() {addr_space = 3 : i32} : i64
        llvm.mlir.global internal @answer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x i32>\n";
    globals.to_owned() + &function("%out: !llvm.ptr<1>", &body)
}

fn run(source: &str, blocks: u32, schedule: Schedule) -> Result<(Vec<i32>, u64), String> {
    let mut memory = Memory::new();
    let out = memory.zeroed::<i32>(32 * blocks as usize);
    let launch = Launch { schedule, ..Launch::new("kernel", [blocks, 1, 1], [32, 1, 1]) };
    let report = program(source).run(&launch, &mut memory, &[Arg::Buffer(out)]);
    report.map(|report| (memory.download(out), report.stats.blocks)).map_err(|e| e.to_string())
}

#[test]
fn blocks_do_the_work_of_those_that_they_cancel() {
    for schedule in SCHEDULES {
        for spelling in [NVVM, PTX] {
            let (found, ran) = run(&kernel(spelling, FENCE, "nvvm.barrier0", "%canceled"), 70, schedule)
                .unwrap_or_else(|e| panic!("{schedule:?}: {e}"));
            assert_eq!(found, (0..70 * 32).collect::<Vec<i32>>(), "{schedule:?}");
            assert!(ran < 70, "{ran} of 70 blocks ran");
        }
    }
}

#[test]
fn the_rules_of_requests_and_answers_are_checked() {
    for schedule in SCHEDULES {
        let e = run(&kernel(NVVM, "", "nvvm.barrier0", "%canceled"), 70, schedule).unwrap_err();
        assert!(e.contains("writes byte 0 of shared memory @answer"), "{e}");
        assert!(e.contains("but may come before the read by") && e.contains("`fence.proxy.async`"), "{e}");
        let e = run(&kernel(NVVM, FENCE, "", "%canceled"), 70, schedule).unwrap_err();
        assert!(e.contains("@answer") && e.contains("nothing orders it with the"), "{e}");
        let e = run(
            &kernel(NVVM, FENCE, "nvvm.barrier0", "%always")
                .replace("%other =", "%always = llvm.mlir.constant(true) : i1\n%other ="),
            2,
            schedule,
        )
        .unwrap_err();
        assert!(e.contains("the thread has read the response that none is left"), "{e}");
        // Once more, whatever the answer was.
        let blind = [
            "nvvm.clusterlaunchcontrol.try.cancel %answer, %full",
            NVVM[1],
            "%x = llvm.add %part, %zero : i32",
        ];
        let again = kernel(blind, FENCE, "nvvm.barrier0", "%always")
            .replace("%other =", "%always = llvm.icmp \"eq\" %phase, %zero : i32\n%other =");
        let e = run(&again, 1, schedule).unwrap_err();
        assert!(e.contains("requests another cluster, although the thread has read"), "{e}");
    }
}
