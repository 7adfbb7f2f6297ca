//! `cute-calc candidates`: the layouts of a tile, the best first.

mod common;

use common::{fails, feeds, run};

const TILE: [&str; 4] = ["candidates", "(8,64)", "--bits", "16"];
const LDMATRIX: [&str; 4] = ["--access", "ldmatrix=(8,8):(1,8)@8", "--access", "store=(8,8):(64,8)@8"];

fn lines(args: &[&str]) -> Vec<String> {
    let (code, out, err) = run(args);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    out.lines().map(String::from).collect()
}

#[test]
fn the_layouts_without_conflicts_come_first() {
    let all = lines(&[TILE.as_slice(), &LDMATRIX, &["--most", "1000"]].concat());
    assert!(all[0].ends_with(" candidates, of which 76 keep all vectors whole"), "{}", all[0]);
    assert_eq!(all.len(), 77);
    let first: Vec<&str> = all[1].split("  ").map(str::trim).filter(|part| !part.is_empty()).collect();
    let atom =
        "the atom SW128 of tensor cores and the TMA, contiguous along mode 1, repeated along mode 0 first";
    let text = "S<3,3,3> o 0 o (8,64):(64,1)";
    assert_eq!(first, [text, "atom", "2 wavefronts", "1024 bytes", atom]);
    let wavefronts = |line: &String| -> u64 {
        let (before, _) = line.split_once(" wavefronts").expect("a cost");
        before.rsplit(' ').next().and_then(|n| n.parse().ok()).expect("a number")
    };
    let costs: Vec<u64> = all[1..].iter().map(wavefronts).collect();
    assert!(costs.is_sorted() && costs.last() > Some(&2), "{costs:?}");
}

#[test]
fn without_accesses_the_smallest_come_first() {
    let all = lines(&["candidates", "(4,(2,2))", "--bits", "32", "--vector", "4", "--most", "2"]);
    assert!(
        all[0].starts_with("(4,(2,2)), 32-bit elements: ") && all[0].ends_with(" candidates; the best 2")
    );
    assert_eq!(
        all[1],
        "  (4,(2,2)):(1,(4,8))  compact   64 bytes  modes 0, 1 from the fastest to the slowest"
    );
    assert!(all[2].starts_with("  (4,(2,2)):(4,(1,2))  compact   64 bytes"), "{}", all[2]);
    assert_eq!(lines(&TILE).len(), 21, "twenty candidates, if no number is given");
}

#[test]
fn requests_get_data() {
    let request = r#"{"op":"candidates","args":["(8,8)"],"bits":16,"most":1,"access":["(8,8):(1,8)@8"]}"#;
    let (code, out, err) = feeds(&["--json"], request);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let answer: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let best = &answer["value"]["candidates"][0];
    assert_eq!((&best["kind"], &best["bytes"]), (&"compact".into(), &128.into()));
    assert_eq!(best["cost"], serde_json::json!({ "wavefronts": 1, "instructions": 1 }));
    assert_eq!(best["layout"], serde_json::json!({ "shape": [8, 8], "stride": [8, 1] }));
    assert_eq!(answer["value"]["candidates"].as_array().map(Vec::len), Some(1));
}

#[test]
fn bad_questions_are_told_what_is_wrong() {
    fails(&["candidates", "(8,64)"], "candidates needs the bits of an element, --bits N");
    fails(&["candidates", "(8,?)", "--bits", "16"], "a static shape");
    fails(
        &["candidates", "(8,0)", "--bits", "16"],
        "a tile of shape (8,0) and elements of 16 bits has no layout: an extent of 0",
    );
    fails(&["candidates", "(8,8)", "--bits", "0"], "elements of 0 bits");
    fails(
        &["candidates", "(8,8)", "--bits", "16", "--access", "(8,9):(1,8)"],
        "access 1: value 8 of thread 0 is element 64 of a tile of 64",
    );
    let both = ["--access", "(4,2):(2,1)@2", "--access", "(2,(2,2)):(1,(2,4))@2"];
    fails(
        &[["candidates", "(2,4)", "--bits", "16"].as_slice(), &both].concat(),
        "no choice of layouts is possible; use 0 excludes ",
    );
    fails(&["banks", "(8,8):(8,1)", "--bits", "16", "--vector", "2"], "--vector is an option of candidates");
    fails(&["candidates", "(8,8)", "--bits", "16", "--choose", "both"], "--choose is an option of banks");
}
