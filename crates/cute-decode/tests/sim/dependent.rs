//! Launches that begin before those before them have ended: what they access is ordered by
//! `griddepcontrol.wait` alone. Each mistake has a twin without it.

use super::program;
use cute_sim::{Arg, Launch, Memory};

const WAIT: &str = "nvvm.griddepcontrol wait";
const TRIGGER: &str = "nvvm.griddepcontrol launch_dependents";
const WRITE_X: &str = "llvm.store %t, %px : i32, !llvm.ptr<1>";
const WRITE_Y: &str = "llvm.store %t, %py : i32, !llvm.ptr<1>";
const READ_X: &str = "%r = llvm.load %px : !llvm.ptr<1> -> i32";
const READ_Y: &str = "%r = llvm.load %py : !llvm.ptr<1> -> i32";

/// A launch: the steps of its kernel, and whether it begins early.
struct Step<'s>(&'s [&'s str], bool);

/// Launches one kernel after the other, in two blocks of 32 threads, and returns the findings of
/// each. Thread t of a kernel has the element of its global number in `x` and in `y`.
fn findings(steps: &[Step<'_>]) -> Vec<Vec<String>> {
    let function = |(i, Step(body, _)): (usize, &Step<'_>)| {
        let name = ["first", "second", "third"][i];
        format!(
            "llvm.func @{name}(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {{gpu.kernel, nvvm.kernel}} {{
               %lane = nvvm.read.ptx.sreg.tid.x : i32
               %block = nvvm.read.ptx.sreg.ctaid.x : i32
               %size = nvvm.read.ptx.sreg.ntid.x : i32
               %zero = llvm.mlir.constant(0 : i32) : i32
               %one = llvm.mlir.constant(1 : i32) : i32
               %base = llvm.mul %block, %size : i32
               %t = llvm.add %base, %lane : i32
               %is_first = llvm.icmp \"eq\" %lane, %zero : i32
               %is_last_block = llvm.icmp \"eq\" %block, %one : i32
               %px = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
               %py = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
               {}
               llvm.return
             }}",
            body.join("\n")
        )
    };
    let shared = "llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
        llvm.mlir.global internal @barrier() {addr_space = 3 : i32, alignment = 8 : i64} : i64\n";
    let text: Vec<String> = steps.iter().enumerate().map(function).collect();
    let program = program(&(shared.to_owned() + &text.join("\n")));
    let mut memory = Memory::new();
    let args = [Arg::Buffer(memory.zeroed::<i32>(64)), Arg::Buffer(memory.zeroed::<i32>(64))];
    let launch = |(i, Step(_, early)): (usize, &Step<'_>)| {
        let launch = Launch {
            begins_early: *early,
            is_overlapped: steps.get(i + 1).is_some_and(|next| next.1),
            ..Launch::new(["first", "second", "third"][i], [2, 1, 1], [32, 1, 1])
        };
        let report = program.simulate(&launch, &mut memory, &args, |_| {}).unwrap_or_else(|e| panic!("{e}"));
        report.findings.iter().map(ToString::to_string).collect()
    };
    steps.iter().enumerate().map(launch).collect()
}

/// The only finding of the last launch; the others have none.
fn last_finding(steps: &[Step<'_>]) -> String {
    let mut all = findings(steps);
    let last = all.pop().expect("there is a launch");
    assert!(all.iter().all(Vec::is_empty), "{all:?}");
    let [one] = &last[..] else { panic!("{last:?}") };
    one.clone()
}

fn is_silent(steps: &[Step<'_>]) {
    let all = findings(steps);
    assert!(all.iter().all(Vec::is_empty), "{all:?}");
}

#[test]
fn a_read_before_the_wait_races_with_the_write() {
    let found = last_finding(&[Step(&[WRITE_X], false), Step(&[READ_X, WAIT], true)]);
    assert!(
        found.contains("reads byte 0 of buffer 0, and nothing orders it with the write by thread (0, 0, 0)"),
        "{found}"
    );
    let launches = "`llvm.store` (-:16:16), in launch 1 (`first`), which may not have ended when launch 2 (`second`) begins: \
        execute `griddepcontrol.wait` before the access, or synchronise with a thread that has";
    assert!(found.ends_with(launches), "{found}");
    is_silent(&[Step(&[WRITE_X], false), Step(&[WAIT, READ_X], true)]);
    let asm = "llvm.inline_asm has_side_effects \"griddepcontrol.wait;\", \"\" : () -> ()";
    is_silent(&[Step(&[WRITE_X], false), Step(&[asm, READ_X], true)]);
}

#[test]
fn a_write_before_the_wait_races_with_reads_and_writes() {
    let found = last_finding(&[Step(&[READ_X], false), Step(&[WRITE_X, WAIT], true)]);
    assert!(
        found.contains("nothing orders it with the read by thread (0, 0, 0) of block (0, 0, 0)"),
        "{found}"
    );
    is_silent(&[Step(&[READ_X], false), Step(&[WAIT, WRITE_X], true)]);
    is_silent(&[Step(&[READ_X], false), Step(&[WRITE_Y, READ_X, WAIT], true)]);
    let other = "%v = llvm.add %t, %one : i32\nllvm.store %v, %px : i32, !llvm.ptr<1>";
    let found = last_finding(&[Step(&[WRITE_X], false), Step(&[other, WAIT], true)]);
    assert!(found.contains("with the write by thread"), "{found}");
    is_silent(&[Step(&[WRITE_X], false), Step(&[WAIT, other], true)]);
}

#[test]
fn the_wait_of_one_thread_covers_those_that_synchronise_with_it() {
    let one = "llvm.cond_br %is_first, ^wait, ^rest\n^wait:\nnvvm.griddepcontrol wait\nllvm.br ^rest\n^rest:";
    let found = last_finding(&[Step(&[WRITE_X], false), Step(&[one, READ_X], true)]);
    assert!(found.contains("thread (1, 0, 0): reads byte 4 of buffer 0"), "{found}");
    is_silent(&[Step(&[WRITE_X], false), Step(&[one, "nvvm.barrier0", READ_X], true)]);
    // A block does not wait for another one.
    let block = one.replace("%is_first", "%is_last_block");
    let found = last_finding(&[Step(&[WRITE_X], false), Step(&[&block, "nvvm.barrier0", READ_X], true)]);
    assert!(found.contains("in block (0, 0, 0)"), "{found}");
}

/// Without a trigger, dependents begin when the launch has ended; that publishes nothing.
#[test]
fn a_trigger_publishes_nothing_and_may_be_missing() {
    for first in [&[WRITE_X, TRIGGER][..], &[TRIGGER, WRITE_X], &[WRITE_X]] {
        is_silent(&[Step(first, false), Step(&[WAIT, READ_X], true)]);
        last_finding(&[Step(first, false), Step(&[READ_X], true)]);
    }
}

#[test]
fn a_wait_covers_only_the_launch_directly_before_and_what_that_waited_for() {
    let first = || Step(&[WRITE_X, TRIGGER], false);
    let third = || Step(&[WAIT, READ_X], true);
    let found = last_finding(&[first(), Step(&[TRIGGER, WRITE_Y], true), third()]);
    assert!(
        found.contains("in launch 1 (`first`), which may not have ended when launch 3 (`third`) begins: `griddepcontrol.wait` waits only"),
        "{found}"
    );
    is_silent(&[first(), Step(&[TRIGGER, WRITE_Y, WAIT], true), third()]);
    // If the second launch waits before it lets the third begin, the first has ended by then, but
    // the third need not see what it wrote.
    for second in [&[WAIT, WRITE_Y, TRIGGER][..], &[WAIT, WRITE_Y]] {
        let found = last_finding(&[first(), Step(second, true), Step(&[READ_X], true)]);
        assert!(
            found.contains("nothing makes it see the write") && found.contains("in launch 1 (`first`)"),
            "{found}"
        );
        is_silent(&[first(), Step(second, true), third()]);
        is_silent(&[first(), Step(second, true), Step(&[WRITE_X], true)]);
    }
    let found = last_finding(&[first(), Step(&[TRIGGER, WAIT, WRITE_Y], true), Step(&[READ_X], true)]);
    assert!(found.contains("in launch 1 (`first`)"), "{found}");
    let found = last_finding(&[first(), Step(&[WAIT, WRITE_Y, TRIGGER], true), Step(&[READ_Y], true)]);
    assert!(found.contains("in launch 2 (`second`)"), "{found}");
}

#[test]
fn launches_without_the_attribute_follow_one_another() {
    is_silent(&[Step(&[WRITE_X, TRIGGER], false), Step(&[READ_X], false)]);
    is_silent(&[Step(&[WRITE_X], true), Step(&[READ_X], false)]);
    // The third begins when the second has ended, and so after the first.
    is_silent(&[Step(&[WRITE_X], false), Step(&[TRIGGER], true), Step(&[READ_X], false)]);
}

#[test]
fn atomic_operations_exclude_each_other_and_publish() {
    let add = "%o = llvm.atomicrmw add %px, %one monotonic : !llvm.ptr<1>, i32";
    is_silent(&[Step(&[add], false), Step(&[add], true)]);
    last_finding(&[Step(&[add], false), Step(&[READ_X], true)]);
    let flag = "%f = llvm.atomicrmw add %py, %one acq_rel : !llvm.ptr<1>, i32";
    is_silent(&[Step(&[WRITE_X, flag], false), Step(&[flag, READ_X], true)]);
    last_finding(&[Step(&[WRITE_X, flag], false), Step(&[READ_X, flag], true)]);
}

/// A bulk copy reads on behalf of the thread that issues it, whoever waits for the data.
#[test]
fn a_copy_is_ordered_by_what_its_issuer_knows() {
    let copy = "%tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
        %barrier = llvm.mlir.addressof @barrier : !llvm.ptr<3>
        %bytes = llvm.mlir.constant(128 : i32) : i32
        llvm.cond_br %is_first, ^issue, ^all
      ^issue:
        nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
        nvvm.mbarrier.arrive.expect_tx %barrier, %bytes : !llvm.ptr<3>, i32
        %cluster = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr<7>
        nvvm.cp.async.bulk.shared.cluster.global %cluster, %px, %barrier, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
        llvm.br ^all
      ^all:
        nvvm.barrier0";
    let arrived = "%ticks = llvm.mlir.constant(1000 : i32) : i32
        nvvm.mbarrier.try_wait.parity %barrier, %zero, %ticks : !llvm.ptr<3>, i32, i32";
    let found = last_finding(&[Step(&[WRITE_X], false), Step(&[copy, arrived, WAIT], true)]);
    assert!(
        found.contains("reads byte 0 of buffer 0 through the async proxy, and nothing orders it"),
        "{found}"
    );
    is_silent(&[Step(&[WRITE_X], false), Step(&[WAIT, copy, arrived], true)]);
}
