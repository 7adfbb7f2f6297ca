use crate::{decode, function, kernel};
use cute_sim::place::{SourceFile, SourcePoint};
use cute_sim::{Arg, CopyRole, Error, FindingKind, Launch, Memory, Place};
use std::sync::atomic::{AtomicU64, Ordering};

fn numbered(number: u32) -> Place {
    Place::Buffer { number, name: None }
}

/// The modules with an asynchronous copy.
fn tile() -> Place {
    Place::Shared { name: "tile".into(), location: SourcePoint::new(SourceFile::of("-"), 5, Some(9)).into() }
}

fn threads(n: u32) -> Launch {
    Launch::new("kernel", [1, 1, 1], [n, 1, 1])
}

fn kind(error: Error) -> FindingKind {
    match error {
        Error::Findings(report) => match report.findings.as_slice() {
            [one] => one.kind.clone(),
            several => panic!("{several:#?}"),
        },
        other => panic!("{other}"),
    }
}

/// Runs one thread without arguments.
fn run(body: &str) -> Result<(), Error> {
    kernel("", body).run(&threads(1), &mut Memory::new(), &[]).map(|_| ())
}

const SHARED: &str =
    "llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8 x i32>
    llvm.mlir.global internal @next() {addr_space = 3 : i32} : !llvm.array<8 x i32>\n";

#[test]
fn out_of_bounds_names_operation_location_block_thread_and_buffer() {
    let program = kernel(
        "%p: !llvm.ptr<1>",
        "%t = nvvm.read.ptx.sreg.tid.x : i32
         %q = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
         %v = llvm.load %q : !llvm.ptr<1> -> f32",
    );
    let mut memory = Memory::new();
    memory.zeroed::<f32>(1000);
    let buffer = memory.upload(&[0.0f32; 5]);
    let e = program.run(&threads(8), &mut memory, &[Arg::Buffer(buffer)]).unwrap_err();
    assert_eq!(
        e.to_string(),
        "-:5:15: `llvm.load` in block (0, 0, 0), thread (5, 0, 0): 4 bytes at byte 20 of buffer 1, which has 20 bytes"
    );
    let before = kernel(
        "%p: !llvm.ptr<1>",
        "%q = llvm.getelementptr %p[-1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
         %v = llvm.load %q : !llvm.ptr<1> -> f32",
    );
    let e = kind(before.run(&threads(1), &mut memory, &[Arg::Buffer(buffer)]).unwrap_err());
    assert_eq!(e, FindingKind::OutOfBounds { place: numbered(1), offset: -4, bytes: 4, size: 20 });
}

#[test]
fn a_shared_object_does_not_run_into_its_neighbour() {
    let body = |index: u32| {
        let body = format!(
            "%zero = llvm.mlir.constant(0 : i32) : i32
             %next = llvm.mlir.addressof @next : !llvm.ptr<3>
             llvm.store %zero, %next : i32, !llvm.ptr<3>
             %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
             %q = llvm.getelementptr %tile[{index}] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
             llvm.store %zero, %q : i32, !llvm.ptr<3>"
        );
        crate::program(&(SHARED.to_owned() + &function("", &body)))
    };
    body(7).run(&threads(1), &mut Memory::new(), &[]).unwrap();
    let e = body(8).run(&threads(1), &mut Memory::new(), &[]).unwrap_err().to_string();
    assert!(
        e.ends_with("4 bytes at byte 32 of shared memory @tile (allocated at -:8:22), which has 32 bytes"),
        "{e}"
    );
}

/// MLIR merges constants of different places into one without a place.
#[test]
fn a_shared_object_whose_use_has_no_place_has_its_own() {
    let body = "%zero = llvm.mlir.constant(0 : i32) : i32
         %tile = llvm.mlir.addressof @tile : !llvm.ptr<3> loc(unknown)
         %q = llvm.getelementptr %tile[8] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
         llvm.store %zero, %q : i32, !llvm.ptr<3>";
    let program = crate::program(&(SHARED.to_owned() + &function("", body)));
    let e = program.run(&threads(1), &mut Memory::new(), &[]).unwrap_err().to_string();
    assert!(e.contains("of shared memory @tile (allocated at -:2:1)"), "{e}");
}

#[test]
fn a_wide_load_must_be_aligned() {
    let program = kernel(
        "%p: !llvm.ptr<1>",
        "%q = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
         %v = llvm.load %q {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>",
    );
    let mut memory = Memory::new();
    let buffer = memory.zeroed::<f32>(8);
    let e = kind(program.run(&threads(1), &mut memory, &[Arg::Buffer(buffer)]).unwrap_err());
    assert_eq!(e, FindingKind::Misaligned { place: numbered(0), offset: 4, align: 16 });
}

#[test]
fn null_and_foreign_pointers_are_refused() {
    let null = run("%p = llvm.mlir.zero : !llvm.ptr<1>
                    %v = llvm.load %p : !llvm.ptr<1> -> f32");
    assert_eq!(kind(null.unwrap_err()), FindingKind::Unmapped { address: 0 });
    let local = run("%one = llvm.mlir.constant(1 : i32) : i32
                     %p = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
                     %q = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<3>");
    assert!(matches!(kind(local.unwrap_err()), FindingKind::WrongSpace { expected: 3, .. }));
}

#[test]
fn a_barrier_that_a_thread_misses() {
    let missed = |otherwise: &str| {
        kernel(
            "",
            &format!(
                r#"%t = nvvm.read.ptx.sreg.tid.x : i32
           %c40 = llvm.mlir.constant(40 : i32) : i32
           %in = llvm.icmp "ult" %t, %c40 : i32
           llvm.cond_br %in, ^wait, ^exit
         ^wait:
           nvvm.barrier0
           llvm.br ^exit
         ^exit:
           %all = llvm.mlir.constant(-1 : i32) : i32
           {otherwise}"#
            ),
        )
    };
    missed("").run(&threads(40), &mut Memory::new(), &[]).unwrap();
    missed("").run(&threads(64), &mut Memory::new(), &[]).unwrap();
    let waits = missed("nvvm.bar.warp.sync %all : i32");
    let e = waits.run(&threads(64), &mut Memory::new(), &[]).unwrap_err();
    assert_eq!(
        e.to_string(),
        "-:8:12: `nvvm.barrier0` in block (0, 0, 0), thread (0, 0, 0): only 40 of 64 threads wait here; thread (40, 0, 0) waits at \
         `nvvm.bar.warp.sync` (-:12:12) with lane mask 0xffffffff"
    );
}

#[test]
fn the_lanes_of_a_warp_share_one_barrier() {
    let branches = |bound: u32| {
        let source = format!(
            r#"%t = nvvm.read.ptx.sreg.tid.x : i32
               %bound = llvm.mlir.constant({bound} : i32) : i32
               %in = llvm.icmp "ult" %t, %bound : i32
               llvm.cond_br %in, ^one, ^other
             ^one:
               nvvm.barrier0
               llvm.br ^exit
             ^other:
               nvvm.barrier0
               llvm.br ^exit
             ^exit:"#
        );
        kernel("", &source).run(&threads(64), &mut Memory::new(), &[])
    };
    assert!(branches(32).is_ok());
    let e = branches(16).unwrap_err().to_string();
    assert!(
        e.contains("16 of 32 threads wait here; thread (16, 0, 0) is at `nvvm.barrier0` (-:11:16)"),
        "{e}"
    );
}

#[test]
fn barriers_that_cannot_complete_are_errors() {
    let none = run("%mask = llvm.mlir.constant(0 : i32) : i32
                    nvvm.bar.warp.sync %mask : i32");
    let none = kind(none.unwrap_err()).to_string();
    assert_eq!(none, "lane mask 0x00000000: the lane itself is not in it");
    let odd = run("%one = llvm.mlir.constant(1 : i32) : i32
                   nvvm.barrier id = %one number_of_threads = %one");
    assert_eq!(kind(odd.unwrap_err()), FindingKind::Barrier { id: 1, threads: 1 });
}

/// `body` between the issue of a 16-byte copy of which `%bytes` are read, and the kernel's end.
fn async_copy(body: &str, bytes: i32, dst_index: u32) -> Result<Vec<i32>, Error> {
    let source = format!(
        "%tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
         %dst = llvm.getelementptr %tile[{dst_index}] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
         nvvm.cp.async.shared.global %dst, %in, 16, cache = cg, %bytes : !llvm.ptr<3>, !llvm.ptr<1>, i32
         {body}
         %v = llvm.load %dst {{alignment = 4 : i64}} : !llvm.ptr<3> -> vector<4xi32>
         llvm.store %v, %out {{alignment = 4 : i64}} : vector<4xi32>, !llvm.ptr<1>"
    );
    let parameters = "%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %bytes: i32";
    let program = crate::program(&(SHARED.to_owned() + &function(parameters, &source)));
    let mut memory = Memory::new();
    let (from, to) = (memory.upload(&[1, 2, 3, 4]), memory.zeroed::<i32>(4));
    program.run(&threads(1), &mut memory, &[Arg::Buffer(from), Arg::Buffer(to), Arg::I32(bytes)])?;
    Ok(memory.download(to))
}

const COMMIT: &str = "nvvm.cp.async.commit.group\n";
const WAIT: &str = "nvvm.cp.async.wait.group 0\n";

#[test]
fn an_asynchronous_copy_fills_with_zeros() {
    let done = COMMIT.to_owned() + WAIT;
    assert_eq!(async_copy(&done, 16, 0).unwrap(), [1, 2, 3, 4]);
    assert_eq!(async_copy(&done, 8, 4).unwrap(), [1, 2, 0, 0]);
    assert_eq!(async_copy(&done, 0, 0).unwrap(), [0, 0, 0, 0]);
    assert_eq!(kind(async_copy(&done, 17, 0).unwrap_err()), FindingKind::CopySize { asked: 17, size: 16 });
    let e = kind(async_copy(&done, 16, 1).unwrap_err());
    assert_eq!(e, FindingKind::Misaligned { place: tile(), offset: 4, align: 16 });
}

#[test]
fn an_asynchronous_copy_is_not_there_before_its_wait() {
    let found = |body: &str, byte: u32| match kind(async_copy(body, 16, 0).unwrap_err()) {
        FindingKind::InFlight { place, offset, copy: Some(copy), role: CopyRole::Target } => {
            assert_eq!((place, offset), (tile(), byte.into()), "{body}");
            assert_eq!(
                (copy.location.to_string().as_str(), copy.thread, copy.foreign),
                ("-:7:10", [0; 3], false)
            );
            copy.younger
        }
        other => panic!("{body}: {other}"),
    };
    let uncommitted = [found("", 0), found(WAIT, 0)];
    assert_eq!(uncommitted, [None, None]);
    let late = COMMIT.to_owned() + "nvvm.cp.async.wait.group 1\n";
    assert_eq!([found(COMMIT, 0), found(&late, 0)], [Some(0), Some(0)]);
    let write = COMMIT.to_owned() + COMMIT + "llvm.store %bytes, %dst : i32, !llvm.ptr<3>";
    assert_eq!(found(&write, 0), Some(1));
    let says = |body: &str| async_copy(body, 16, 0).unwrap_err().to_string();
    let copy = "is still the target of an asynchronous copy, `nvvm.cp.async.shared.global` (-:7:10) by thread (0, 0, 0): ";
    assert!(
        says("")
            .contains(&format!("{copy}commit it (`cp.async.commit.group`), then wait for its group; or let"))
    );
    assert!(says(&write).ends_with(&format!(
        "{copy}1 younger group is committed after its group, so `cp.async.wait.group 1` would complete it"
    )));
}

/// The copy may read its source any time before the wait.
#[test]
fn the_source_of_an_asynchronous_copy_stays_as_it_is_until_the_wait() {
    let store = "llvm.store %bytes, %in : i32, !llvm.ptr<1>\n";
    let early = async_copy(&(COMMIT.to_owned() + store + WAIT), 16, 0).unwrap_err();
    let e = early.to_string();
    assert!(
        e.contains("`llvm.store`")
            && e.contains("byte 0 of buffer 0 is still the source of an asynchronous copy"),
        "{e}"
    );
    // Bytes that the copy does not read may be written, and all bytes after the wait.
    let behind = "%q = llvm.getelementptr %in[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
                  llvm.store %bytes, %q : i32, !llvm.ptr<1>\n";
    assert_eq!(async_copy(&(COMMIT.to_owned() + behind + WAIT), 8, 0).unwrap(), [1, 2, 0, 0]);
    assert_eq!(async_copy(&(COMMIT.to_owned() + WAIT + store), 16, 0).unwrap(), [1, 2, 3, 4]);
}

#[test]
fn what_has_no_model_is_found_before_anything_runs() {
    let unmodelled = |parameters: &str, body: &str| match decode(&function(parameters, body)).unwrap_err() {
        Error::Unmodelled { op, location, what, .. } => format!("{location} {op}: {what}"),
        other => panic!("{other}"),
    };
    let saved = "%s = llvm.intr.stacksave : !llvm.ptr";
    assert_eq!(unmodelled("%a: i32", saved), "-:3:6 llvm.intr.stacksave: the operation");
    assert_eq!(unmodelled("", "%v = llvm.mlir.undef : i256"), "-:3:6 llvm.mlir.undef: type i256");
    let groups = "nvvm.tcgen05.relinquish_alloc_permit
        nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}";
    let e = decode(&function("", groups)).unwrap_err().to_string();
    assert!(e.contains(".cta_group::2 after .cta_group::1"), "{e}");
    // Such numbers are moved, and not computed with.
    let sum = unmodelled("%a: i128", "%v = llvm.add %a, %a : i128");
    assert!(sum.starts_with("-:3:6 llvm.add"), "{sum}");
    let scope =
        "%v = llvm.load %p atomic syncscope(\"agent\") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32";
    assert_eq!(unmodelled("%p: !llvm.ptr<1>", scope), "-:3:6 llvm.load: the scope `agent`");
}

#[test]
fn numbers_that_mean_nothing_are_refused() {
    let malformed = |text: &str| match decode(text).unwrap_err() {
        Error::Malformed { what, .. } => what,
        other => panic!("{other}"),
    };
    for (attribute, value) in [
        ("nvvm.reqntid", "array<i32: 0>"),
        ("nvvm.maxntid", "array<i32: -1, 1, 1>"),
        ("nvvm.cluster_dim", "array<i32: 2, 0, 1>"),
    ] {
        assert_eq!(
            malformed(&format!(
                "llvm.func @k() attributes {{gpu.kernel, {attribute} = {value}}} {{ llvm.return }}"
            )),
            format!("an attribute {attribute} that is not one to three positive numbers")
        );
    }
    let load = "%v = llvm.load %p {alignment = 12 : i64} : !llvm.ptr<1> -> i32";
    let expected = "an alignment of 12, which is not a power of two";
    assert_eq!(malformed(&function("%p: !llvm.ptr<1>", load)), expected);
}

#[test]
fn errors_name_the_class_of_the_rule_that_is_broken() {
    for (parameters, body, expected) in [
        ("", "%s = llvm.intr.stacksave : !llvm.ptr", "unmodelled-unknown-instruction"),
        ("", "%v = llvm.mlir.undef : i256", "unmodelled-type"),
        ("%p: !llvm.ptr", "llvm.call %p() : !llvm.ptr, () -> ()", "unmodelled-call"),
        ("", "%v = llvm.mlir.undef : !llvm.array<9999999 x i32>", "unmodelled-size"),
        (
            "%p: !llvm.ptr<1>",
            "%v = llvm.load %p atomic syncscope(\"agent\") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32",
            "unmodelled-modifier",
        ),
        (
            "%p: !llvm.ptr<1>",
            "%v = llvm.load %p {alignment = 12 : i64} : !llvm.ptr<1> -> i32",
            "malformed-attribute",
        ),
        (
            "",
            "nvvm.tcgen05.relinquish_alloc_permit
             nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}",
            "malformed-modifier",
        ),
    ] {
        let error = decode(&function(parameters, body)).unwrap_err();
        assert_eq!(error.id(), Some(expected), "{error}");
        assert!(error.place().is_some_and(|place| place.to_string().starts_with("-:")), "{error}");
    }
}

#[test]
fn a_function_of_another_dialect_is_not_passed_over() {
    let text = "func.func @k() attributes {gpu.kernel} { return }";
    let error = decode(text).unwrap_err().to_string();
    assert!(error.contains("`func.return`"), "{error}");
}

#[test]
fn an_endless_loop_uses_up_its_budget() {
    let program = kernel("", "llvm.br ^loop\n^loop:\nllvm.br ^loop\n^exit:");
    let launch = Launch { budget: 1000, ..threads(1) };
    let e = program.run(&launch, &mut Memory::new(), &[]).unwrap_err();
    assert_eq!(
        e.to_string(),
        "-:5:1: `llvm.br` in block (0, 0, 0), thread (0, 0, 0): the budget of 1000 instructions is used up; the thread is \
         in the loop of `llvm.br` (-:5:1), a branch that the threads have executed 999 times"
    );
}

/// Two billion blocks, of which the first uses up the budget.
#[test]
fn no_block_begins_after_the_budget_is_used_up() {
    let program = kernel("", "llvm.br ^loop\n^loop:\nllvm.br ^loop\n^exit:");
    let launch = Launch { budget: 1000, grid: [(1 << 31) - 1, 1, 1], ..threads(1) };
    let finished = AtomicU64::new(0);
    let count = |_| {
        finished.fetch_add(1, Ordering::Relaxed);
    };
    let report = program.simulate(&launch, &mut Memory::new(), &[], count).unwrap();
    // Blocks that run at once may use it up at either branch.
    assert!((1..=2).contains(&report.errors().count()), "{report}");
    assert_eq!(report.stats.blocks, (1 << 31) - 1);
    assert!(finished.load(Ordering::Relaxed) < 10_000);
}

#[test]
fn an_index_that_wraps_is_found_unless_the_launch_allows_it() {
    let program = kernel(
        "%n: i32",
        "%square = llvm.mul %n, %n overflow<nsw> : i32
         %wraps = llvm.mul %n, %n : i32",
    );
    let launch = threads(1);
    assert!(program.run(&launch, &mut Memory::new(), &[Arg::I32(46340)]).is_ok());
    let e = program.run(&launch, &mut Memory::new(), &[Arg::I32(46341)]).unwrap_err().to_string();
    assert!(e.ends_with("i32 overflow of nsw mul: 46341, 46341"), "{e}");
    let launch = Launch { check_overflow: false, ..launch };
    assert!(program.run(&launch, &mut Memory::new(), &[Arg::I32(46341)]).is_ok());
}

#[test]
fn a_launch_must_fit_its_kernel() {
    let program = crate::program(
        "llvm.func @kernel(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>} { llvm.return }",
    );
    let mut memory = Memory::new();
    let buffer = memory.zeroed::<i32>(1);
    let good = [Arg::Buffer(buffer), Arg::I32(1)];
    let mut run = |launch: Launch, args: &[Arg]| program.run(&launch, &mut memory, args).map(|_| ());
    assert_eq!(run(threads(64), &good), Ok(()));
    for (launch, args) in [
        (threads(32), &good[..]),
        (threads(0), &good[..]),
        (threads(64), &good[..1]),
        (threads(64), &[Arg::I32(1), Arg::I32(1)][..]),
        (threads(64), &[Arg::Buffer(buffer), Arg::I64(1)][..]),
        (Launch { grid: [0, 1, 1], ..threads(64) }, &good[..]),
    ] {
        assert!(matches!(run(launch.clone(), args), Err(Error::Launch { .. })), "{launch:?} {args:?}");
    }
    assert_eq!(run(Launch::new("other", [1; 3], [1; 3]), &good), Err(Error::NoKernel("other".into())));
}
