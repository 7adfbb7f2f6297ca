//! `cutec autopsy`, and what ptxas tells of the bits of mbarriers.

use super::Place;
use cute_arch::{Target, mbarrier::MbarrierForm};
use cute_driver::{ptxas, sass};
use std::{fs, io::Write, process::Stdio};

/// The PTX of a public bug, whose second warp waits for a phase that has passed.
const LATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/bugs/late_warp.ptx");

#[test]
fn words_of_a_debugger_are_read_beside_the_kernel() {
    let place = Place::with("");
    let run = place.run(&format!("autopsy {LATE} --kernel late_warp<false> --at full 0x7ffff800001ffffe"));
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    for part in [
        "0x7ffff800001ffffe at byte 0 of late_warp<false>::full\n",
        "  arrivals:     0 of 1 have come, 1 are missing\n",
        "late_warp.ptx:77): mbarrier.try_wait.parity.shared::cta.b64",
        "late_warp.ptx:51): mbarrier.arrive.expect_tx.shared::cta.b64",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    let mut command = place.command("");
    command.args(["autopsy", LATE, "--kernel", "late_warp<true>", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"(cuda-gdb) x/4wx 0x400\n0x400:\t0x001ffffe 0x7ffff800\t0x00000000 0x00000000\n")
        .unwrap();
    let out = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(out.contains("\n0x7ffff800001ffffe\n"), "{out}");
    for (arguments, error) in [
        (
            "--at full+x 0x7ffff800001ffffe",
            "error: --at full+x: write VARIABLE or VARIABLE+BYTE, as in full+16\n",
        ),
        (
            "--at empty 0x7ffff800001ffffe",
            "error: the kernel has no mbarrier in a variable 'empty'; there are: late_warp<true>::full\n",
        ),
        (
            "0x11112222333344445",
            "error: '0x11112222333344445' has more than 64 bits: an mbarrier is one word of 8 bytes\n",
        ),
    ] {
        let run = place.run(&format!("autopsy {LATE} --kernel late_warp<true> {arguments}"));
        assert_eq!((run.code, run.err.as_str(), run.out.as_str()), (Some(1), error, ""));
    }
}

/// The machine code that initialises a barrier with 3, and computes how many arrivals are pending
/// in its state.
fn code(target: Target) -> Option<String> {
    let text = format!(
        ".version 8.7\n.target {}\n.address_size 64\n.visible .entry k(.param .u64 o) {{\n  .reg .b32 %r<3>; .reg .b64 %d<3>;\n  \
         .shared .align 8 .b64 bar;\n  ld.param.u64 %d1, [o];\n  mbarrier.init.shared.b64 [bar], 3;\n  \
         mbarrier.arrive.shared.b64 %d2, [bar];\n  mbarrier.pending_count.b64 %r1, %d2;\n  st.global.u32 [%d1], %r1;\n  ret;\n}}\n",
        target.name()
    );
    let place = Place::with("");
    let cubin = ptxas::assemble(&text, target, false, ptxas::LIMIT).ok()?.cubin;
    let file = place.0.path().join("k.cubin");
    fs::write(&file, cubin).ok()?;
    let tool = sass::find().ok()?;
    let output = std::process::Command::new(tool).arg("-c").arg(&file).output().ok()?;
    String::from_utf8(output.stdout).ok()
}

/// The table of `cute_arch::mbarrier` is what ptxas does with these bits.
#[test]
fn the_bits_are_those_of_the_code_that_ptxas_makes() {
    for target in [Target::Sm80, Target::Sm89, Target::Sm90, Target::Sm100a, Target::Sm120a] {
        let Some(code) = code(target) else { continue };
        let has = |parts: &[&str]| parts.iter().all(|part| code.contains(part));
        match MbarrierForm::of(target) {
            // `init` stores two constants; `pending_count` is 2^31 less 31 bits of the high word.
            MbarrierForm::Counts => {
                assert_eq!(MbarrierForm::Counts.initial(3), 0x7fff_fffd_3fff_fffd);
                assert!(has(&["0x3ffffffd", "0x7ffffffd", "0x7fffffff"]), "{target}: {code}");
            }
            // Both are 2^20 less a count, shifted by 1 in the low word and by 11 in the high one.
            MbarrierForm::Transactions => {
                assert!(has(&["0x100000", "0xb", "0x1", "0xfffff", "SYNCS.EXCH.64"]), "{target}: {code}");
            }
        }
    }
}
