//! The promises of types are checked: by the command always, by the code if checks are enabled.

use super::run_in;

/// Tells how many tiles of 64 cover a view whose extent is promised to be a multiple.
const TILES: &str = r#"!m = !cute.memref<f32, gmem, align<ALIGN>, "(?EXTENT,4):(4STRIDE,1)">
gpu.module @m {
  gpu.func @tiles(%x: !m, %n: i32) kernel {
    gpu.return
  }
}
"#;

fn run(text: &str, arguments: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, err) = run_in(&folder, text, &format!("--grid 1 --block 1 {arguments}"));
    (code, if code == Some(1) && out.is_empty() { err } else { out })
}

fn tiles(align: u32, extent: &str) -> String {
    TILES.replace("ALIGN", &align.to_string()).replace("EXTENT", extent).replace("STRIDE", "")
}

#[test]
fn the_command_checks_extents_divisors_and_alignment() {
    let broken = |text: &str, arguments: &str, why: &str| {
        for checks in ["", "--runtime-checks"] {
            let (code, said) = run(text, &format!("{arguments} --arg 1 {checks}"));
            assert_eq!((code, said), (Some(1), format!("error: kernel 'tiles': parameter 'x': {why}\n")));
        }
    };
    let multiple = tiles(16, "{div=64}");
    let why = "the extent of mode 0 is 100, but its type promises a multiple of 64";
    broken(&multiple, "--arg f32[100x4]", why);
    broken(&multiple, "--arg f32[128x4] --arg 100", why);
    // A stronger type is checked for what the weaker one is.
    for extent in ["", "{div=64}", "{i64}", "{i64 div=64}"] {
        let zero = "the extent of mode 0 is 0, but its type promises at least 1";
        broken(&tiles(16, extent), "--arg f32[0x4]", zero);
        broken(&tiles(16, extent), "--arg f32[4x4] --arg -64", &zero.replace("is 0", "is -64"));
    }
    // Beyond the width of the leaf it is another number.
    broken(
        &tiles(16, ""),
        "--arg f32[4x4] --arg 4294967232",
        "the extent of mode 0 is -64, but its type promises at least 1",
    );
    broken(
        &tiles(512, ""),
        "--arg f32[4x4]",
        "the address is a multiple of 256, but its type promises a multiple of 512",
    );
    for good in ["--arg f32[128x4]", "--arg f32[128x4] --arg 128", "--arg null --arg 64"] {
        for checks in ["", "--runtime-checks"] {
            assert_eq!(run(&multiple, &format!("{good} --arg 1 {checks}")).0, Some(0), "{good} {checks}");
        }
    }
}

#[test]
fn lowered_code_checks_for_itself() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tiles.mlir"), tiles(16, "{div=64}")).unwrap();
    let lower = |options: &str| {
        let mut c = std::process::Command::new(env!("CARGO_BIN_EXE_cutec"));
        c.current_dir(&folder).args("tiles.mlir --target sm_90a --emit mlir".split(' '));
        let done = c.args(options.split_whitespace()).output().unwrap();
        String::from_utf8(done.stdout).unwrap()
    };
    // The lowered module knows no types that promise; only its own code can tell.
    let arguments = "--grid 1 --block 2 --arg f32[100x4] --arg 100 --arg 1";
    let (code, out, err) = run_in(&folder, &lower("--runtime-checks"), arguments);
    assert_eq!((code, err.as_str()), (Some(1), "error: kernel 'tiles' has 1 finding\n"));
    assert!(
        out.contains(
            "\nparameter 'x': the extent of mode 0 is 100, but its type promises a multiple of 64\n"
        ),
        "{out}"
    );
    let (code, _, err) = run_in(&folder, &lower(""), arguments);
    assert_eq!((code, err.as_str()), (Some(0), ""));
}

/// Loads the first element of a row.
const ROW: &str = r#"!m = !cute.memref<f32, gmem, align<16>, "(ROWS,4):(4,1)">
gpu.module @m attributes {cute.domain = "DOMAIN"} {
  gpu.func @row(%x: !m, %row: i32) kernel {
    %at = cute.make_coord(%row) : (i32) -> !cute.coord<"(?,0)">
    %0 = cute.memref.load(%x, %at) : (!m, !cute.coord<"(?,0)">) -> f32
    %first = cute.make_coord() : () -> !cute.coord<"(0,0)">
    cute.memref.store(%x, %first, %0) : (!m, !cute.coord<"(0,0)">, f32) -> ()
    gpu.return
  }
}
"#;

#[test]
fn offsets_past_32_bits_are_refused_computed_or_found() {
    let of = |rows: &str, domain: &str| {
        let text = ROW.replace("ROWS", rows).replace("DOMAIN", domain);
        let array = if rows == "?" { "f32[8x4]" } else { "null" };
        let (code, said) = run(&text, &format!("--arg {array} --arg 536870912"));
        assert_eq!(code, Some(1), "{said}");
        said
    };
    // Where the type has the bound, the offset has 64 bits, so that only the access is wrong.
    let refused = of("536870913", "strict");
    assert!(refused.contains("reaches 2147483648, which 32 bits do not hold"), "{refused}");
    let computed = of("536870913", "extend");
    assert!(!computed.contains("overflow"), "{computed}");
    for domain in ["strict", "extend"] {
        let found = of("?", domain);
        assert!(found.contains("i32 overflow of nsw mul: 536870912, 4"), "{found}");
    }
}
