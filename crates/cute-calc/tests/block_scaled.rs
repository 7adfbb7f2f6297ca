//! Requests about block-scaled MMAs that are refused: each names what is wrong, and what would do.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use serde_json::{Value as Json, json};

/// The answers to requests, one per line.
fn answers(requests: &[Json]) -> Vec<Json> {
    let mut calc = Command::new(env!("CARGO_BIN_EXE_cute-calc"))
        .arg("--json")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a run");
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
    calc.stdin.take().expect("its input").write_all(lines.as_bytes()).expect("its input is read");
    let output = calc.wait_with_output().expect("its output");
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn sparse_matrices_are_refused_by_name() {
    let requests = [
        json!({"op": "sparse_config", "inputs": {"family": "sm90"}}),
        json!({"op": "tmem_e_frg", "inputs": {"a_type_bits": 16, "shape": "((128,32),1,8)"}}),
        json!({"op": "instr_desc", "inputs": {"a": "f16", "b": "f16", "sparse": true}}),
        json!({"op": "mma_traits_sm120", "inputs": {"op": "SM120_SPARSE_16x8x64_TN", "a": "e5m2", "b": "e2m3"}}),
        json!({"op": "blockscaled_partition", "inputs": {"op": "SM100_MMA_MXF4NVF4_SS_SPARSE", "m": 128}}),
    ];
    let names = [
        "sparse_config",
        "tmem_e_frg",
        "instr_desc",
        "SM120_SPARSE_16x8x64_TN",
        "SM100_MMA_MXF4NVF4_SS_SPARSE",
    ];
    let answers = answers(&requests);
    assert_eq!(answers.len(), requests.len());
    for (answer, name) in answers.iter().zip(names) {
        assert_eq!(answer["error"], format!("{name}: sparse matrices are not supported"));
        assert_eq!(answer["rule"], "sparse_not_supported");
    }
}

/// A valid request about a tile, with one input replaced.
fn tile(key: &str, value: Json) -> Json {
    let mut inputs = json!({
        "op": "SM100_MMA_MXF4_2x1SM_SS", "m": 256, "n": 128, "a": "e2m1", "b": "e2m1", "sf": "ue4m3", "sf_vec": 16,
        "tile_mnk": "(256,128,256)", "copy_op": "SM100_UTCCP_4x32dp128bit_2cta", "smem_address_sfa": 1024,
        "smem_address_sfb": 4096,
    });
    inputs[key] = value;
    json!({"op": if key.starts_with("smem") || key == "copy_op" { "utccp_copy" } else { "blockscaled_partition" },
        "inputs": inputs})
}

#[test]
fn an_error_names_the_operand_the_values_and_the_rule() {
    let cases = [
        (
            tile("sf_vec", json!(64)),
            "no SM100_MMA_MXF4_2x1SM_SS has A e2m1, B e2m1, C f32, scale factors ue4m3, \
            M 256, N 128, elements per scale factor 64; cute-calc atoms 'SM100_MMA_MXF4_2x1SM_SS*' lists them",
        ),
        (
            tile("a", json!("e2m1_unpack")),
            "no SM100_MMA_MXF4_2x1SM_SS has A e2m1_unpack, B e2m1, C f32, scale \
            factors ue4m3, M 256, N 128, elements per scale factor 16; cute-calc atoms \
            'SM100_MMA_MXF4_2x1SM_SS*' lists them",
        ),
        (
            tile("tile_mnk", json!("(256,128,96)")),
            "SM100_MMA_MXF4_2x1SM_SS<e2m1,e2m1,float,ue4m3,256,128,16>: K of \
            the tile is 96, but must be a multiple of 64, which 4 factors cover",
        ),
        (
            tile("tile_mnk", json!("(256,256,256)")),
            "SM100_MMA_MXF4_2x1SM_SS<e2m1,e2m1,float,ue4m3,256,128,16>: the \
            tile is 256 x 256, but one MMA is 256 x 128, and must cover the tile",
        ),
        (
            tile("tile_mnk", json!("(256,128,4096)")),
            "argument 'tile_mnk': 2 accumulators and the scale factors of \
            K = 4096 take 768 columns, but tensor memory has 512",
        ),
        (
            tile("copy_op", json!("SM100_UTCCP_4x32dp128bit_1cta")),
            "argument 'copy_op': \
            SM100_UTCCP_4x32dp128bit_1cta is for cta_group 1, but SM100_MMA_MXF4_2x1SM_SS<e2m1,e2m1,float,ue4m3,256,128,16> \
            for 2",
        ),
        (
            tile("smem_address_sfa", json!(262_128)),
            "shared-memory descriptor: address 262640 is not a multiple of \
            16 below 262144",
        ),
        (
            tile("op", json!("SM100_MMA_MXF4_2x1SM_SS (MN-major A and B)")),
            "argument 'op': \
            SM100_MMA_MXF4_2x1SM_SS<e2m1,e2m1,float,ue4m3,256,128,16> reads no matrices that are contiguous along \
            M and N",
        ),
        (
            json!({"op": "sf_layout", "inputs": {"family": "sm1xx", "sf_vec": 32, "operand": "B",
            "problem_shape": "(128,192,512)"}}),
            "(192,512): the rows are 192, but a block of scale factors has 128, \
            and extents that are all static are not padded; use a multiple, or an extent that is known at run time",
        ),
        (
            json!({"op": "instr_desc", "inputs": {"a": "f16", "b": "bf16", "c": "f32", "m": 136, "n": 64,
            "a_major": "K", "b_major": "K", "max_shift": 0}}),
            "kind::f16 has no descriptor with M = 136, N = 64 and \
            the accumulator f32: M must be a multiple of 16 below 512, N one of 8 below 512, and the accumulator \
            one of the kind",
        ),
        (
            json!({"op": "instr_desc", "inputs": {"a": "e2m1", "b": "e4m3", "c": "f32", "m": 128, "n": 64,
            "a_major": "K", "b_major": "K", "max_shift": 0}}),
            "no kind of tcgen05.mma reads A e2m1 and B e4m3 as \
            they are named",
        ),
    ];
    let requests: Vec<_> = cases.iter().map(|(request, _)| request.clone()).collect();
    let answers = answers(&requests);
    assert_eq!(answers.len(), cases.len());
    for ((request, expected), answer) in cases.iter().zip(answers) {
        assert_eq!(answer["error"], *expected, "{request}");
    }
}
