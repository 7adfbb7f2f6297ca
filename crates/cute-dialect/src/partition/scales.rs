//! The scale factors of a `gemm`: operands of their own, or addresses in the state of the atom.

use cute_algebra::{Layout, LayoutLike, MmaOperand, coalesce};
use cute_arch::{
    atoms::MmaUnit,
    block_scaled::{sf_of_mma, sf_of_thread},
};
use cute_ffi::types::context_of;

use super::{
    gemm::{GemmForm, GemmMode, GemmOperand, Shapes},
    modes,
};
use crate::{
    atom::{MmaAtom, type_of_element},
    error::{Error, Result},
    value::{Machine, MemRef, Space, Value},
};

fn refuse<T>(text: String) -> Result<T> {
    Err(Error::Rule(text))
}

/// Checks scale factors: their elements, where they are, and the layout of those of one call.
pub(super) fn check<'c, I: Machine>(
    value: &Value<'c, I>,
    operand: GemmOperand,
    atom: &MmaAtom<'c>,
) -> Result<()> {
    let (name, matrix) = (operand.name(), operand.matrix());
    let scaled = atom.entry.and_then(|entry| Some((entry, entry.scale.as_ref()?)));
    let Some((entry, scale)) = scaled else {
        let named = atom.entry.map_or("the fma of a thread", |entry| &entry.name);
        return refuse(format!("{named} takes no scale factors; the operands are D, A, B and C"));
    };
    let Value::MemRef(view) = value else {
        return refuse(format!("{name} is a {}, but scale factors are a memref", value.what()));
    };
    let wanted = type_of_element(context_of(atom.elems[0]), scale.element);
    if view.iter.elem != wanted {
        let [found, wanted] =
            [view.iter.elem, wanted].map(|elem| elem.map_or("none".to_owned(), |elem| elem.to_string()));
        return refuse(format!(
            "{name} has elements of {found}, but the scale factors of {matrix} are of {wanted}"
        ));
    }
    let is_tcgen05 = entry.instruction.unit == MmaUnit::Tcgen05;
    let space = if is_tcgen05 { Space::Tmem } else { Space::Rmem };
    if view.iter.space != space {
        let (found, wanted) = (view.iter.space.name(), space.name());
        return refuse(format!("{name} lies in {found}, but the atom takes scale factors from {wanted}"));
    }
    let (wanted, hint) = if is_tcgen05 {
        let maker = if operand.matrix() == MmaOperand::A { "sfa" } else { "sfb" };
        // The factors of one MMA with K = 96 are in two blocks.
        let instead = if atom.is_wide() { "; set sf_a and sf_b of the atom to where they begin" } else { "" };
        let wanted =
            sf_of_mma(entry, operand.matrix()).map_err(|why| Error::Rule(format!("{why}{instead}")))?;
        (wanted, format!("the layout of a tile is that of make_tmem_layout_{maker}"))
    } else {
        let wanted = sf_of_thread(entry).expect("the atom has scale factors");
        (wanted, "all elements of a block share a factor".to_owned())
    };
    lies(view, operand, &wanted, &hint)
}

/// The factors of one call must lie where the instruction reads them.
fn lies<I: Machine>(
    view: &MemRef<'_, I>,
    operand: GemmOperand,
    wanted: &Layout<i64>,
    hint: &str,
) -> Result<()> {
    let layout = view.layout.outer().map(|n| n.dim());
    let own = layout.mode(0).ok().and_then(|mode| mode.to_owned().to_const());
    let is_right = match &own {
        Some(own) => coalesce(own)? == coalesce(wanted)?,
        None => false,
    };
    if is_right {
        return Ok(());
    }
    let name = operand.name();
    refuse(format!(
        "mode 0 of {name} has the layout {}, but one call of the atom reads scale factors in the layout {wanted}: \
         {hint}",
        layout.mode(0).map_or_else(|_| layout.to_string(), |mode| mode.to_owned().to_string())
    ))
}

/// The state of an atom holds one address of factors of A and one of B, which are those of one
/// call.
pub(super) fn check_state<I: Machine>(shapes: &Shapes<I>, form: GemmForm, name: &str) -> Result<()> {
    for (operand, mode) in
        [(GemmOperand::A, GemmMode::M), (GemmOperand::A, GemmMode::K), (GemmOperand::B, GemmMode::N)]
    {
        let Some(position) = form.position(operand, mode) else { continue };
        let all = modes(shapes.of(operand));
        let Some(extent) = all.get(position).filter(|extent| !extent.is(1)) else { continue };
        let scales = if operand == GemmOperand::A { "sf_a" } else { "sf_b" };
        return refuse(format!(
            "mode {position} of {} has {} elements, but the state of {name} has one {scales}, which is for one \
             call: slice the operands, or pass SFA and SFB after A and B",
            operand.name(),
            extent.dim()
        ));
    }
    Ok(())
}
