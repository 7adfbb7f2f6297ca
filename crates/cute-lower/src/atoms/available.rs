//! Instructions that the target lacks are refused by name: those of atoms, and those that a program
//! spells in NVVM. LLVM would stop at the latter without a word about targets.

use std::fmt::Display;

use cute_arch::{Availability, Feature, Target, atoms::Tcgen05Kind};
use cute_dialect::{hooks::declared_types, types::value_of, value::Value};
use cute_ffi::{
    ir::{op_name, walk},
    lowered::keyword,
};
use cute_ptx::{Keyword, Spelling};
use melior::ir::{
    attribute::DenseI32ArrayAttribute,
    operation::{OperationLike, OperationRef},
};

use crate::{Builder, Built};

/// The form of `tcgen05.mma` that [`Feature::Tcgen05ScaleD`] adds.
pub(super) const SCALES_D: &str = "tcgen05.mma that scales D";

/// Refuses an op that the target lacks the instruction of.
pub(super) fn check<'c>(op: OperationRef<'c, 'c>, target: Target) -> Built<()> {
    match needs(op) {
        Some((what, feature)) => require(&Builder::before(op), what, feature.on(), target),
        None => Ok(()),
    }
}

/// The first of sm_90a, sm_100a and so on that has all MMA atoms and instructions of a module, as
/// far as their names tell. `None` if no target has all of them.
pub fn first_target(root: OperationRef<'_, '_>) -> Option<Target> {
    let mut required = Vec::new();
    for op in walk(root) {
        required.extend(needs(op).map(|(_, feature)| feature.on()));
        if op_name(op).starts_with("cute_nvgpu.arch.sm100.") {
            required.push(Feature::Tcgen05.on());
        }
        for t in declared_types(op) {
            let value = value_of(t);
            let atom = match &*value {
                Value::MmaAtom(atom) => Some(atom),
                Value::TiledMma(tiled) => Some(&tiled.atom),
                _ => None,
            };
            required.extend(atom.and_then(|atom| atom.entry).map(|entry| entry.on));
        }
    }
    let mut specific = Target::all().iter().copied().filter(|t| t.name().ends_with('a'));
    specific.find(|t| required.iter().all(|on| on.on(*t)))
}

/// Refuses an instruction that the target lacks.
pub(super) fn require(b: &Builder<'_>, what: impl Display, on: Availability, target: Target) -> Built<()> {
    if on.on(target) {
        return Ok(());
    }
    b.refuse(&format!("{target} has no {what}; it needs {on}"))
}

/// For an op of NVVM that not every target has: its instruction, and the feature that provides it.
fn needs(op: OperationRef<'_, '_>) -> Option<(String, Feature)> {
    let name = op_name(op).strip_prefix("nvvm.")?;
    const FAMILIES: [(&str, &str, Feature); 7] = [
        ("tcgen05.", "tcgen05", Feature::Tcgen05),
        ("wgmma.", "wgmma", Feature::Wgmma),
        ("clusterlaunchcontrol.", "clusterlaunchcontrol", Feature::LaunchControl),
        ("cp.async.bulk.", "cp.async.bulk", Feature::Tma),
        ("cluster.", "barrier.cluster", Feature::Clusters),
        ("griddepcontrol", "griddepcontrol", Feature::DependentLaunch),
        ("setmaxregister", "setmaxnreg", Feature::Setmaxnreg),
    ];
    if let Some(form) = name.strip_prefix("tcgen05.mma")
        && let Some(rare) = product(op, form)
    {
        return Some(rare);
    }
    let special = match name {
        "tcgen05.shift" => Some(("tcgen05.shift", Feature::Tcgen05Shift)),
        "clusterlaunchcontrol.try.cancel" if op.has_attribute("multicast") => {
            Some(("clusterlaunchcontrol with multicast", Feature::LaunchControlMulticast))
        }
        "mapa" => Some(("mapa", Feature::Clusters)),
        _ => None,
    };
    let family = || FAMILIES.into_iter().find(|(prefix, ..)| name.starts_with(prefix));
    let (what, on) = special.or_else(|| family().map(|(_, what, on)| (what, on)))?;
    Some((what.to_owned(), on))
}

/// The forms of `tcgen05.mma` that fewer targets have than tensor memory.
fn product(op: OperationRef<'_, '_>, form: &str) -> Option<(String, Feature)> {
    let kind = op.attribute("kind").ok().and_then(keyword);
    let row = kind.and_then(|kind| Tcgen05Kind::read(Spelling::Nvvm, kind))?.row();
    // Scaling D down is a separate group of operands, before the mask of lanes.
    let scales = || {
        let groups = op.attribute("operandSegmentSizes").ok()?;
        let groups = DenseI32ArrayAttribute::try_from(groups).ok()?;
        groups.element(groups.len().checked_sub(2)?).ok()
    };
    match form {
        _ if row.on != Feature::Tcgen05 => Some((format!("tcgen05.mma of kind {}", row.name), row.on)),
        "" | ".sp" if scales() == Some(1) => Some((SCALES_D.to_owned(), Feature::Tcgen05ScaleD)),
        _ if form.starts_with(".sp") && row.sparse_on != row.on => {
            Some((format!("tcgen05.mma.sp of kind {}", row.name), row.sparse_on))
        }
        _ => None,
    }
}
