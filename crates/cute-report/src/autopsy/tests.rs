//! Words of hangs beside the kernels that hang.

use super::*;

/// The text of a file of the repository.
fn text(file: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
    std::fs::read_to_string(format!("{root}{file}")).expect("a file")
}

fn told(text: &str, kernel: Option<&str>, at: Option<(&str, u64)>, words: &str) -> Result<String, Error> {
    Autopsy { file: "late_warp.ptx", text, kernel, words, at, folder: None }.write()
}

#[test]
fn a_hang_names_the_waits_and_the_arrivals_with_their_lines() {
    let text = text("examples/bugs/late_warp.ptx");
    // The one arrival of a phase with an even number has not come.
    let all = told(&text, Some("late_warp<false>"), Some(("full", 0)), "0x400:\t0x7ffff800001ffffe")
        .expect("words");
    for part in [
        "late_warp<false> for sm_90a\n\n0x7ffff800001ffffe at byte 0 of late_warp<false>::full\n",
        "  phase:        not complete, of parity 0\n  arrivals:     0 of 1 in this phase; missing: 1\n  transactions: none are pending\n",
        "nobody has arrived in this phase; a wait for parity 0 hangs until then, and one for parity 1 passes",
        "inlined at examples/bugs/late_warp.cu:24:5 (late_warp.ptx:77): mbarrier.try_wait.parity.shared::cta.b64",
        "(late_warp.ptx:51): mbarrier.arrive.expect_tx.shared::cta.b64",
    ] {
        assert!(all.contains(part), "{part}\n{all}");
    }
    assert!(!all.contains("bring bytes") && !all.contains("does not tell"), "{all}");
    // All threads have arrived, and bytes are missing.
    let early = told(&text, Some("late_warp<false>"), None, "0x80000000201ffffe").expect("words");
    for part in [
        "of parity 1",
        "some are pending (bits 21 to 42 are 0x100); no public source tells how they count bytes",
        "all threads have arrived, and bytes are missing",
        "bring bytes:\n    ",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes, at late_warp<false>::full",
    ] {
        assert!(early.contains(part), "{part}\n{early}");
    }
}

#[test]
fn what_is_asked_for_in_vain_is_said() {
    let text = text("examples/bugs/late_warp.ptx");
    let fails = |kernel, at, words| told(&text, kernel, at, words).expect_err("a mistake").to_string();
    assert!(
        fails(None, None, "0x7ffff800001ffffe").contains("name one of late_warp<false>, late_warp<true>")
    );
    assert!(fails(Some("late"), None, "0x7ffff800001ffffe").contains("no kernel 'late'"));
    assert!(
        fails(Some("late_warp<true>"), Some(("empty", 0)), "0x7ffff800001ffffe")
            .contains("there are: late_warp<true>::full")
    );
    assert!(fails(None, None, "hello").contains("has no word of an mbarrier"));
    let other = told(&text, Some("late_warp<true>"), None, "0x0000000000000000").expect("words");
    assert!(other.contains("is not an initialised mbarrier"), "{other}");
    for other in ["", "// PTX?", "__global__ void k() {}"] {
        let why = told(other, None, None, "0x7ffff800001ffffe").expect_err("no PTX").to_string();
        assert!(why.starts_with("'late_warp.ptx' is not PTX, which begins with `.version`"), "{why}");
    }
    let plain = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n";
    assert!(
        told(plain, None, None, "0x7ffff800001ffffe").expect_err("none").to_string().contains("no kernel of")
    );
}

/// A ring of stages, whose address is an index times 8: its byte is not known.
#[test]
fn an_address_with_an_index_is_some_byte_of_its_variable() {
    let ring = ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u32 n) {\n  .reg .b32 %r<9>; .reg .b64 %d<3>; .reg .pred %p<2>;\n  \
        .shared .align 8 .b8 full[32];\n  .shared .align 8 .b8 empty[32];\n  mov.u32 %r1, %tid.x;\n  shl.b32 %r2, %r1, 3;\n  mov.u32 %r3, full;\n  \
        add.s32 %r4, %r3, %r2;\n  add.s32 %r5, %r3, 8;\n  mbarrier.init.shared.b64 [%r4], 2;\n  mbarrier.arrive.shared.b64 %d1, [%r5+8];\n  \
        mbarrier.try_wait.parity.shared.b64 %p1, [empty+8], 1;\n  ret;\n}\n";
    let at = |variable, byte| {
        Autopsy {
            file: "k.ptx",
            text: ring,
            kernel: None,
            words: "0x7ffff800001ffffc",
            at: Some((variable, byte)),
            folder: None,
        }
        .write()
        .expect("words")
    };
    let (first, third, empty) = (at("full", 0), at("full", 16), at("empty", 8));
    assert!(
        !first.contains("mbarrier.arrive") && third.contains("k.ptx:14: mbarrier.arrive.shared.b64"),
        "{first}{third}"
    );
    assert!(third.contains("1 of the 2 arrivals are missing"), "{third}");
    assert!(empty.contains("k.ptx:15: mbarrier.try_wait.parity.shared.b64, parity 1"), "{empty}");
    assert!(first.contains("no instruction of the text waits for it"), "{first}");
}

/// An address that an instruction in a loop moves on is some byte of its variable, however long the
/// text is.
#[test]
fn a_long_text_is_read_in_time_and_told_briefly() {
    let steps = "  add.s32 %r1, %r1, 8;\n".repeat(30_000);
    let text = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {{\n  .reg .b32 %r<4>; .shared .align 8 .b64 bar;\n  \
         mov.u32 %r1, bar;\n{steps}  mbarrier.init.shared.b64 [%r1], 1;\n  ret;\n}}\n"
    );
    let dump = "0x7ffff800001ffffe\n".repeat(40_000);
    let all = told(&text, None, None, &dump).expect("words");
    assert_eq!(
        all.matches("\n0x7ffff800001ffffe\n").count(),
        1 << 15,
        "those of the shared memory of a block"
    );
    assert!(all.contains("mbarrier.init.shared.b64, at some byte of bar\n"), "{}", &all[..900]);
}
