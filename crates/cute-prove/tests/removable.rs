//! Waits, arrivals, fences and barriers that could go: superfluous ones are found, and no others.

use cute_arch::Target;
use cute_launch::{
    Ptx,
    bind::{Arguments, Face, Given, NoFiles, Sms, Variables},
    job::{Grid, RequestedExtents},
    simulate::Checks,
};
use cute_prove::{Asked, Called, Removals, Text, question, removable};

/// The ring with a fence before a slot is released, as strict ISA needs it, and without the fence
/// of its barriers, which one block does not need.
fn ring() -> String {
    let text = include_str!("ring.ptx").replace("\tfence.mbarrier_init.release.cluster;\n", "");
    with(&text, "\tbar.warp.sync -1;\n", "\tfence.proxy.async.shared::cta;\n\tbar.warp.sync -1;\n")
}

/// A text with another one in the place of one that it has once.
fn with(text: &str, old: &str, new: &str) -> String {
    assert_eq!(text.matches(old).count(), 1, "{old}");
    text.replace(old, new)
}

fn asked<R>(text: &str, then: impl FnOnce(&Asked<'_>) -> R) -> R {
    let ptx = Ptx::read("ring.ptx", text, None).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let given = ["A:i32[{256*n}]=random(7)", "D:i32[32]", "{n}"].map(|text| Given::Text(text.to_owned()));
    let (block, shared, cluster, preferred_cluster) = (None, None, None, None);
    let grid = Grid::Extents([1; 3]);
    let extents = RequestedExtents { grid, block, shared, cluster, preferred_cluster, cooperative: false };
    let files = &NoFiles(|file| format!("'{file}' is not read"));
    then(&Asked {
        program: &ptx.program,
        manifest: &ptx.manifest,
        file: "ring.ptx",
        called: Called::Kernel { name: None, extents, hosts: &[] },
        target: Target::Sm90a,
        arguments: Arguments {
            given: &given,
            arrays: &[],
            variables: Variables::default(),
            memory: 1 << 30,
            sms: Sms(None),
            files,
            face: Face::CommandLine,
        },
        checks: Checks { strict_isa: true, ..Checks::default() },
    })
}

fn examined(text: &str, seconds: f64) -> Removals {
    let question = question(1, seconds, Face::CommandLine).unwrap();
    asked(text, |asked| removable(asked, Text { name: "ring.ptx", text, folder: None }, question).unwrap())
}

/// The instructions that could go, set by set.
fn found(all: &Removals) -> Vec<Vec<String>> {
    let op = |line: usize, op: &str| format!("{line} {op}");
    let sites = all.removable.iter().map(|own| &own.sites);
    sites.map(|sites| sites.iter().map(|site| op(site.line, &site.op)).collect()).collect()
}

fn line_of(text: &str, part: &str) -> usize {
    text.lines().position(|line| line.contains(part)).unwrap() + 1
}

#[test]
fn a_ring_needs_all_that_it_has() {
    let all = examined(&ring(), 200.0);
    assert_eq!(
        (found(&all).len(), all.undecided.len(), all.unexamined_kernel.as_deref()),
        (0, 0, None),
        "{all}"
    );
    // Two waits, one of them with its arrival, too, a fence and a barrier.
    assert_eq!(all.needed.len(), 5, "{all}");
    let reasons: Vec<&str> = all.unexamined.iter().map(|own| own.why.as_str()).collect();
    let lanes = "the proof assumes that the lanes of a warp go together";
    assert_eq!(reasons, ["bytes or other work arrive with it", lanes]);
}

#[test]
fn what_is_superfluous_is_found() {
    let text = with(&ring(), "\tbar.sync 0;\n", "\tbar.sync 0;\n\tfence.proxy.async.shared::cta; // first\n");
    let text = with(&text, "END:\n", "END:\n\tbar.sync 0; // last\n");
    let all = examined(&text, 200.0);
    let fence = format!("{} fence.proxy.async.shared::cta", line_of(&text, "// first"));
    let barrier = format!("{} bar.sync", line_of(&text, "// last"));
    assert_eq!(found(&all), [[fence], [barrier]], "{all}");
    assert_eq!((all.together.len(), all.needed.len()), (2, 5), "{all}");
    assert!(
        all.to_string()
            .contains("2 of 7 could go: with this launch, ring is proved without it for every n from 1"),
        "{all}"
    );
    // Without both, nothing is left to find.
    assert!(all.text.contains("// first") && !all.text.contains("cta; // first"));
    assert!(found(&examined(&all.text, 200.0)).is_empty());
}

#[test]
fn an_arrival_goes_with_its_count() {
    // Each slot is released twice.
    let arrives = "\tmbarrier.arrive.shared.b64 _, [%r24];\n";
    let mut text = with(&ring(), arrives, &format!("{arrives}{arrives}"));
    for offset in ["", "+8", "+16", "+24"] {
        text = with(&text, &format!("[%r5{offset}], 1;"), &format!("[%r5{offset}], 2;"));
    }
    let all = examined(&text, 200.0);
    assert_eq!(found(&all).len(), 2, "{all}");
    assert!(found(&all).concat().iter().all(|own| own.ends_with("mbarrier.arrive.shared.b64")), "{all}");
    // One of the two.
    assert_eq!(all.together.len(), 1, "{all}");
    assert!(all.text.contains("[%r5+24], 1;") && all.text.matches(arrives.trim()).count() == 1);
    assert!(all.to_string().contains("Together: not all of them, but these\n"), "{all}");
}

#[test]
fn a_kernel_that_is_not_proved_is_not_examined() {
    for (text, seconds, why) in [
        (include_str!("ring.ptx").to_owned(), 60.0, "it is not proved under strict ISA, but counterexample"),
        (ring(), 0.0, "it is not proved under strict ISA, but not decided"),
    ] {
        let all = examined(&text, seconds);
        assert_eq!(all.unexamined_kernel.as_deref(), Some(why));
        assert!(found(&all).is_empty() && all.needed.is_empty());
        assert_eq!(all.to_string(), format!("not examined: {why}\n"));
    }
}
