//! The reason why two trees do, or do not, stand in a relation.

use cute_algebra::{Relation, Tuple, Verdict, error::Result, relate};

use super::Steps;
use crate::leaf::Leaf;

/// The first mode at which the relation fails, or depends on run-time values.
pub(super) fn steps(s: &mut Steps, name: &str, a: &Tuple<Leaf>, b: &Tuple<Leaf>) -> Result<()> {
    let relation = match name {
        "congruent" => Relation::Congruent,
        "weakly_congruent" => Relation::WeaklyCongruent,
        "compatible" => Relation::Compatible,
        _ => Relation::WeaklyCompatible,
    };
    match relate(relation, a.view(), b.view())? {
        Verdict::Holds => s.line("every mode agrees"),
        Verdict::Unknown(why) => s.line(format!("{why}, as far as known before run time")),
        Verdict::Fails(why) => s.line(why.to_string()),
    }
    Ok(())
}
