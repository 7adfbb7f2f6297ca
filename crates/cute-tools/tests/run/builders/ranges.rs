//! Each numeric option has a range, which the help shows and every builder enforces.

use std::process::Command;

use clap::Command as Clap;

use super::*;

/// Numbers that are in no range, or next to one.
const OUTSIDE: [i64; 12] = [
    i64::MIN,
    -(1 << 32),
    -16,
    -1,
    0,
    1 << 16 | 1,
    1 << 31,
    1 << 32,
    1 << 54,
    1 << 62,
    i64::MAX - 1,
    i64::MAX,
];

fn ranges_of<K: KernelBuilder>() {
    let command = K::augment_args(Clap::new(K::NAME).no_binary_name(true));
    let kernel = |arguments: &[String]| {
        K::from_arg_matches(&command.clone().try_get_matches_from(arguments).expect("options"))
            .expect("options")
    };
    let help = Command::new(env!("CARGO_BIN_EXE_cutec")).args(["build", K::NAME, "--help"]).output().unwrap();
    let help = text(&help.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    let numbers = K::default().numbers();
    for number in &numbers {
        let (option, range) = (number.option(), number.range);
        let found = help.split(&format!("{option} <")).nth(1).unwrap_or_else(|| panic!("{option}: {help}"));
        let shown = format!(": {} to {}", range.least, range.most);
        assert!(found.find(&shown).is_some_and(|at| !found[..at].contains("--")), "{option}: {help}");

        let neighbours = [range.least - 1, range.most + 1];
        let outside = OUTSIDE.iter().chain(&neighbours).filter(|value| !range.contains(**value));
        for value in outside {
            let why = kernel(&[format!("{option}={value}")]).check(None).map_err(|why| why.to_string());
            assert_eq!(why, Err(format!("{option} must be {range}, but is {value}")));
        }
        // The others may have any value, too: nothing is computed from them before.
        for value in OUTSIDE {
            let all: Vec<_> = numbers.iter().map(|number| format!("{}={value}", number.option())).collect();
            let first = numbers.iter().find(|number| !number.range.contains(value));
            if let Some(first) = first {
                let why = kernel(&all).check(None).unwrap_err().to_string();
                assert_eq!(why, format!("{} must be {}, but is {value}", first.option(), first.range));
            }
        }
    }
}

#[test]
fn numbers_outside_of_their_ranges_are_refused() {
    ranges_of::<GemmSimt>();
    ranges_of::<GemmSm80>();
    ranges_of::<GemmSm90>();
    ranges_of::<GemmSm100>();
    ranges_of::<GemmSm120>();
    ranges_of::<Layernorm>();
    ranges_of::<Quantize>();
    ranges_of::<Dequantize>();
}

/// The command line and the library give the same text, and nothing is written.
#[test]
fn a_number_outside_of_its_range_is_an_error_of_one_line() {
    let folder = tempfile::tempdir().unwrap();
    for (name, arguments, why) in [
        (
            "gemm_sm90",
            "--types e4m3 --promote 4294967296",
            "--promote must be between 1 and 65536, but is 4294967296",
        ),
        (
            "gemm_sm100",
            "--k-tile 18014398509481984",
            "--k-tile must be between 8 and 1024 and a multiple of 8, but is 18014398509481984",
        ),
        (
            "gemm_sm80",
            "--n-warps 4611686018427387904",
            "--n-warps must be between 1 and 16, but is 4611686018427387904",
        ),
        (
            "gemm_simt",
            "--m-tile 4611686018427387904",
            "--m-tile must be between 64 and 384 and a multiple of 64, but is 4611686018427387904",
        ),
    ] {
        let arguments: Vec<_> =
            arguments.split(' ').chain(["--target", "sm_90a", "-o", "k.ptx"]).map(String::from).collect();
        let built = build(&folder, name, &arguments);
        assert_eq!((built.status.code(), text(&built.stderr)), (Some(1), format!("error: {why}\n")));
        assert!(!folder.path().join("k.ptx").exists());
    }
}
