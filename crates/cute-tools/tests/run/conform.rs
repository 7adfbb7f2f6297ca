//! The runs of each proved kernel are runs of the model that proves it: at three sizes, under eight
//! schedules, instruction by instruction and lane by lane.

use super::{
    foreign_proofs::cases,
    mutants::{AMPERE, KERNELS, host},
};
use crate::full;
use clap::Parser;
use cute_prove::Conformance;
use cute_sim::Schedule;
use cute_tools::prove::{cli::Cli, conforms};
use std::{ffi::OsString, fs, path::Path};

/// The command line of `cutec prove`.
#[derive(Debug, Parser)]
struct Words {
    #[command(flatten)]
    cli: Cli,
}

/// Compares the runs of `cutec prove FILE ARGUMENTS` at these sizes.
fn compared<W: Into<OsString>>(
    file: &Path,
    arguments: impl IntoIterator<Item = W>,
    sizes: &[i64],
) -> Conformance {
    let words = ["prove".into(), file.as_os_str().to_owned()];
    let words = words.into_iter().chain(arguments.into_iter().map(Into::into));
    let cli = Words::try_parse_from(words).unwrap_or_else(|why| panic!("{why}")).cli;
    let schedules: Vec<Schedule> = Schedule::sample(8).collect();
    let own = conforms(&cli, sizes, &schedules).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
    let own = own.unwrap_or_else(|why| panic!("{}: {why}", file.display()));
    println!("{}: {} reached; not reached: {:?}", file.display(), own.reached, own.unreached);
    own
}

/// For each kernel, other arguments than those of its mutants; the waits, arrivals, fences and
/// copies that the runs reach, and the number of those that they do not.
const BUILT: [(&str, &str, usize, usize); 7] = [
    ("ampere", "", 56, 0),
    (
        "hopper",
        "--target sm_90a --arg A:f16[256x{64*n}] --arg B:f16[64x{64*n}] --arg D:f16[256x64] --arg blocks:i32=2",
        27,
        0,
    ),
    // One tile for the first consumer: nobody hands over.
    (
        "hopper ping-pong",
        "--target sm_90a --arg A:f16[64x{64*n}] --arg B:f16[128x{64*n}] --arg C:f16[64x128] --arg D:f16[64x128] \
         --arg bias:f32[128] --arg beta:f32=-3 --arg blocks:i32=2",
        35,
        2,
    ),
    ("hopper promoted", "", 31, 0),
    ("blackwell", "", 45, 0),
    ("blackwell pair", "", 49, 0),
    ("blackwell mma.sync", "", 28, 0),
];

#[test]
fn runs_of_proved_kernels_are_runs_of_the_model() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, arguments, reached, unreached) in BUILT {
        let kernel = KERNELS.iter().chain([&AMPERE]).find(|kernel| kernel.name == name);
        let kernel = kernel.expect("a kernel of the mutants");
        let file = folder.path().join(format!("{}.mlir", kernel.name.replace(' ', "_")));
        fs::write(&file, kernel.text()).expect("the folder is writable");
        let arguments = if arguments.is_empty() { kernel.prove } else { arguments };
        // Loops that go on in steps of four K tiles begin to repeat themselves later.
        let sizes = if kernel.name == "ampere" { [3, 7, 24] } else { [1, 2, 12] };
        let own = compared(
            &file,
            format!("--through ptx {} {arguments}", host(arguments)).split_whitespace(),
            &sizes,
        );
        let compared = (&own.of_all[..], own.reached, own.unreached.len());
        assert_eq!(compared, (&sizes[2..], reached, unreached), "{name}: {own:?}");
    }
}

#[test]
fn runs_of_triton_kernels_are_runs_of_the_model() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/foreign/triton/product_f16.sm_90.ptx");
    let launch = "--target sm_90a --grid 2,2 --shared 24576 --arg a:f16[96x{32*n}] --arg b:f16[{32*n}x80] --arg c:f16[96x80] --arg 96 --arg 80 \
                  --arg {32*n} --arg null --arg null";
    let own = compared(&file, launch.split_whitespace(), &[1, 2, 12]);
    assert_eq!((own.of_all, own.unreached), (vec![12], vec![]));
    assert_eq!(own.reached, 29);
}

#[test]
fn runs_of_kernels_of_others_are_runs_of_the_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("k.ptx");
    for (index, case) in cases().iter().enumerate() {
        let wanted = &case.conforms;
        if full::shard().map_or(!wanted.sample, |shard| !shard.has(index)) {
            continue;
        }
        fs::write(&file, case.text()).expect("the folder is writable");
        let own = compared(&file, case.words(), &wanted.sizes);
        let of_all: Vec<i64> = wanted.sizes.iter().copied().filter(|n| *n >= wanted.of_all).collect();
        // Places are `FILE:LINE: OP`, or `SOURCE (FILE:LINE): OP`.
        let line = |place: &String| {
            let behind = place.split_once("k.ptx:")?.1;
            behind.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
        };
        let unreached: Vec<usize> = own.unreached.iter().map(|own| line(own).expect("a line")).collect();
        let compared = (own.of_all, own.reached, &unreached);
        assert_eq!(compared, (of_all, wanted.reached, &wanted.unreached), "{}", case.name);
    }
}
