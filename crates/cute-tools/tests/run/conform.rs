//! The runs of each proved kernel are runs of the model that proves it: at three sizes, under eight
//! schedules, instruction by instruction and lane by lane.

use super::mutants::{AMPERE, KERNELS, host};
use clap::Parser;
use cute_prove::Conformance;
use cute_sim::Schedule;
use cute_tools::prove::{cli::Cli, conforms};
use std::{fs, path::Path};

/// The command line of `cutec prove`.
#[derive(Debug, Parser)]
struct Words {
    #[command(flatten)]
    cli: Cli,
}

/// Compares the runs of `cutec prove FILE ARGUMENTS` at these sizes.
fn compared(file: &Path, arguments: &str, sizes: &[i64]) -> Conformance {
    let words = ["prove".into(), file.as_os_str().to_owned()];
    let words = words.into_iter().chain(arguments.split_whitespace().map(Into::into));
    let cli = Words::try_parse_from(words).unwrap_or_else(|why| panic!("{why}")).cli;
    let schedules: Vec<Schedule> = Schedule::sample(8).collect();
    let own = conforms(&cli, sizes, &schedules).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
    println!("{}: {} reached; not reached: {:?}", file.display(), own.reached, own.unreached);
    own
}

/// For each kernel, the waits, arrivals, fences and copies that the runs reach, and those that they do
/// not.
const BUILT: [(&str, usize, usize); 7] = [
    ("ampere", 0, 0),
    ("hopper", 27, 0),
    // One tile for the first consumer only: nobody hands over.
    ("hopper ping-pong", 35, 2),
    ("hopper promoted", 31, 0),
    ("blackwell", 45, 0),
    ("blackwell pair", 49, 0),
    ("blackwell mma.sync", 28, 0),
];

#[test]
fn runs_of_proved_kernels_are_runs_of_the_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut wrong = Vec::new();
    for (name, reached, unreached) in BUILT {
        let kernel = KERNELS
            .iter()
            .chain([&AMPERE])
            .find(|kernel| kernel.name == name)
            .expect("a kernel of the mutants");
        let file = folder.path().join(format!("{}.mlir", kernel.name.replace(' ', "_")));
        fs::write(&file, kernel.text()).expect("the folder is writable");
        let own =
            compared(&file, &format!("--through ptx {} {}", host(kernel.prove), kernel.prove), &[1, 12, 13]);
        if (&own.of_all[..], own.reached, own.unreached.len()) != (&[12, 13], reached, unreached) {
            wrong.push(format!("{name}: {own:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn runs_of_triton_kernels_are_runs_of_the_model() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/foreign/triton/product_f16.sm_90.ptx");
    let launch = "--target sm_90a --grid 2,2 --shared 24576 --arg a:f16[96x{32*n}] --arg b:f16[{32*n}x80] --arg c:f16[96x80] --arg 96 --arg 80 \
                  --arg {32*n} --arg null --arg null";
    let own = compared(&file, launch, &[1, 12, 13]);
    assert_eq!((own.of_all, own.unreached), (vec![12, 13], vec![]));
    assert_eq!(own.reached, 29);
}
