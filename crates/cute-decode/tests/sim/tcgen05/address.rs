//! The address that `tcgen05.alloc` writes to shared memory, whose bytes are used again.

use super::{SCHEDULES, with_columns};
use crate::{function, program};
use cute_sim::{Arg, Error, FindingKind, Launch, Memory, ProxyRule, Report};

const GLOBALS: &str =
    "llvm.mlir.global internal @address() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x i32>
     llvm.mlir.global internal @done() {addr_space = 3 : i32} : !llvm.array<2 x i64>\n";

const MEET: &str = "nvvm.barrier0";

/// A copy over the address, for which all threads wait, and a store of what has arrived.
const OVERWRITE: &str =
    "nvvm.mbarrier.arrive.expect_tx %done, %c16, predicate = %is_thread : !llvm.ptr<3>, i32, i1
     llvm.cond_br %is_thread, ^send, ^sent
   ^send:
     %there = llvm.addrspacecast %kept : !llvm.ptr<3> to !llvm.ptr<7>
     nvvm.cp.async.bulk.shared.cluster.global %there, %from, %done, %c16 : !llvm.ptr<7>, !llvm.ptr<1>
     llvm.br ^sent
   ^sent:
     nvvm.mbarrier.try_wait.parity %done, %zero, %c128 : !llvm.ptr<3>, i32, i32
     %new = llvm.load %kept : !llvm.ptr<3> -> i32
     llvm.store %new, %out : i32, !llvm.ptr<1>";

/// A copy of the address to global memory.
const SEND: &str = "llvm.cond_br %is_thread, ^send, ^sent
   ^send:
     nvvm.cp.async.bulk.global.shared.cta %out, %kept, %c16 : !llvm.ptr<1>, !llvm.ptr<3>
     nvvm.cp.async.bulk.commit.group
     nvvm.cp.async.bulk.wait_group 0 {read}
     llvm.br ^sent
   ^sent:";

/// Runs a body in pedantic launches under all schedules.
fn run(body: &str) -> Vec<(Result<Report, Error>, i32)> {
    let source = GLOBALS.to_owned()
        + &function("%from: !llvm.ptr<1>, %out: !llvm.ptr<1>", &with_columns(32, false, body));
    let program = program(&source);
    let runs = SCHEDULES.map(|schedule| {
        let mut memory = Memory::new();
        let (from, out) = (memory.upload(&[77i32; 4]), memory.zeroed::<i32>(4));
        let launch = Launch { schedule, pedantic: true, ..Launch::new("kernel", [1; 3], [128, 1, 1]) };
        let result = program.run(&launch, &mut memory, &[Arg::Buffer(from), Arg::Buffer(out)]);
        (result, memory.download::<i32>(out)[0])
    });
    runs.into()
}

#[test]
fn a_copy_over_the_address_needs_a_barrier_and_lacks_a_fence() {
    for (result, new) in run(&format!("{MEET}\n{OVERWRITE}")) {
        let report = result.unwrap_or_else(|e| panic!("{e}"));
        let rules = report.findings.iter().map(|f| match f.kind {
            FindingKind::ProxyOrder { rule, .. } => rule,
            _ => panic!("{report}"),
        });
        assert_eq!(rules.collect::<Vec<_>>(), [ProxyRule::Allocation], "{report}");
        assert_eq!(new, 77);
    }
    let fence = "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}";
    for (result, new) in run(&format!("{fence}\n{MEET}\n{OVERWRITE}")) {
        let report = result.unwrap_or_else(|e| panic!("{e}"));
        assert!(report.findings.is_empty(), "{report}");
        assert_eq!(new, 77);
    }
    // The barrier between the allocation and the loads of the address is too early for the loads.
    for (result, _) in run(OVERWRITE) {
        let Err(Error::Findings(report)) = result else { panic!("{result:?}") };
        assert!(report.findings.iter().any(|f| matches!(f.kind, FindingKind::Race { .. })), "{report}");
    }
}

#[test]
fn a_copy_from_the_address_needs_a_fence() {
    for (result, _) in run(&format!("{MEET}\n{SEND}")) {
        let Err(Error::Findings(report)) = result else { panic!("{result:?}") };
        assert!(report.findings.iter().any(|f| matches!(f.kind, FindingKind::Unfenced { .. })), "{report}");
    }
}
