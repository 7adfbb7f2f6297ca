//! Ops of NVVM that the target has no instruction for. LLVM would stop at them without a word about targets.

use cute_arch::{Feature, Target};
use cute_ffi::ir::{self, op_name};
use melior::ir::{
    TypeLike,
    operation::{OperationLike, OperationRef},
};

use crate::build::{Build, Built};

/// Refuses an op that the target lacks the instruction of.
pub(super) fn check<'c>(op: OperationRef<'c, 'c>, target: Target) -> Built<()> {
    let Some((what, feature)) = needs(op) else { return Ok(()) };
    let on = feature.on();
    if on.on(target) {
        return Ok(());
    }
    Build::before(op).refuse(&format!("{target} has no {what}; it is on {on}"))
}

/// The instruction of an op of NVVM, and the feature that brings it, where not every target has it.
fn needs(op: OperationRef<'_, '_>) -> Option<(&'static str, Feature)> {
    let name = op_name(op).strip_prefix("nvvm.")?;
    let is_integer = || op.attribute("kind").is_ok_and(|kind| kind.to_string().contains("<i8>"));
    // Behind D, A, B, the descriptor and the flag: a number, or a vector of lanes.
    let scales = || ir::operands(op).get(5).is_some_and(|operand| ir::type_of(*operand).is_integer());
    const FAMILIES: [(&str, &str, Feature); 7] = [
        ("tcgen05.", "tcgen05", Feature::Tcgen05),
        ("wgmma.", "wgmma", Feature::Wgmma),
        ("clusterlaunchcontrol.", "clusterlaunchcontrol", Feature::LaunchControl),
        ("cp.async.bulk.", "cp.async.bulk", Feature::Tma),
        ("cluster.", "barrier.cluster", Feature::Clusters),
        ("griddepcontrol", "griddepcontrol", Feature::DependentLaunch),
        ("setmaxregister", "setmaxnreg", Feature::Setmaxnreg),
    ];
    Some(match name {
        "tcgen05.shift" => ("tcgen05.shift", Feature::Tcgen05Shift),
        "tcgen05.mma" if is_integer() => ("tcgen05.mma of kind i8", Feature::Tcgen05Integer),
        "tcgen05.mma" if scales() => ("tcgen05.mma that scales D", Feature::Tcgen05ScaleD),
        "clusterlaunchcontrol.try.cancel" if op.has_attribute("multicast") => {
            ("clusterlaunchcontrol with multicast", Feature::LaunchControlMulticast)
        }
        "mapa" => ("mapa", Feature::Clusters),
        _ => FAMILIES
            .into_iter()
            .find(|(prefix, ..)| name.starts_with(prefix))
            .map(|(_, what, on)| (what, on))?,
    })
}
