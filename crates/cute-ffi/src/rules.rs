//! The rules that `td/` declares for ops, types and attributes.

/// One rule of an op, a type or an attribute.
#[derive(Debug, Clone, Copy)]
pub struct DeclaredRule {
    /// The name of the op, such as `cute.copy`, or of the type, such as `!cute.layout`.
    pub owner: &'static str,
    /// IR that keeps the rules of the op; of a type or attribute, its body.
    pub example: &'static str,
    /// The rule. Its message is that of a diagnostic.
    pub rule: cute_rules::Rule,
}

/// All rules, by the names of their owners.
pub const DECLARED: &[DeclaredRule] = include!(concat!(env!("OUT_DIR"), "/rules.rs"));

impl DeclaredRule {
    /// Whether it belongs to an op, and not to a type or attribute.
    pub fn is_of_op(&self) -> bool {
        !self.owner.starts_with(['!', '#'])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_from_the_declarations() {
        assert!(DECLARED.len() > 400, "{}", DECLARED.len());
        let found =
            DECLARED.iter().find(|declared| declared.owner == "cute.get_leaves").expect("it has rules");
        assert!(found.is_of_op() && found.rule.id.starts_with("get-leaves."), "{found:?}");
        assert!(found.rule.message.starts_with("..'cute.get_leaves' op .."), "{found:?}");
        assert!(found.example.contains("cute.get_leaves"), "{found:?}");
    }
}
