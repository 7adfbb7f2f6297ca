//! `cutec run --trace` and `--html`: the files, and the faults of what is asked for.

#[path = "../../../cute-report/src/trace/read.rs"]
mod read;

use read::{bytes, number, packets};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
    process::{Command, Output, Stdio},
    time::Duration,
};
use tempfile::TempDir;

const GEMM: &str = "--host --arg A:bf16[256x256]=random(1) --arg B:bf16[256x256]=random(2) --arg D:bf16[256x256] --arg blocks:4";
const SOFTMAX: &str = "--grid 10 --arg X:f16[37x1024]=random(1) --arg Y:f16[37x1024]";

fn cutec(folder: &Path, arguments: &str) -> Output {
    let mut c = Command::new(env!("CARGO_BIN_EXE_cutec"));
    c.current_dir(folder).args(arguments.split_whitespace()).output().unwrap()
}

/// Runs a kernel and records it. The exit code must be that.
fn recorded(folder: &Path, run: &str, file: &str, code: i32) -> Vec<u8> {
    let output = cutec(folder, &format!("run {run} --trace {file}"));
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read(folder.join(file)).unwrap()
}

/// A slice: its name, its kind, and its first step and the one after its last.
type Slice = (String, String, u64, u64);

/// A trace, as far as its rules hold.
#[derive(Default)]
struct Trace {
    names: BTreeSet<String>,
    slices: Vec<Slice>,
    flows: usize,
    counters: usize,
}

/// Reads a trace and checks its rules.
fn read_trace(trace: &[u8]) -> Trace {
    let (mut parents, mut found) = (BTreeMap::new(), Trace::default());
    let mut events = Vec::new();
    for packet in packets(trace) {
        if let Some(descriptor) = bytes(&packet, 60) {
            let descriptor = read::fields(descriptor);
            let id = number(&descriptor, 1).unwrap();
            let parent = number(&descriptor, 5);
            assert!(id > 0 && parents.insert(id, parent).is_none(), "{id} is not new");
            assert!(parent.is_none_or(|parent| parents.contains_key(&parent)));
            let process = bytes(&descriptor, 3).map(read::fields);
            let name = process.and_then(|own| bytes(&own, 6)).or_else(|| bytes(&descriptor, 2));
            found.names.insert(String::from_utf8(name.unwrap().into()).unwrap());
        }
        if let Some(event) = bytes(&packet, 11) {
            events.push((number(&packet, 8).unwrap(), read::fields(event)));
        }
    }
    events.sort_by_key(|(at, _)| *at);
    let (mut open, mut counters) = (BTreeMap::<u64, Vec<usize>>::new(), BTreeMap::new());
    let (mut begun, mut ended) = (BTreeMap::new(), BTreeMap::new());
    for (at, event) in &events {
        let text = |field| String::from_utf8(bytes(event, field).unwrap().into()).unwrap();
        let track = number(event, 11).unwrap();
        assert!(parents.contains_key(&track));
        match number(event, 9) {
            Some(1) => {
                open.entry(track).or_default().push(found.slices.len());
                found.slices.push((text(23), text(22), *at, 0));
            }
            Some(2) => {
                let slice = open.get_mut(&track).and_then(Vec::pop).expect("a slice that ends has begun");
                found.slices[slice].3 = *at;
                assert!(found.slices[slice].2 < *at, "a slice takes time");
                for (field, ends) in [(47, &mut begun), (48, &mut ended)] {
                    for (_, flow) in event.iter().filter(|(own, _)| *own == field) {
                        let read::Field::Number(flow) = flow else { panic!("a flow is a number") };
                        assert!(ends.insert(*flow, (slice, *at)).is_none());
                    }
                }
            }
            Some(4) => {
                counters.insert(track, number(event, 30).unwrap());
            }
            other => assert_eq!(other, Some(3)),
        }
    }
    assert!(open.values().all(Vec::is_empty), "all slices end");
    assert_eq!(begun.keys().collect::<Vec<_>>(), ended.keys().collect::<Vec<_>>());
    for (flow, (source, at)) in &begun {
        let (target, end) = ended[flow];
        assert!(*at <= end && found.slices[target].1 == "wait", "{:?}", found.slices[*source]);
    }
    // Counts are not negative, since numbers of protobuf have no sign.
    assert!(counters.values().all(|bytes| *bytes == 0), "counters end at 0");
    (found.flows, found.counters) = (begun.len(), counters.len());
    found
}

impl Trace {
    fn of(&self, kind: &str) -> Vec<&Slice> {
        self.slices.iter().filter(|slice| slice.1 == kind).collect()
    }

    /// The most slices of a kind at once.
    fn at_once(&self, kind: &str) -> i64 {
        let mut steps: Vec<(u64, i64)> =
            self.of(kind).iter().flat_map(|slice| [(slice.2, 1), (slice.3, -1)]).collect();
        steps.sort_unstable();
        let sums = steps.iter().scan(0, |now, (_, change)| {
            *now += change;
            Some(*now)
        });
        sums.max().unwrap_or(0)
    }
}

fn kernels() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for builder in ["gemm_sm90", "gemm_sm100"] {
        let made = cutec(folder.path(), &format!("build {builder} --emit cute -o {builder}.mlir"));
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }
    let softmax = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/softmax.mlir");
    fs::copy(softmax, folder.path().join("softmax.mlir")).unwrap();
    folder
}

#[test]
fn a_trace_shows_what_waits_for_what() {
    let folder = kernels();
    for schedule in ["lazy", "eager", "3"] {
        let run = format!("gemm_sm90.mlir {GEMM} --schedule {schedule}");
        let trace = read_trace(&recorded(folder.path(), &run, "hopper.pftrace", 0));
        // 2 blocks load 4 K tiles of A and of B, each half of the tile for both, and store 4 parts.
        assert_eq!((trace.of("mma").len(), trace.counters), (64, 12), "{schedule}");
        assert!(trace.names.contains("stages full, not taken") && trace.names.contains("loads in flight"));
        let slices: BTreeSet<&str> = trace.slices.iter().map(|slice| slice.0.as_str()).collect();
        for name in
            ["load B (192, 128) stage 3", "wgmma m64n256k16: stage 0 of A, stage 0 of B", "store D (0, 64)"]
        {
            assert!(slices.contains(name), "{name}: {slices:?}");
        }
        assert!(trace.of("copy").len() >= 32 && trace.flows > 100);
        let most = trace.at_once("copy");
        assert!(if schedule == "eager" { most <= 2 } else { most > 2 }, "{schedule}: {most}");
        let named =
            if schedule == "3" { "random order with seed 3".into() } else { format!("schedule {schedule}") };
        let says = |name: &String| name.contains(&format!("order, not time: {named}"));
        assert!(trace.names.iter().any(says), "{:?}", trace.names);
        for name in ["TMA", "tensor core", "warp 0", "warp 11"] {
            assert!(trace.names.contains(name), "{name}");
        }
    }
    let run = format!("gemm_sm100.mlir {GEMM} --target sm_100a");
    let trace = read_trace(&recorded(folder.path(), &run, "blackwell.perfetto-trace", 0));
    assert_eq!(trace.of("mma").len(), 16);
    assert!(trace.names.contains("columns of tensor memory"), "{:?}", trace.names);
    let softmax = read_trace(&recorded(folder.path(), &format!("softmax.mlir {SOFTMAX}"), "s.pftrace", 0));
    let blocks = softmax.names.iter().filter(|name| name.starts_with("block (")).count();
    assert_eq!((blocks, softmax.of("run").len(), softmax.counters), (10, 40, 0));
    let few = format!("softmax.mlir {SOFTMAX} --trace-blocks 2,5-6");
    let few = read_trace(&recorded(folder.path(), &few, "few.pftrace", 0));
    let blocks: Vec<_> = few.names.iter().filter(|name| name.starts_with("block (")).collect();
    assert_eq!(blocks.len(), 3);
    assert!(blocks[1].starts_with("block (5, 0, 0)"), "{blocks:?}");
    // Without a recording, nothing differs but the file.
    let [with, without] = [" --trace t.json", ""].map(|end| {
        cutec(folder.path(), &format!("run gemm_sm90.mlir {GEMM}{end} --out D=d.npy --report json"))
    });
    assert_eq!((with.status.code(), with.stdout == without.stdout), (Some(0), true));
    let json: Value = serde_json::from_slice(&fs::read(folder.path().join("t.json")).unwrap()).unwrap();
    assert_eq!(
        (&json["otherData"]["interrupted"], &json["otherData"]["stopped"]),
        (&Value::Null, &Value::Null)
    );
}

/// A page of a run, which must have that exit code.
fn page(folder: &Path, run: &str, code: i32) -> String {
    let output = cutec(folder, &format!("run {run} --html p.html"));
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(folder.join("p.html")).unwrap()
}

#[test]
fn a_page_shows_the_run() {
    let folder = kernels();
    let gemm = page(folder.path(), &format!("gemm_sm90.mlir {GEMM}"), 0);
    assert!(gemm.len() < 5_000_000, "{}", gemm.len());
    for part in [
        "No findings: `gemm_sm90` ran to the end.",
        "lazy, eager, reverse; counters and timelines are those of lazy",
        "<tr><th scope=\"row\">command</th><td class=\"fact\">",
        "--html p.html</td>",
        "cute_dynamic_smem, 229440 bytes",
        "nvvm.stmatrix",
        "load A (0, 0) stage 0",
        "wgmma m64n256k16: stage 3 of A, stage 3 of B",
        "<svg role=\"img\"",
        "</html>",
    ] {
        assert!(gemm.contains(part), "{part}");
    }
    let run = format!("gemm_sm100.mlir {GEMM} --target sm_100a");
    assert!(page(folder.path(), &run, 0).contains("at most 512 of 512 columns"));
    fs::write(folder.path().join("k.mlir"), STUCK).unwrap();
    let stuck = page(folder.path(), "k.mlir --grid 1 --arg o:i32[4]", 1);
    for part in [
        "Deadlock: 1 of 32 threads wait, and the others have returned: warp 0 (1 lane) at k.mlir:13:5 for phase 0 of the mbarrier at \
         byte 0 of bar.",
        "The run ended there.",
        "<td>mbarrier at byte 0 of bar</td><td class=\"n\">0</td><td class=\"n\">1 of 2</td><td class=\"n\">2 of 2</td>",
        "1 arrival by `nvvm.mbarrier.arrive.expect_tx` (k.mlir:12:5) in phase 0",
        "Errors: 1; notes: 0.",
        "<a href=\"#L13\">k.mlir:13:5</a>",
        "phase 0 of mbarrier at byte 0 of bar, which nobody ended",
    ] {
        assert!(stuck.contains(part), "{part}");
    }
}

/// The page of PTX that nvcc wrote has the CUDA source, and a date only if the environment gives
/// one.
#[test]
fn a_page_about_ptx_shows_the_source_and_what_reproduces_it() {
    let folder = tempfile::tempdir().unwrap();
    let foreign = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/foreign");
    let page = |more: &str, date: Option<&str>| {
        let mut c = Command::new(env!("CARGO_BIN_EXE_cutec"));
        let run = format!(
            "run {foreign}/cuda/broken.nvcc.sm_90.ptx --kernel no_barrier --grid 1 --block 64 --arg x:f32[64]=random(1) \
             --arg y:f32[64] --html p.html{more}"
        );
        c.current_dir(folder.path()).args(run.split_whitespace()).env_remove("SOURCE_DATE_EPOCH");
        date.into_iter().for_each(|date| {
            c.env("SOURCE_DATE_EPOCH", date);
        });
        assert_eq!(c.output().unwrap().status.code(), Some(1));
        fs::read_to_string(folder.path().join("p.html")).unwrap()
    };
    let own = page(&format!(" --source {foreign}"), None);
    for part in [
        "Race: `ld.shared.f32` at broken.cu:9:3 (broken.nvcc.sm_90.ptx:65), and `st.shared.f32` at broken.cu:7:3",
        "<h2>Source: cuda/broken.cu</h2>",
        "<tr id=\"S1L9\" class=\"hit\">",
        "The text that was run: ",
        "x:f32[64]=random(1)\ny:f32[64]",
        "<tr><th scope=\"row\">target</th><td class=\"fact\">sm_90</td></tr>",
    ] {
        assert!(own.contains(part), "{part}\n{own}");
    }
    assert!(!own.contains(">date<"));
    assert!(page("", Some("86400")).contains(">date</th><td class=\"fact\">1970-01-02 00:00:00 UTC<"));
    assert!(page("", None).contains("<h2>Source: "));
}

/// Every launch of a host function has its waits and its timeline.
#[test]
fn a_page_has_a_timeline_for_each_launch() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.mlir"), include_str!("host.mlir")).unwrap();
    let page =
        page(folder.path(), "k.mlir --host twice --arg x:f32[100]=range --arg y:f32[100] --arg 3 --arg 2", 0);
    for part in [" ran to the end in 2 launches.", "timeline of launch 1\"", "timeline of launch 2\""] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert_eq!(page.matches("<h3>Who waited for whom</h3>").count(), 2);
}

/// One thread waits for a phase that nobody ends.
const STUCK: &str = r#"gpu.module @m {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  gpu.func @stuck(%out: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %b = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %two = llvm.mlir.constant(2 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %zero : i32
    cf.cond_br %first, ^go, ^end
  ^go:
    nvvm.mbarrier.init %b, %two : !llvm.ptr<3>, i32
    nvvm.mbarrier.arrive.expect_tx %b, %two : !llvm.ptr<3>, i32
    nvvm.mbarrier.try_wait.parity %b, %zero, %two : !llvm.ptr<3>, i32, i32
    cf.br ^end
  ^end:
    gpu.return
  }
}
"#;

#[test]
fn a_run_that_a_finding_ends_is_written_and_marked() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.mlir"), STUCK).unwrap();
    let trace = recorded(folder.path(), "k.mlir --grid 1 --arg o:i32[4]", "t.json", 1);
    let trace: Value = serde_json::from_slice(&trace).unwrap();
    assert_eq!(trace["otherData"]["interrupted"], "the run ended before its blocks did");
    let events = trace["traceEvents"].as_array().unwrap();
    let wait = events.iter().find(|event| event["cat"] == "wait").expect("the wait that never ends");
    assert_eq!((&wait["args"]["not over at the end"], &wait["args"]["lanes"]), (&1.into(), &1.into()));
    assert!(wait["name"].as_str().unwrap().contains("phase 0 of mbarrier at byte 0 of bar"), "{wait}");
}

#[test]
fn an_interrupt_writes_what_was_seen() {
    let folder = tempfile::tempdir().unwrap();
    let endless = "gpu.module @m {\n  gpu.func @k(%o: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {\n    \
        %one = llvm.mlir.constant(1 : i32) : i32\n    cf.br ^again\n  ^again:\n    \
        %a = llvm.atomicrmw add %o, %one monotonic : !llvm.ptr<1>, i32\n    cf.br ^again\n  }\n}\n";
    fs::write(folder.path().join("k.mlir"), endless).unwrap();
    let mut c = Command::new(env!("CARGO_BIN_EXE_cutec"));
    let arguments = "run k.mlir --grid 1 --arg o:i32[1] --trace t.json --budget 1000000000000";
    c.current_dir(folder.path())
        .args(arguments.split_whitespace())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let run = c.spawn().unwrap();
    std::thread::sleep(Duration::from_secs(5));
    assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "error: the run was interrupted\n");
    let trace: Value = serde_json::from_slice(&fs::read(folder.path().join("t.json")).unwrap()).unwrap();
    assert_eq!(trace["otherData"]["interrupted"], "the user stopped the run");
}

#[test]
fn what_cannot_be_written_is_said_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.mlir"), STUCK).unwrap();
    let run = "run k.mlir --grid 2,2 --arg o:i32[4]";
    let long = "--trace t.json --trace-blocks";
    for (options, error) in [
        (
            "--trace t.txt",
            "--trace t.txt: the name of a trace ends in .pftrace or .perfetto-trace for Perfetto, or in .json for Chrome",
        ),
        ("--trace no/t.json", "--trace no/t.json: its folder does not exist"),
        (
            "--trace-blocks 1",
            "--trace-blocks selects blocks for a timeline: give --trace FILE or --html FILE too",
        ),
        (
            &format!("{long} 4"),
            "--trace-blocks 4: there is no block 4: the grid [2, 2, 1] has the blocks 0 to 3",
        ),
        ("--out o=t.json --trace t.json", "--trace t.json: another --out writes this file"),
        ("--html t.json --trace t.json", "--html t.json: --trace t.json writes this file"),
        ("--html no/p.html", "--html no/p.html: its folder does not exist"),
        ("--html k.mlir", "--html k.mlir: it would overwrite the module"),
        (
            "--trace t.json --gpu",
            "--trace applies to the simulator, which does not run with --gpu; add --compare to run both",
        ),
    ] {
        let output = cutec(folder.path(), &format!("{run} {options}"));
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), text), (Some(1), format!("error: {error}\n")));
        assert!(output.stdout.is_empty() && !folder.path().join("t.json").exists());
    }
    let wrong = cutec(folder.path(), &format!("{run} {long} 3-1"));
    let text = String::from_utf8(wrong.stderr).unwrap();
    assert!(text.contains("the range 3-1 ends before it begins"), "{text}");
    fs::create_dir(folder.path().join("t.json")).unwrap();
    let unwritable = cutec(folder.path(), &format!("{run} --trace t.json"));
    let text = String::from_utf8(unwritable.stderr).unwrap();
    assert_eq!(
        (unwritable.status.code(), text.starts_with("error: cannot write 't.json'")),
        (Some(1), true),
        "{text}"
    );
}
