//! Mutants of PTX: which changes an instruction has, and that a changed file is still PTX.

use cute_assembler::module::{Reading, parse};
use cute_mutate::{
    Kind, apply_all,
    ptx::{mutants, with_fewer_arrivals},
    sample::order,
};
use std::{collections::BTreeSet, fs, path::Path};

/// A kernel with these statements, and registers for them.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.7 .target sm_90a .address_size 64\n.visible .entry k(.param .u64 p) {{\n\
         .reg .pred %p<4>; .reg .b16 %rs<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<4>; .shared .b64 s[64];\n\
         {body}\nret;\n}}"
    )
}

/// The changes of one instruction, and the statements in its place.
fn changes(statement: &str) -> Vec<(Kind, String, String)> {
    let text = kernel(statement);
    let lines = |text: &str| text.lines().nth(3).unwrap().to_owned();
    let all = mutants(&text, &[]).unwrap();
    all.iter().map(|m| (m.kind, m.change.clone(), lines(&m.apply(&text)))).collect()
}

/// The changes, as `kind: change: statement`.
fn shown(statement: &str) -> Vec<String> {
    let all = changes(statement).into_iter();
    all.map(|(kind, change, line)| format!("{}: {change}: {line}", kind.name())).collect()
}

#[test]
fn each_kind_of_change_is_made() {
    assert_eq!(shown("fence.proxy.async.shared::cta;"), ["fence: dropped: "]);
    assert_eq!(
        shown("cp.async.wait_group 1;"),
        [
            "wait: dropped: ",
            "wait: 1 becomes 2: cp.async.wait_group 2;",
            "wait: 1 becomes 0: cp.async.wait_group 0;"
        ]
    );
    assert_eq!(
        shown("mbarrier.try_wait.parity.shared.b64 %p1, [s], %r1;"),
        [
            "wait: dropped: setp.eq.u32 %p1, 0, 0;",
            "parity: parity: { .reg .b32 %mutant; xor.b32 %mutant, %r1, 1; mbarrier.try_wait.parity.shared.b64 %p1, \
             [s], %mutant; }"
        ]
    );
    assert_eq!(
        shown("mbarrier.init.shared.b64 [s], 4;"),
        [
            "count: dropped: ",
            "count: count + 1: mbarrier.init.shared.b64 [s], 5;",
            "count: count - 1: mbarrier.init.shared.b64 [s], 3;"
        ]
    );
    assert_eq!(shown("bar.sync %r1, 128;").len(), 4);
    assert_eq!(
        shown("@!%p1 st.shared.u32 [s+4], %r1;"),
        [
            "lane: not by lane 31: { .reg .pred %mutant; .reg .pred %mutant_guard; .reg .b32 %mutant_lane; mov.u32 \
             %mutant_lane, %laneid; setp.ne.u32 %mutant, %mutant_lane, 31; not.pred %mutant_guard, %p1; and.pred \
             %mutant, %mutant, %mutant_guard; @%mutant st.shared.u32 [s+4], %r1; }",
            "access: dropped: ",
            "offset: address + 4: @!%p1 st.shared.u32 [s+8], %r1;",
            "offset: address - 4: @!%p1 st.shared.u32 [s+0], %r1;",
            "predicate: without its predicate: st.shared.u32 [s+4], %r1;",
            "predicate: predicate negated: @%p1 st.shared.u32 [s+4], %r1;",
        ]
    );
    assert_eq!(
        shown("shfl.sync.bfly.b32 %r1, %r2, 16, 31, -1;"),
        [
            "lane: lane ^ 1: shfl.sync.bfly.b32 %r1, %r2, 17, 31, -1;",
            "lane: mask without lane 31: shfl.sync.bfly.b32 %r1, %r2, 16, 31, 0x7fffffff;"
        ]
    );
    assert_eq!(
        shown("elect.sync %r1|%p1, -1;"),
        ["lane: all lanes: setp.eq.u32 %p1, 0, 0; mov.u32 %r1, %laneid;"]
    );
    assert_eq!(
        shown("ld.acquire.gpu.global.b32 %r1, [%rd1];"),
        [
            "order: acquire becomes relaxed: ld.relaxed.gpu.global.b32 %r1, [%rd1];",
            "order: scope gpu becomes cta: ld.acquire.cta.global.b32 %r1, [%rd1];",
            "access: 0 in its place: mov.b32 %r1, 0;",
            "offset: address + 4: ld.acquire.gpu.global.b32 %r1, [%rd1+4];",
            "offset: address - 4: ld.acquire.gpu.global.b32 %r1, [%rd1+-4];"
        ]
    );
    assert_eq!(
        shown("setp.lt.s32 %p1, %r1, %r2;"),
        [
            "predicate: lt becomes le: setp.le.s32 %p1, %r1, %r2;",
            "predicate: without signs: setp.lt.u32 %p1, %r1, %r2;"
        ]
    );
    assert_eq!(
        shown("mad.lo.s32 %r1, %r2, %r3, %r4;"),
        [
            "offset: without its addend: mul.lo.s32 %r1, %r2, %r3;",
            "stride: factor + 1: { .reg .b32 %mutant; add.s32 %mutant, %r3, 1; mad.lo.s32 %r1, %r2, %mutant, %r4; }"
        ]
    );
    assert_eq!(shown("shl.b32 %r1, %r2, 3;").len(), 3);
    assert_eq!(shown("xor.b32 %r1, %r2, %r3;"), ["swizzle: left out: mov.b32 %r1, %r2;"]);
    assert_eq!(shown("mov.u32 %r1, %tid.x;"), ["offset: %tid.x becomes %laneid: mov.u32 %r1, %laneid;"]);
    assert_eq!(shown("or.b64 %rd1, %rd2, 4611686293305294848;").len(), 2);
    assert_eq!(
        shown("fma.rn.f32 %f1, %f1, %f2, %f3;"),
        ["arithmetic: without its addend: mul.rn.f32 %f1, %f1, %f2;"]
    );
    let multicast = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [s], \
                     [%rd1, {%r1, 0}], [s], %rs1;";
    let of_multicast: Vec<(Kind, String)> =
        changes(multicast).into_iter().map(|(k, change, _)| (k, change)).collect();
    let expected = [(Kind::Mask, "mask ^ 1"), (Kind::Mask, "mask ^ 2"), (Kind::Offset, "coordinate 0 + 1")];
    let expected =
        [&expected[..2], &[(Kind::Access, "dropped")], &expected[2..], &[(Kind::Offset, "coordinate 1 + 1")]]
            .concat();
    assert_eq!(
        of_multicast,
        expected.into_iter().map(|(k, change)| (k, change.to_owned())).collect::<Vec<_>>()
    );
    assert_eq!(shown("ld.param.u64 %rd1, [p];"), [] as [&str; 0]);
}

#[test]
fn several_changes_are_made_at_once() {
    let text = kernel(
        "mbarrier.init.shared.b64 [s], 4; bar.sync 0;\nmbarrier.init.shared.b64 [s+8], %r1; bar.sync 1;",
    );
    let mut all = with_fewer_arrivals(&text, &["k"], 3).unwrap();
    assert_eq!(all.iter().map(|own| own.change.as_str()).collect::<Vec<_>>(), ["4 becomes 1"]);
    assert!(with_fewer_arrivals(&text, &["k"], 4).unwrap().is_empty());
    all.extend(
        mutants(&text, &[])
            .unwrap()
            .into_iter()
            .filter(|own| own.op == "bar.sync" && own.change == "dropped"),
    );
    let lines = "mbarrier.init.shared.b64 [s], 1; \nmbarrier.init.shared.b64 [s+8], %r1; ";
    assert_eq!(apply_all(&all, &text), kernel(lines));
}

#[test]
fn only_the_named_kernels_are_changed_and_lines_of_sources_are_named() {
    let text = ".version 8.7 .target sm_90a .address_size 64\n.file 1 \"k.py\"\n.entry a() {\n.loc 1 7 3\nbar.sync 0;\n}\n\
                .entry b() {\nbar.sync 0;\n}";
    let named: Vec<String> =
        mutants(text, &["a"]).unwrap().iter().map(|m| m.within("k.ptx").to_string()).collect();
    assert_eq!(
        named,
        [
            "k.py:7: `bar.sync`: dropped (line 5 of the PTX)",
            "k.py:7: `bar.sync`: number + 1 (line 5 of the PTX)"
        ]
    );
    let all = mutants(text, &[]).unwrap();
    assert_eq!((all.len(), all[2].number), (4, 1));
    assert!(mutants(".version 8.7\n.target sm_90a\n.entry k() { bar", &[]).is_err());
}

fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        match entry.is_dir() {
            true => files(&entry, found),
            false if entry.extension().is_some_and(|e| e == "ptx") => found.push(entry),
            false => {}
        }
    }
}

/// Mutants of the kernels of other compilers are programs, but for a few that PTX has no form for.
#[test]
fn mutants_of_all_compilers_are_programs() {
    let mut all = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/foreign"), &mut all);
    all.sort();
    let (mut tried, mut refused, mut kinds) = (0, Vec::new(), BTreeSet::new());
    for (i, file) in all.iter().enumerate() {
        let text = fs::read_to_string(file).expect("a text");
        let own = mutants(&text, &[]).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
        kinds.extend(own.iter().map(|mutant| mutant.kind));
        let read =
            |text: &str| parse(text, Reading { file: "k.ptx", strict: true }).and_then(|file| file.program());
        if read(&text).is_err() {
            continue;
        }
        for at in order(&own.iter().collect::<Vec<_>>(), i as u64).into_iter().take(3) {
            let mutant = &own[at];
            let changed = mutant.apply(&text);
            assert_eq!(changed.lines().count(), text.lines().count(), "{mutant:?}");
            let read = read(&changed);
            tried += 1;
            refused.extend(read.err().map(|why| format!("{mutant:?}: {why}")));
        }
    }
    assert!(tried > 500, "{tried}");
    eprintln!("{}", refused.join("\n"));
    assert!(refused.len() * 50 < tried, "{} of {tried}:\n{}", refused.len(), refused.join("\n"));
    let missing: Vec<&Kind> = Kind::ALL.iter().filter(|kind| !kinds.contains(kind)).collect();
    assert!(missing.is_empty(), "no kernel has mutants of {missing:?}");
}
