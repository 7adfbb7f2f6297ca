//! Blocks and descriptors of tiles in shared memory: every one that CUTLASS printed, and what is
//! refused.

use cute_algebra::{Crd, Layout, Tiler, Tuple, local_tile, parse_int_tuple, parse_layout, tile_to_shape};
use cute_arch::{
    atoms::Major,
    smem::{DescriptorOf, SmemSwizzle},
};
use serde_json::Value as Json;

fn vectors(file: &str) -> Vec<Json> {
    let path = format!("{}/../../tests/vectors/cute/{file}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn ints(args: &Json, key: &str) -> Option<Tuple<i64>> {
    args[key].as_str().map(|text| parse_int_tuple(text).unwrap().to_const().unwrap())
}

fn layout(text: &str) -> Layout<i64> {
    parse_layout(text).unwrap().to_const().unwrap()
}

fn major(args: &Json) -> Major {
    if args["major"] == "K" { Major::K } else { Major::Mn }
}

fn swizzle(args: &Json) -> SmemSwizzle {
    args["swizzle"].as_str().unwrap().parse().unwrap()
}

#[test]
fn blocks_are_what_cutlass_prints() {
    let entries = vectors("gmma_smem_layout");
    for entry in &entries {
        let args = &entry["args"];
        let block = swizzle(args).block(major(args), args["value_bits"].as_i64().unwrap()).unwrap();
        let made = match ints(args, "shape") {
            Some(shape) => tile_to_shape(&block, shape.view(), ints(args, "order").as_ref()).unwrap(),
            None => block,
        };
        assert_eq!(made.to_string(), entry["result"]["layout"], "{args}");
    }
    assert!(entries.len() >= 90);
}

#[test]
fn descriptors_are_what_cutlass_makes() {
    let entries = vectors("smem_descriptor");
    for entry in &entries {
        let (args, result) = (&entry["args"], &entry["result"]);
        let bits = args["value_bits"].as_i64().unwrap();
        let block = swizzle(args).block(major(args), bits).unwrap();
        let whole = ints(args, "smem_shape").unwrap();
        let smem = tile_to_shape(&block, whole.view(), ints(args, "order").as_ref()).unwrap();
        let coord = ints(args, "coord").unwrap().map(|i| Crd::Int(*i));
        let tiler = Tiler::Shape(ints(args, "mma_tile").unwrap());
        let (tile, offset) = local_tile(smem.outer(), &tiler, &coord).unwrap();
        let address = args["smem_addr"].as_i64().unwrap() + offset.as_leaf().unwrap() * bits / 8;
        let of = if args["arch"] == "sm90" { DescriptorOf::Wgmma } else { DescriptorOf::Tcgen05 };
        let word = swizzle(args).descriptor(of, major(args), &tile, bits, address).unwrap();
        assert_eq!(format!("0x{word:016x}"), result["desc"], "{args}");
    }
    assert!(entries.len() >= 119);
}

#[test]
fn what_no_descriptor_can_say_is_refused() {
    let refused = |swizzle: SmemSwizzle, of, major, tile: &str, bits, address, words: &str| {
        let error = swizzle.descriptor(of, major, &layout(tile), bits, address).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    use DescriptorOf::{Tcgen05, Wgmma};
    let row = "(64,16):(16,1)";
    refused(
        SmemSwizzle::B128,
        Wgmma,
        Major::K,
        row,
        16,
        0,
        "(64,16):(16,1) is not made of blocks S<3,4,3> o 0 o (8,64):(64,1)",
    );
    refused(SmemSwizzle::B32, Wgmma, Major::K, row, 16, 8, "address 8 is not a multiple of 16 below 262144");
    refused(SmemSwizzle::B32, Wgmma, Major::K, row, 16, 1 << 18, "address 262144");
    refused(SmemSwizzle::B32, Wgmma, Major::K, row, 6, 0, "elements of 6 b do not fill 16 bytes");
    refused(SmemSwizzle::B32, Wgmma, Major::Any, row, 16, 0, "the major must be K or MN");
    refused(SmemSwizzle::B128By32, Wgmma, Major::Mn, row, 16, 0, "SW128_32B is for tcgen05");
    refused(SmemSwizzle::B128By32, Tcgen05, Major::K, row, 16, 0, "SW128_32B is for majors MN");
    refused(
        SmemSwizzle::B32,
        Tcgen05,
        Major::Mn,
        row,
        16,
        0,
        "is not made of blocks S<1,4,3> o 0 o (16,8):(1,16)",
    );
    refused(
        SmemSwizzle::Interleave,
        Tcgen05,
        Major::K,
        "16:1",
        16,
        0,
        "16:1 must have exactly two modes (MN, K)",
    );
    refused(
        SmemSwizzle::B128,
        Wgmma,
        Major::K,
        "(64,64):(64,1)",
        16,
        0,
        "64 by 64 elements, which is 1024 b along K",
    );
    refused(SmemSwizzle::B32, Wgmma, Major::K, "(64,16):(16,1048576)", 16, 0, "is not made of blocks");
    assert!(SmemSwizzle::B32.descriptor(Wgmma, Major::K, &layout(row), 16, 0).is_ok());
    assert_eq!(
        "SW12".parse::<SmemSwizzle>().unwrap_err().to_string(),
        "unknown swizzle 'SW12'; there are INTER, SW32, SW64, SW128, SW128_32B"
    );
}
