//! `--cache`, and options that are passed on.

use super::{KERNEL, Place, Run, finish, ptxas::fake};
use std::fs;

/// A ptxas that keeps a record of its runs, reports a kernel, and writes an ELF file.
const RECORDING: &str = "[ \"$1\" = --version ] && exit; for out; do :; done; echo \"$@\" >>\"$LOG\"; \
                         echo \"ptxas info : Compiling entry function 'k' for 'sm_90a'\"; printf '\\177ELF' >\"$out\"";

impl Place {
    /// Runs with a ptxas that does what a script says.
    fn with_ptxas(&self, arguments: &str) -> Run {
        let mut c = self.command(arguments);
        c.env("CUTE_PTXAS", self.path("ptxas")).env("LOG", self.path("log"));
        let run = finish(c);
        assert_eq!(run.code, Some(0), "{arguments}: {}", run.err);
        run
    }

    /// The runs of ptxas so far.
    fn record(&self) -> Vec<String> {
        fs::read_to_string(self.path("log")).unwrap_or_default().lines().map(str::to_owned).collect()
    }

    /// The entries of the cache.
    fn entries(&self) -> Vec<std::path::PathBuf> {
        fs::read_dir(self.path("cache")).unwrap().map(|entry| entry.unwrap().path()).collect()
    }
}

#[test]
fn a_result_is_kept_until_something_changes() {
    let place = Place::with(KERNEL);
    fake(&place, RECORDING);
    let line = "k.mlir --target sm_90a --emit cubin -o k.cubin --cache cache";
    let first = place.with_ptxas(line);
    assert_eq!((place.record().len(), place.entries().len()), (1, 1));
    assert!(first.err.starts_with("k: 0 registers"), "{}", first.err);
    fs::remove_file(place.path("k.cubin.json")).unwrap();
    // The same says and writes the same, without ptxas.
    assert_eq!(place.with_ptxas(line).err, first.err);
    assert_eq!((place.record().len(), place.entries().len()), (1, 1));
    assert!(place.path("k.cubin.json").exists());

    for changed in [format!("{line} --ptxas=-maxrregcount=32"), line.replace("sm_90a", "sm_80")] {
        let before = place.record().len();
        place.with_ptxas(&changed);
        assert_eq!(place.record().len(), before + 1, "{changed}");
    }
    // Another ptxas.
    fake(&place, &format!("# new\n{RECORDING}"));
    place.with_ptxas(line);
    assert_eq!((place.record().len(), place.entries().len()), (4, 4));
}

#[test]
fn a_damaged_entry_is_compiled_again() {
    let place = Place::with(KERNEL);
    let line = "k.mlir --target sm_90a --cache cache";
    let ptx = place.good(line);
    assert!(ptx.contains(".entry k("), "{ptx}");
    let [entry] = &place.entries()[..] else { panic!("one result is one entry") };
    let good = fs::read(entry).unwrap();
    for bad in [&good[..good.len() / 2], b"", &[&good[..], b"x"].concat()] {
        fs::write(entry, bad).unwrap();
        assert_eq!(place.good(line), ptx);
        assert_eq!(fs::read(entry).unwrap(), good);
    }
    // A failure is not kept.
    fs::write(place.path("k.mlir"), KERNEL.replace("arith.cmpi slt, %t, %n", "arith.cmpi slt, %t, %l"))
        .unwrap();
    assert_eq!((place.run(line).code, place.entries().len()), (Some(1), 1));
}

#[test]
fn a_cache_that_cannot_be_used_is_an_error() {
    let place = Place::with(KERNEL);
    let error = place.bad("k.mlir --target sm_90a --cache k.mlir");
    assert_eq!(error, "cannot use the cache 'k.mlir': File exists");
}

#[test]
fn options_reach_ptxas_and_llvm() {
    let place = Place::with(KERNEL);
    fake(&place, RECORDING);
    place.with_ptxas(
        "k.mlir --target sm_90a --emit cubin -o k.cubin --ptxas=--warn-on-spills --ptxas -lineinfo",
    );
    let [run] = &place.record()[..] else { panic!("ptxas ran once") };
    assert!(run.starts_with("-v -O3 -arch=sm_90a --warn-on-spills -lineinfo kernel.ptx -o "), "{run}");

    // An option of LLVM's that is ours as well, and one that changes the code.
    let shift = "k.mlir --target sm_90a --llc --disable-lsr=false --llc";
    assert_ne!(place.good("k.mlir --target sm_90a"), place.good(&format!("{shift} --opt-bisect-limit=0")));
    let error = place.bad(&format!("{shift} --no-such-option"));
    assert!(
        error.starts_with(
            "'k.mlir': LLVM does not take its options: cute: Unknown command line argument '--no-such-option'"
        ),
        "{error}"
    );
}
