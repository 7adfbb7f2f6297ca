//! The rules of the instruction set, as families state them: sentences that hold in a correct
//! kernel. What a kernel does that breaks one is a finding, which is not known here.

/// A rule of the instruction set that the simulator checks, or a case that it leaves alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IsaRule {
    /// Its name, such as `X1`. Several parts of a rule share one.
    pub id: &'static str,
    /// The rule, as it holds in a correct kernel.
    pub rule: &'static str,
    /// The section of the PTX ISA.
    pub section: &'static str,
    /// The findings that a violation causes.
    pub finding: &'static str,
}

/// States the rules of a family, which the list in `finding/isa.rs` names.
macro_rules! rules {
    ($($id:literal, $rule:literal, $section:literal, $finding:literal;)*) => {
        /// Rules of the instruction set.
        pub(crate) const ISA: &[$crate::isa::IsaRule] =
            &[$($crate::isa::IsaRule { id: $id, rule: $rule, section: $section, finding: $finding }),*];
    };
}

pub(crate) use rules;
