//! Requests about the atoms of block-scaled MMAs.

use cute_algebra::MmaOperand;
use cute_arch::{
    Element,
    atoms::{Major, MmaAtom, MmaUnit, Operand, Tcgen05Kind, mma_atoms},
    block_scaled::{is_sfb_two_by_two, sf_mma_shape},
};
use serde_json::{Map, Value as Json, json};

use super::{
    hex, not_sparse,
    types::{Named, element},
};
use crate::{
    error::{Error, Result},
    inputs::{Inputs, wrong},
    tilings::FactValue,
};

/// The words with which the name of an instruction says that A and B are contiguous along M and N.
const MN_MAJOR: &str = " (MN-major A and B)";

/// The name of an instruction, and the majors of A and B.
fn op_of<'a>(inputs: &Inputs<'a>) -> Result<(&'a str, Major)> {
    let op = inputs.text("op")?;
    if op.contains("SPARSE") {
        return not_sparse(op);
    }
    Ok(match op.strip_suffix(MN_MAJOR) {
        Some(op) => (op, Major::Mn),
        None => (op, Major::K),
    })
}

/// The atom of a request: the beginning of its name, up to the types, and the fields that follow.
pub fn atom(inputs: &Inputs<'_>) -> Result<(&'static MmaAtom, Major)> {
    let (op, major) = op_of(inputs)?;
    let (a, b) = (element(inputs, "a")?, element(inputs, "b")?);
    let c = match inputs.optional("c") {
        Some(c) => c.parse::<Element>().map_err(|error| wrong("c", error))?,
        None => Element::F32,
    };
    let extent = |key: &str| inputs.0.contains_key(key).then(|| inputs.integer(key)).transpose();
    let (m, n, vector) = (extent("m")?, extent("n")?, extent("sf_vec")?);
    let scale = inputs.optional("sf").map(|sf| sf.parse::<Element>().map_err(|error| wrong("sf", error)));
    let scale = scale.transpose()?;
    let named = |atom: &&MmaAtom| atom.name.split('<').next() == Some(op);
    if !mma_atoms().any(|atom| named(&atom)) {
        return Err(wrong("op", format!("there is no atom '{op}'; cute-calc atoms lists them")));
    }
    let is = |given: Option<u64>, own: u32| given.is_none_or(|given| given == u64::from(own));
    let agrees = |atom: &&MmaAtom| {
        Some(atom.a.element) == a.element
            && Some(atom.b.element) == b.element
            && atom.c.element == c
            && is(m, atom.shape[0])
            && is(n, atom.shape[1])
            && atom.scale.as_ref().map(|scale| scale.element) == scale
            && atom.scale.as_ref().is_none_or(|scale| is(vector, scale.vector))
    };
    let found = mma_atoms().filter(named).find(agrees);
    let kind = found.and_then(MmaAtom::tcgen05_kind);
    let reads = |kind: Tcgen05Kind, matrix: &Named<'_>| matrix.is_read_by(kind);
    match found {
        Some(atom) if kind.is_none_or(|kind| reads(kind, &a) && reads(kind, &b)) => Ok((atom, major)),
        _ => {
            let extents = [("M", m), ("N", n), ("elements per scale factor", vector)];
            let extents =
                extents.into_iter().filter_map(|(name, value)| Some(format!(", {name} {}", value?)));
            let scale = scale.map(|scale| format!(", scale factors {scale}")).unwrap_or_default();
            Err(Error::Request(format!(
                "no {op} has A {}, B {}, C {c}{scale}{}; cute-calc atoms '{op}*' lists them",
                a.name,
                b.name,
                extents.collect::<String>()
            )))
        }
    }
}

/// The shape, the threads and the thread-value layouts of an atom.
fn layouts(atom: &MmaAtom) -> Map<String, Json> {
    let mut object = Map::new();
    let shape = FactValue::Extents(atom.shape.map(i64::from));
    object.insert("shape_mnk".into(), json!(shape.to_string()));
    object.insert("thr_id".into(), json!(atom.thr_id.to_string()));
    let own = atom.layouts();
    for (operand, key) in MmaOperand::ALL.into_iter().zip(["a", "b", "c"]) {
        object.insert(format!("{key}_layout_tv"), json!(own.operand(operand).to_string()));
    }
    object
}

/// `mma_traits_block_scaled`: an atom of `tcgen05.mma`.
pub fn tcgen05(inputs: &Inputs<'_>) -> Result<Json> {
    let (atom, major) = atom(inputs)?;
    let missing = || wrong("op", format!("{} is not a block-scaled tcgen05.mma", atom.name));
    let scale = atom.scale.as_ref().ok_or_else(missing)?;
    let of_scales = sf_mma_shape(atom).ok_or_else(missing)?;
    let refused =
        || wrong("op", format!("{} reads no matrices that are contiguous along M and N", atom.name));
    let word = atom.instruction_descriptor(major, major).ok_or_else(refused)?;
    let k = atom.shape[2];
    // CuTe sets the bit of K = 96 where it issues the instruction.
    let word = if atom.tcgen05_kind().is_some_and(|kind| kind.k() != k) { word & !(1 << 31) } else { word };
    let mut object = layouts(atom);
    for (key, value) in [
        ("k", json!(k)),
        ("sf_vec_size", json!(scale.vector)),
        ("scales_per_k", json!(k / scale.vector)),
        ("val_type_a", json!(inputs.text("a")?)),
        ("val_type_b", json!(inputs.text("b")?)),
        ("scale_factor_mma_shape_mnk", json!(FactValue::Extents(of_scales).to_string())),
        ("scale_factor_mma_thr_id", json!("1:0")),
        ("sfb_tmem_alloc", json!(if is_sfb_two_by_two(atom) { "2x2" } else { "4x1" })),
        ("instr_desc", hex(word)),
    ] {
        object.insert(key.into(), value);
    }
    Ok(object.into())
}

/// `mma_traits_sm120`: an atom of `mma.sync`.
pub fn warp(inputs: &Inputs<'_>) -> Result<Json> {
    let (atom, _) = atom(inputs)?;
    if atom.instruction.unit != MmaUnit::MmaSync {
        return Err(wrong("op", format!("{} is not an mma.sync", atom.name)));
    }
    let mut object = layouts(atom);
    let registers = |operand: &Operand| json!(format!("{}x32b", operand.registers()));
    for (key, operand) in [("a", &atom.a), ("b", &atom.b)] {
        object.insert(format!("val_type_{key}"), json!(format!("u{}", operand.bits)));
        object.insert(format!("{key}_regs"), registers(operand));
    }
    for key in ["c_regs", "d_regs"] {
        object.insert(key.into(), registers(&atom.c));
    }
    if let Some(scale) = &atom.scale
        && let Some(layouts) = &scale.layouts
    {
        // A thread has all factors of a row in one register, of a byte each.
        let bits = atom.shape[2] / scale.vector * 8;
        for (key, layout) in ["sfa", "sfb"].into_iter().zip(layouts) {
            object.insert(format!("{key}_layout_tv"), json!(layout.to_string()));
            object.insert(format!("{key}_regs"), json!(format!("1x{bits}b")));
        }
    }
    Ok(object.into())
}
