//! `--cache`, and options that are passed on.

use super::{KERNEL, Place, Run, finish, ptxas::fake};
use std::{
    fs::{self, File, Permissions},
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::Command,
};

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

#[test]
fn a_result_that_depends_on_the_contents_of_a_file_is_not_kept() {
    let place = Place::with(KERNEL);
    fake(&place, RECORDING);
    fs::write(place.path("options"), "-maxrregcount=32").unwrap();
    let options = place.path("options").display().to_string();
    let warning =
        |option: &str| format!("warning: the cache is not used, because option '{option}' names a file\n");
    let line = "k.mlir --target sm_90a --emit cubin -o k.cubin --cache cache";
    for arguments in [
        format!("--ptxas=-optf --ptxas={options}"),
        format!("--ptxas=-optf={options}"),
        format!("--ptxas=--options-file={options}"),
        format!("--ptxas={options}"),
    ] {
        let before = place.record().len();
        for _ in 0..2 {
            let run = place.with_ptxas(&format!("{line} {arguments}"));
            let option = arguments.split_whitespace().next().unwrap().trim_start_matches("--ptxas=");
            assert!(run.err.starts_with(&warning(option)), "{}", run.err);
        }
        assert_eq!((place.record().len(), place.entries().len()), (before + 2, 0), "{arguments}");
    }
    // ptxas does not run, so its options do not count.
    let run = place.run(&format!("k.mlir --target sm_90a --cache cache -o k.ptx --ptxas=-optf={options}"));
    assert_eq!((run.code, run.err.as_str(), place.entries().len()), (Some(0), "", 1));
}

/// An entry may be code that is going to run.
#[test]
fn an_entry_that_others_may_have_written_is_not_read() {
    let place = Place::with(KERNEL);
    let line = "k.mlir --target sm_90a --cache cache";
    let ptx = place.good(line);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let [entry] = &place.entries()[..] else { panic!("one result is one entry") };
    assert_eq!((mode(&place.path("cache")), mode(entry)), (0o700, 0o600));
    let good = fs::read(entry).unwrap();
    let name = entry.strip_prefix(place.0.path()).unwrap().display();
    let ignored = |change: &dyn Fn(), why: &str| {
        fs::remove_file(entry).unwrap();
        change();
        let run = place.run(line);
        let warning = format!("warning: the entry '{name}' of the cache is not used: {why}\n");
        assert_eq!((run.code, run.out.as_str(), run.err), (Some(0), ptx.as_str(), warning));
        assert_eq!(fs::read(entry).unwrap(), good);
        assert_eq!(place.good(line), ptx);
    };
    ignored(
        &|| {
            fs::write(entry, &good).unwrap();
            fs::set_permissions(entry, Permissions::from_mode(0o622)).unwrap();
        },
        "other users can write to it",
    );
    let pipe = || assert!(Command::new("mkfifo").arg(entry).status().unwrap().success());
    ignored(&pipe, "it is not a regular file");
    let link = || {
        fs::write(place.path("moved"), &good).unwrap();
        symlink(place.path("moved"), entry).unwrap();
    };
    ignored(&link, "it is a link");
    let large = || File::create(entry).unwrap().set_len(1 << 40).unwrap();
    ignored(&large, "it has more than 1073741824 bytes");
    // The entry for another target, in the place of this one.
    place.good("k.mlir --target sm_80 --cache cache -o k.ptx");
    let others = place.entries();
    let other = others.iter().find(|other| *other != entry).unwrap();
    fs::copy(other, entry).unwrap();
    assert_eq!(place.good(line), ptx);

    fs::set_permissions(place.path("cache"), Permissions::from_mode(0o777)).unwrap();
    let error = place.bad(line);
    assert_eq!(error, "cannot use the cache 'cache': every user can write to it (mode 777); use 'chmod o-w'");
    fs::set_permissions(place.path("cache"), Permissions::from_mode(0o1777)).unwrap();
    assert_eq!(place.good(line), ptx);
}
