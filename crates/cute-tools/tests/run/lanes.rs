//! Lanes of D that `tcgen05.mma` does not write, which the run-time state of its atom names.

use super::run_in;

const UMMA: &str = include_str!("../../../../examples/blackwell/umma.mlir");

/// The example with a mask of lanes; each word is for 32 of them.
fn masked(words: [i32; 4]) -> String {
    let constants: String =
        words.iter().enumerate().map(|(i, n)| format!("%w{i} = arith.constant {n} : i32\n")).collect();
    let edits = [
        ("frag_kind = ss, c_scale_exp = 0>", "frag_kind = ss, c_scale_exp = 0, disable_output_lane = true>"),
        (
            "%atom = cute.make_atom(%false, %false, %false) : (i1, i1, i1) -> !atom",
            &format!(
                "{constants}%lanes = vector.from_elements %w0, %w1, %w2, %w3 : vector<4xi32>\n\
                 %atom = cute.make_atom(%false, %false, %false, %lanes) : (i1, i1, i1, vector<4xi32>) -> !atom"
            ),
        ),
    ];
    edits.into_iter().fold(UMMA.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

fn run(text: &str) -> (Option<i32>, String, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "--host --target sm_100a --schedule lazy --arg A:f16[128x128]=random(1) --arg B:f16[128x128]=random(2) \
                     --arg C:f32[128x128] --out C=c.npy";
    let (code, out, err) = run_in(&folder, text, arguments);
    (code, out + &err, std::fs::read(folder.path().join("c.npy")).unwrap_or_default())
}

#[test]
fn a_mask_of_zeros_changes_nothing() {
    let (code, said, plain) = run(UMMA);
    assert_eq!(code, Some(0), "{said}");
    let (code, said, c) = run(&masked([0; 4]));
    assert_eq!(code, Some(0), "{said}");
    assert!(c == plain && !c.is_empty());
}

#[test]
fn a_lane_that_is_masked_is_not_written() {
    for words in [[-1, 0, 0, 0], [0, 0, 1, 0]] {
        let (code, said, _) = run(&masked(words));
        assert_eq!(code, Some(1), "{said}");
        assert!(
            said.contains("tensor memory") && said.contains("to which nothing has written a value"),
            "{said}"
        );
    }
}

/// A mask that a host function does not know to be 0 must not be passed as 0.
#[test]
fn a_host_function_passes_only_zeros() {
    let text = include_str!("dsl47/pair.mlir");
    let zeros = "%lanes = arith.constant dense<0> : vector<8xi32>";
    let stream = "%stream: !cuda.stream";
    assert!(text.contains(zeros) && text.contains(stream));
    let one = text.replace(zeros, "%lanes = arith.constant dense<1> : vector<8xi32>");
    let given = text.replace(zeros, "").replace(stream, &format!("%lanes: vector<8xi32>, {stream}"));
    let folder = tempfile::tempdir().unwrap();
    let arguments = "--host --target sm_100a --arg A:f16[256x64] --arg B:f16[128x64] --arg C:f32[256x128]";
    for (text, more, error) in [
        (&one, "", "'arith.constant' op has a vector that is not 0"),
        (&given, " --arg 0", "'func.func' op has a vector as a parameter, which is not supported"),
    ] {
        let (code, _, err) = run_in(&folder, text, &format!("{arguments}{more}"));
        assert_eq!(code, Some(1), "{err}");
        assert!(err.contains(error), "{err}");
    }
}
