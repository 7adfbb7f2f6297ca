//! Descriptors of matrices in shared memory, as cute-rs makes them, and as CuTe DSL has them after
//! some of its passes: of a pointer, with the layout of the matrix as an attribute.
//!
//! A descriptor does not depend on how the MMA uses the matrix. It is made like the fragment of B,
//! (N,K), for an MMA that has as many columns as the matrix has rows.

use cute_algebra::{AnyLayout, Dim, Layout, MmaOperand, size};
use cute_dialect::{
    atom::element,
    ops::fragments::smem_matrix,
    types::{type_of, value_of},
    value::{MemRef, Value},
};
use cute_ffi::ir;
use melior::ir::attribute::TypeAttribute;

use super::version::{Producer::CuteRs, Version::V4_3};
use super::{Custom, Drift, Origin, one_of};
use crate::site::{Rewritten, Site};

pub(super) const ROWS: &[Drift] = &[
    Drift {
        name: "cute_drift.make_umma_smem_desc",
        origin: Origin::described(&[CuteRs]),
        becomes: "cute.mma.make_fragment and cute.get_iter",
        custom: Custom::Call,
        rewrite: |op| {
            descriptor(op, 3, |rows, k, major, e| {
                format!(
                    "!cute_nvgpu.sm100.mma<128x{rows}x{k}, num_cta = 1, ab_major = (k, {major}), elem_type = ({e}, {e}, f32), \
                     frag_kind = ss, c_scale_exp = 0>"
                )
            })
        },
    },
    Drift {
        name: "cute_drift.make_gmma_smem_desc",
        origin: Origin::seen(V4_3),
        becomes: "cute.mma.make_fragment and cute.get_iter",
        custom: Custom::Call,
        rewrite: |op| {
            descriptor(op, 1, |rows, k, major, e| {
                format!(
                    "!cute_nvgpu.sm90.mma<64x{rows}x{k}, ab_major = (k, {major}), elem_type = ({e}, {e}, f32), frag_kind = ss>"
                )
            })
        },
    },
];

/// The descriptor of `op(%pointer) {layout = "((rows,k),rest..):..", major = k}`. The type of the
/// MMA's atom, for these rows, K, major and element, takes this many flags.
fn descriptor<'c>(
    op: &Site<'c, '_>,
    flags: usize,
    atom: impl Fn(i64, i64, &str, &str) -> String,
) -> Rewritten {
    let [pointer] = op.operands[..] else { return Err("needs a pointer".into()) };
    let Value::Ptr(iter) = value_of(ir::type_of(pointer)).into_owned() else {
        return Err(format!("is given {}, which is not a pointer", ir::type_of(pointer)));
    };
    let layout = op.attribute("layout").and_then(|layout| TypeAttribute::try_from(layout).ok());
    let layout = layout.map(|layout| value_of(layout.value()).into_owned());
    let Some(Value::Layout(layout)) = layout else { return Err("needs the layout of the matrix".into()) };
    let major = ["k", "mn"][one_of(op, "major", &["k", "mn"])?.ok_or("has no major")?];
    let elem = iter.elem.ok_or("is given a pointer without element")?;
    let bits = element(elem).map_or(0, |e| e.bits());
    if bits == 0 || !256_u32.is_multiple_of(bits) {
        return Err(format!("describes a matrix of {elem}, which is not supported"));
    }
    // (rows, k) is one mode; without further modes there is one tile.
    let modes: Vec<_> = layout.modes().map(|mode| mode.to_owned()).collect();
    let unit = || Layout::unit().map(|n: &i64| Dim::fixed(*n));
    let rest = modes.iter().skip(1).cloned().chain([unit(), unit()]).take(modes.len().max(3) - 1);
    let tile = modes.first().ok_or("has an empty layout")?;
    let rows = size(&tile.mode(0).map_err(|why| why.to_string())?).map_err(|why| why.to_string())?;
    let rows = rows.as_static().ok_or("needs a static layout")?;
    let layout = Layout::from_modes([tile.clone()].into_iter().chain(rest));
    let k = i64::from(256 / bits);

    let mma = op.parse_type(&atom(rows, k, major, &elem.to_string()))?;
    let Value::MmaAtom(read) = value_of(mma).into_owned() else { return Err("has no MMA".into()) };
    let view = MemRef { iter, layout: AnyLayout::from(layout.clone()) };
    let matrix = smem_matrix(&read, MmaOperand::B, &view).map_err(|why| why.to_string())?;
    let tiled = op.parse_type(&format!("!cute.tiled_mma<{mma}, atom_layout_MNK = <\"(1,1,1):(0,0,0)\">>"))?;
    let truth = op.parse_type("i1")?;
    let made = |value: Value<'c, Dim>| type_of(op.context(), &value);

    let flag = op.value("arith.constant", &[], &[("value", "false")], truth)?;
    let atom = op.value("cute.make_atom", &vec![flag; flags], &[], mma)?;
    let tiled = op.value("cute.make_tiled_mma", &[atom], &[], tiled)?;
    let shape = op.value("cute.static", &[], &[], made(Value::Layout(layout)))?;
    let view = op.value("cute.make_view", &[pointer, shape], &[], made(Value::MemRef(view)))?;
    let of_b = [("operand_id", "1 : i32")];
    let descriptors = made(Value::SmemDescView(matrix.view.unstated()));
    let descriptors = op.value("cute.mma.make_fragment", &[tiled, view], &of_b, descriptors)?;
    op.become_op("cute.get_iter", &[descriptors], &[])
}
