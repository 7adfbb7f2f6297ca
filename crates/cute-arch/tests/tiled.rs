//! Tiled MMAs and tiled copies of CuTe's atoms: every value that CUTLASS printed, over `i64` and
//! over [`Dim`], and the partition of extensions.

use cute_algebra::{
    AnyLayout, CopySide, Dim, Int, Layout, LayoutLike, MmaOperand, Tile, TiledCopy, TiledMma, Tuple,
    error::Result, parse_layout, parse_layout_or_composed, parse_tile,
};
use cute_arch::atoms::{CopyAtom, MmaAtom};
use serde_json::{Map, Value as Json, json};

fn vectors(file: &str) -> Vec<Json> {
    let path = format!("{}/../../tests/vectors/cute/{file}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn text<'a>(args: &'a Json, key: &str) -> &'a str {
    args[key].as_str().unwrap_or_else(|| panic!("{key} of {args}"))
}

fn layout(text: &str) -> Layout<i64> {
    parse_layout(text).unwrap().to_const().unwrap()
}

/// The tensor of an argument in either interpretation.
fn tensor<I: Int>(args: &Json, key: &str) -> AnyLayout<I> {
    parse_layout_or_composed(text(args, key)).unwrap().map(|d| I::from_i64(d.as_static().unwrap()))
}

fn permutation(args: &Json) -> Vec<Tile<i64>> {
    let Some(text) = args["permutation"].as_str() else { return Vec::new() };
    match parse_tile(text).unwrap().map(&mut |d: &Dim| d.as_static().unwrap()) {
        Tile::Modes(modes) => modes,
        other => panic!("{other} is not a permutation"),
    }
}

fn tiled_mma(args: &Json) -> Result<TiledMma> {
    let atom = MmaAtom::by_name(text(args, "atom")).unwrap_or_else(|| panic!("no atom {args}"));
    TiledMma::new(atom.layouts(), &layout(text(args, "atom_layout")), &permutation(args))
}

fn tiled_copy(args: &Json) -> Result<TiledCopy> {
    let atom = CopyAtom::by_name(text(args, "copy")).unwrap_or_else(|| panic!("no atom {args}"));
    let atom = atom.layouts(args["value_bits"].as_i64().unwrap())?;
    match text(args, "kind") {
        "make_tiled_copy" => {
            let [threads, values] = ["thr_layout", "val_layout"].map(|key| layout(text(args, key)));
            TiledCopy::of_thread_values(atom, &threads, &values)
        }
        "make_cotiled_copy" => {
            let [tv, data] = ["atom_tv_layout", "data_layout"].map(|key| layout(text(args, key)));
            TiledCopy::cotiled(atom, &tv, &data)
        }
        "make_tiled_copy_A" => TiledCopy::of_mma(atom, &tiled_mma(args)?, MmaOperand::A),
        "make_tiled_copy_B" => TiledCopy::of_mma(atom, &tiled_mma(args)?, MmaOperand::B),
        "make_tiled_copy_C" => TiledCopy::of_mma(atom, &tiled_mma(args)?, MmaOperand::C),
        "make_tiled_copy_C_atom" => TiledCopy::of_mma_c_atom(atom, &tiled_mma(args)?),
        other => panic!("no such way to make a tiled copy: {other}"),
    }
}

fn threads(args: &Json) -> impl Iterator<Item = i64> {
    args["threads"].as_array().unwrap().iter().map(|t| t.as_i64().unwrap())
}

fn part<I: Int>((layout, offset): (AnyLayout<I>, Tuple<I>)) -> Json {
    json!({ "offset": offset.to_dim().to_string(), "layout": layout.to_string() })
}

fn mma<I: Int>(args: &Json) -> Result<Json> {
    let mma = tiled_mma(args)?;
    let [m, n, k] = mma.tile_mnk();
    let mut out = Map::new();
    out.insert("thr_layout_vmnk".into(), json!(mma.thr_layout_vmnk().to_string()));
    out.insert("tile_mnk".into(), json!(format!("({m},{n},{k})")));
    out.insert("threads".into(), json!(mma.threads()));
    for which in MmaOperand::ALL {
        let tensor = tensor::<I>(args, &which.to_string());
        out.insert(format!("layout{which}_TV"), json!(mma.layout_tv(which)?.to_string()));
        out.insert(format!("thrfrg_{which}"), json!(mma.thrfrg(which, &tensor)?.to_string()));
        for t in threads(args) {
            let thread = I::from_i64(t);
            let found = mma.partition(which, &tensor, &thread)?;
            let shape = mma.partition_shape(which, tensor.outer().shape())?;
            assert_eq!(found.0.outer().shape().to_const(), shape.to_const(), "{args}");
            out.insert(format!("t{t}_{which}"), part(found));
        }
    }
    Ok(out.into())
}

/// A tile as C++ prints it, a tuple.
fn tuple_text(tile: &Tile<i64>) -> String {
    match tile {
        Tile::Modes(modes) => format!("({})", modes.iter().map(tuple_text).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

fn copy<I: Int>(args: &Json) -> Result<Json> {
    let copy = tiled_copy(args)?;
    let mut out = Map::new();
    out.insert("tiler_mn".into(), json!(tuple_text(copy.tiler())));
    out.insert("tiled_layout_TV".into(), json!(copy.tv().to_string()));
    out.insert("threads".into(), json!(copy.threads()));
    for side in CopySide::ALL {
        let tensor = tensor::<I>(args, &side.to_string());
        out.insert(format!("layout{side}_TV"), json!(copy.layout_tv(side)?.to_string()));
        out.insert(format!("tidfrg_{side}"), json!(copy.tidfrg(side, &tensor)?.to_string()));
        for t in threads(args) {
            out.insert(format!("t{t}_{side}"), part(copy.partition(side, &tensor, &I::from_i64(t))?));
        }
    }
    Ok(out.into())
}

fn check(file: &str, run: fn(&Json) -> Result<Json>) {
    let mut differ = Vec::new();
    let entries = vectors(file);
    for entry in &entries {
        let (args, expected) = (&entry["args"], &entry["result"]);
        let agrees = match run(args) {
            Err(_) => expected.get("error").is_some(),
            Ok(found) if found == *expected => true,
            Ok(found) => {
                let fields = found.as_object().unwrap().iter();
                let wrong = fields.filter(|(key, value)| expected[key.as_str()] != **value);
                let wrong: Vec<_> =
                    wrong.map(|(k, v)| format!("{k}: {v}, not {}", expected[k.as_str()])).collect();
                differ.push(format!("{args}\n  {}", wrong.join("\n  ")));
                continue;
            }
        };
        if !agrees {
            differ.push(format!("{args}\n  {:?}, not {expected}", run(args).map_err(|e| e.to_string())));
        }
    }
    let shown = differ.iter().take(5).cloned().collect::<Vec<_>>().join("\n");
    assert!(differ.is_empty(), "{} of {} differ\n{shown}", differ.len(), entries.len());
    assert!(entries.len() >= 84);
}

#[test]
fn tiled_mmas_are_what_cutlass_prints() {
    check("tiled_mma", mma::<i64>);
    check("tiled_mma", mma::<Dim>);
}

#[test]
fn tiled_copies_are_what_cutlass_prints() {
    check("tiled_copy", copy::<i64>);
    check("tiled_copy", copy::<Dim>);
}
