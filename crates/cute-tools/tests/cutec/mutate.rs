//! `cutec mutate`: tests that are asked about mistakes in their kernels.

use std::{fs, os::unix::fs::PermissionsExt};

use serde_json::Value;

use super::{Place, json};

/// y = 2 x, through shared memory, with a part that only 64 threads and more execute.
const TWICE: &str = ".version 8.7
.target sm_90a
.address_size 64
.visible .entry twice(.param .u64 .ptr .global px, .param .u64 .ptr .global py, .param .u32 n)
{
  .reg .b64 %rd<5>; .reg .b32 %r<8>; .reg .f32 %f<3>; .reg .pred %p<3>;
  .shared .align 4 .b8 tile[512];
  ld.param.u64 %rd1, [px]; ld.param.u64 %rd2, [py]; ld.param.u32 %r7, [n];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd1, %rd1, %rd3;
  add.s64 %rd2, %rd2, %rd3;
  ld.global.f32 %f1, [%rd1];
  shl.b32 %r2, %r1, 2;
  mov.u32 %r3, tile;
  add.s32 %r4, %r3, %r2;
  st.shared.f32 [%r4], %f1;
  bar.sync 0;
  xor.b32 %r5, %r4, 4;
  ld.shared.f32 %f2, [%r5];
  setp.lt.u32 %p1, %r7, 64;
  @%p1 bra SHORT;
  st.shared.f32 [tile], %f2;
SHORT:
  add.f32 %f2, %f2, %f2;
  st.global.f32 [%rd2], %f2;
  ret;
}
";
const RUN: &str = "--grid 1 --block 32 --arg x:f32[32]=random(1) --arg y:f32[32] --arg i32=32";

fn place() -> Place {
    let place = Place::with("");
    fs::write(place.path("k.ptx"), TWICE).unwrap();
    place
}

/// The mutants whose values are these, as text.
fn with_values(score: &Value, values: &str) -> Vec<String> {
    let all = score["judged"].as_array().unwrap().iter();
    all.filter(|one| one["values"] == values).map(|one| one["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_run_is_asked_and_each_mutant_is_judged() {
    let place = place();
    let score = json(&place.good(&format!("mutate k.ptx {RUN} --mutants all --report json")));
    let [tried, available, values] =
        ["mutants", "available", "values"].map(|name| score[name].as_u64().unwrap());
    assert!(tried > 25 && tried <= available && values > 8, "{tried} of {available}, {values}");
    let of = |values| with_values(&score, values);
    assert!(of("noticed").contains(&"k.ptx:25: `add.f32`: add becomes sub".to_owned()), "{score:#}");
    // The values of a race are those of one order, which is right here.
    assert!(of("equal").contains(&"k.ptx:18: `bar.sync`: dropped: race".to_owned()), "{score:#}");
    assert!(of("unreached").contains(&"k.ptx:23: `st.shared.f32`: dropped".to_owned()), "{score:#}");
    assert_eq!([of("hidden"), of("tolerated")], [vec![], vec![] as Vec<String>]);
    let text = place.good(&format!("mutate k.ptx {RUN} --mutants all"));
    assert!(text.contains("not noticed, because the test does not execute the instruction"), "{text}");
    assert!(text.contains("\nbarrier "), "{text}");
}

#[test]
fn a_weak_run_is_shown_to_be_weak() {
    let place = place();
    let zeros = RUN.replace("=random(1)", "");
    let score = json(&place.good(&format!("mutate k.ptx {zeros} --mutants all --report json")));
    let hidden = with_values(&score, "hidden");
    assert!(hidden.contains(&"k.ptx:25: `add.f32`: add becomes sub".to_owned()), "{hidden:?}");
    let score = json(&place.good(&format!("mutate k.ptx {RUN} --tolerance 100 --mutants all --report json")));
    let tolerated = with_values(&score, "tolerated");
    assert!(tolerated.contains(&"k.ptx:25: `add.f32`: add becomes sub".to_owned()), "{tolerated:?}");
    let text = place.bad_after(&format!("mutate k.ptx {RUN} --tolerance 100 --mutants all --least 50"));
    assert!(text.ends_with("of the mutants whose values are known, but --least asks for 50 %"), "{text}");
}

#[test]
fn a_seed_and_kinds_choose_mutants_which_are_listed_and_saved() {
    let place = place();
    let lines = |arguments: &str| place.good(&format!("mutate k.ptx --list {arguments}")).lines().count();
    assert!(lines("") > 30);
    assert_eq!(lines("--change barrier"), 2);
    assert_eq!(lines("--change barrier,swizzle --kernel twice"), 3);
    place.good("mutate k.ptx --save mutants --list --change barrier");
    let saved = fs::read_to_string(place.path("mutants/0000-barrier-line-18.ptx")).unwrap();
    assert_eq!(saved, TWICE.replace("bar.sync 0;", ""));
    let judged = |seed: u32| {
        let all = place.good(&format!("mutate k.ptx {RUN} --mutants 5 --seed {seed} --report json"));
        json(&all)["judged"].clone()
    };
    assert_eq!(judged(1), judged(1));
    assert_ne!(judged(1), judged(2));
    let left = json(&place.good(&format!("mutate k.ptx {RUN} --time 0 --report json")));
    assert_eq!(left["mutants"], 0);
    assert!(left["left"].as_u64().unwrap() > 20, "{left}");
}

#[test]
fn a_command_is_asked() {
    let place = place();
    place.good(&format!("run k.ptx {RUN} --out y=right.npy"));
    let script = |name: &str, text: &str| {
        fs::write(place.path(name), format!("#!/bin/sh\nset -e\n{text}\n")).unwrap();
        fs::set_permissions(place.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    };
    let arguments = RUN.replace("x:f32[32]=random(1)", "'x:f32[32]=random(1)'");
    let run = format!("{} run k.ptx {arguments} --out y=y.npy >run.txt", env!("CARGO_BIN_EXE_cutec"));
    script("good", &format!("{run}\ncmp y.npy right.npy"));
    script("weak", &run);
    script("racy", &run.replace("k.ptx", "racy.ptx"));
    fs::write(place.path("racy.ptx"), TWICE.replace("bar.sync 0;", "")).unwrap();
    let score = |name: &str| {
        json(&place.good(&format!(
            "mutate --report json --mutants 12 --change access,arithmetic,barrier -- ./{name}"
        )))
    };
    let (good, weak) = (score("good"), score("weak"));
    assert!(good["score"].as_u64().unwrap() >= 60, "{good:#}");
    assert_eq!(weak["score"], 0, "{weak:#}");
    assert!(with_values(&weak, "tolerated").len() > 3, "{weak:#}");
    // Both see what the simulator finds.
    assert_eq!(good["findings"], weak["findings"]);
    let error = |arguments: &str| {
        let run = place.run(&format!("mutate {arguments}"));
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{arguments}");
        run.err.lines().last().unwrap().to_owned()
    };
    assert_eq!(
        error("-- ./racy"),
        "error: the kernel itself has findings (race); they must be repaired or accepted first"
    );
    let fails = error("-- cmp k.ptx racy.ptx");
    assert!(fails.starts_with("error: the test fails without a mutant"), "{fails}");
    let none = error("-- true");
    assert!(none.starts_with("error: the test runs no kernel in the simulator whose PTX is known"), "{none}");
    let absent = error("-- ./absent");
    assert!(absent.starts_with("error: cannot start './absent': "), "{absent}");
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let place = place();
    let errors = [
        (
            "mutate --list",
            "cutec mutate needs a run, as in cutec mutate k.ptx --grid 1 .., or a command behind --",
        ),
        (
            "mutate k.ptx -- true",
            "FILE and a command are two tests: leave out FILE, and the mutants are those of the",
        ),
        ("mutate k.ptx --list --of ir", "--of ir changes cute IR, but 'k.ptx' is PTX"),
        ("mutate k.ptx --list --change mask", "there is no mutant of these kinds"),
        ("mutate k.ptx --list --kernel other", "there is no kernel 'other'; the kernels are twice"),
        ("mutate k.ptx --grid 1 --gpu", "--gpu has no use in cutec mutate"),
        (
            "mutate k.ptx --grid 1 --report sarif",
            "--report sarif is not supported by cutec mutate: text and json are",
        ),
        ("mutate k.ptx --grid 1 --mutants 0", "invalid value '0' for '--mutants <N>'"),
        ("mutate k.ptx --grid 1 --block 32", "kernel 'twice' has 3 parameters"),
    ];
    for (arguments, expected) in errors {
        let error = place.bad(arguments);
        assert!(error.starts_with(expected), "{arguments}: {error}");
    }
}

impl Place {
    /// Fails after a report, and returns the error.
    fn bad_after(&self, arguments: &str) -> String {
        let run = self.run(arguments);
        assert_eq!(run.code, Some(1), "{arguments}: {}", run.err);
        assert!(run.out.contains(" notice "), "{arguments}: {}", run.out);
        run.err.trim_end().to_owned()
    }
}
