//! Where matrices and scales lie in tensor memory: every layout that CUTLASS printed, and what is
//! refused.

use cute_algebra::{Tuple, parse_layout, parse_shape};
use cute_arch::{
    Element,
    atoms::CopyAtom,
    tmem::{TmemAlloc, fragment, scale_fragment, tmem_copy},
};
use serde_json::Value as Json;

fn shape(text: &str) -> Tuple<i64> {
    parse_shape(text).unwrap().to_const().unwrap()
}

fn bits(args: &Json, key: &str) -> i64 {
    match args[key].as_str().unwrap() {
        "uint32_t" => 32,
        name => Element::by_cpp_name(name).unwrap().bits().into(),
    }
}

#[test]
fn fragments_are_what_cutlass_prints() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/cute/tmem_fragment.json");
    let entries: Vec<Json> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for entry in &entries {
        let args = &entry["args"];
        let given = shape(args["shape"].as_str().unwrap());
        let made = match args["alloc"].as_str().unwrap() {
            "ScaleFactorDuplicated4by1" => scale_fragment(&given, false),
            "ScaleFactorDuplicated2by2" => scale_fragment(&given, true),
            alloc => {
                let alloc = match alloc {
                    "Interleaved" => TmemAlloc::Interleaved,
                    "Duplicated" => TmemAlloc::Duplicated,
                    _ => TmemAlloc::NonInterleaved,
                };
                fragment(&given, bits(args, "value"), bits(args, "storage"), alloc, args["sm"] == 2)
            }
        };
        assert_eq!(made.unwrap().to_string(), entry["result"]["layout"], "{args}");
    }
    assert!(entries.len() >= 60);
}

#[test]
fn rows_are_duplicated_for_a_pair() {
    let made = |text: &str, bits, storage| {
        fragment(&shape(text), bits, storage, TmemAlloc::Duplicated, true).unwrap().to_string()
    };
    // UMMA::tmem_frg<half_t, half_t, 2, Duplicated>, that of A of SM100_MMA_F16BF16_2x1SM_TS with
    // 128 rows.
    assert_eq!(made("((64,16),1,4)", 16, 16), "((128,16),1,4):((131072,1),0,16)");
    assert_eq!(made("((64,16),2,4)", 16, 16), "((128,16),2,4):((131072,1),16,32)");
    assert_eq!(made("((64,32),1,2)", 8, 8), "((128,32),1,2):((262144,1),0,32)");
    assert_eq!(made("((128,64),1,2)", 16, 16), "((128,64),1,2):((131072,1),0,64)");
    let alloc = |pair, with_a| (TmemAlloc::of_a(pair), TmemAlloc::of_c(pair, with_a));
    assert_eq!(alloc(true, true), (TmemAlloc::Duplicated, TmemAlloc::Interleaved));
    assert_eq!(alloc(false, true), (TmemAlloc::NonInterleaved, TmemAlloc::NonInterleaved));
}

#[test]
fn what_an_allocation_cannot_be_is_refused() {
    let refused = |text: &str, alloc, pair, words: &str| {
        let error = fragment(&shape(text), 32, 32, alloc, pair).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    refused("((64,64),1,1)", TmemAlloc::Duplicated, false, "rows are duplicated for a pair of CTAs only");
    refused("((64,64),1,1)", TmemAlloc::NonInterleaved, true, "a pair of CTAs leaves no lanes free");
    refused("((32,64),1,1)", TmemAlloc::Duplicated, true, "32 rows are not duplicated");
    refused(
        "((128,512),2,1)",
        TmemAlloc::Interleaved,
        false,
        "tensor memory has 2097152 b: 128 lanes of 512 columns",
    );
    assert!(fragment(&shape("((128,512),1,1)"), 32, 32, TmemAlloc::Interleaved, false).is_ok());
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |text: &str, bits, storage, pair, words: &str| {
        let error =
            fragment(&shape(text), bits, storage, TmemAlloc::Interleaved, pair).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    refused("((32,64),1,1)", 32, 32, false, "32 x 64: a single CTA has 64 or 128 rows");
    refused("((64,63),1,1)", 32, 32, true, "64 x 63");
    refused("((64,64),1,1)", 64, 64, false, "elements of 64 b in 64 b do not fill words of 32");
    refused("((64,64),1,1)", 32, 16, false, "elements of 32 b in 16 b");
    refused("((128,9223372036854775807),1,1)", 16, 32, false, "does not fit 64 bits");
    refused("(64,1,1)", 32, 32, false, "(64,1,1) is not ((M,N),RestM,RestN,..)");
    refused("64", 32, 32, false, "64 is not");
    let refused = |text: &str, two_by_two, words: &str| {
        let error = scale_fragment(&shape(text), two_by_two).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    refused("((128,(32,3)),1,1)", false, "128 x 3 scales");
    refused("((96,(32,1)),1,1)", true, "MN must be a multiple of 64");
    refused("((128,32),1,1)", false, "is not ((MN,(vector,K)),RestMN,RestK,..)");
}

#[test]
fn copies_reach_tensor_memory_only_where_the_tensor_lies() {
    let layout = |text: &str| parse_layout(text).unwrap().to_const().unwrap();
    let refused = |atom: &str, bits, tensor: &str, words: &str| {
        let atom = CopyAtom::by_name(atom).unwrap();
        let error = tmem_copy(atom, bits, &layout(tensor)).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    // 64 rows lie in half of the lanes, and these 32 lanes are not theirs.
    let half = "(((16,4),64),1,1):(((65536,2097152),1),0,0)";
    refused(
        "SM100_TMEM_LOAD_32dp32b4x",
        32,
        half,
        "the values (4,32):(1,65536) of a thread are not offsets of (((16,4),64)",
    );
    refused("UniversalCopy<uint32_t>", 32, half, "UniversalCopy<uint32_t> does not touch tensor memory");
    refused("SM100_TMEM_LOAD_32dp32b4x", 12, half, "elements of 12 b do not fill words of 32");
    let load = CopyAtom::by_name("SM100_TMEM_LOAD_16dp64b4x").unwrap();
    let copy = tmem_copy(load, 32, &layout(half)).unwrap();
    assert_eq!((copy.threads(), copy.tv().to_string()), (128, "((32,4),(8,16)):((0,1),(4,32))".to_string()));
}
