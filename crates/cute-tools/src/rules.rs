//! The rules of all crates, by their ids.

use cute_decode::host::HostRule;
use cute_dialect::error::OpRule;
use cute_ffi::rules::DECLARED;
use cute_launch::{error::LaunchRule, failure::RequestRule};
use cute_prove::ProofRule;
use cute_rules::Rule;
use cute_sim::{FindingKind, ISA_RULES, Malformed, Refused, Unmodelled};

/// A part of the rules, with the title that the documents give it.
pub struct Section {
    /// Its heading in the documents.
    pub title: &'static str,
    /// The rules of the crates that it is about, table by table.
    pub tables: &'static [&'static [Rule]],
}

/// The rules that crates list, part by part; those of single ops are in [`DECLARED`].
pub const SECTIONS: &[Section] = &[
    Section { title: "Reading PTX and IR", tables: &[Malformed::RULES, Unmodelled::RULES] },
    Section {
        title: "Launches",
        tables: &[Refused::RULES, LaunchRule::RULES, HostRule::RULES, RequestRule::RULES, ProofRule::RULES],
    },
    Section { title: "Ops and atoms", tables: &[OpRule::RULES] },
];

/// All rules of [`SECTIONS`].
pub fn listed() -> impl Iterator<Item = &'static Rule> {
    SECTIONS.iter().flat_map(|section| section.tables).flat_map(|table| table.iter())
}

/// All ids: of rules, of findings of the simulator, and of the rules that findings name.
pub fn ids() -> impl Iterator<Item = &'static str> {
    let declared = DECLARED.iter().map(|declared| declared.rule.id);
    let findings = FindingKind::NAMES.iter().copied().chain(ISA_RULES.iter().map(|rule| rule.id));
    listed().map(|rule| rule.id).chain(declared).chain(findings)
}

/// The text about a rule or a finding, if there is one with this id.
pub fn explain(id: &str) -> Option<String> {
    let is_it = |rule: &&Rule| rule.id.eq_ignore_ascii_case(id);
    if let Some(text) = cute_sim::explain(id) {
        return Some(text);
    }
    if let Some(rule) = listed().find(is_it) {
        return Some(rule.to_string());
    }
    let declared = DECLARED.iter().find(|declared| is_it(&&declared.rule))?;
    let example = match (declared.is_of_op(), declared.example) {
        (_, "") => String::new(),
        (true, ir) => format!("\nAn example that keeps the rules:\n{}", indented(ir)),
        (false, body) => {
            format!("\nAn example that keeps the rules:\n{}", indented(&format!("{}{body}", declared.owner)))
        }
    };
    Some(format!("{}{example}", declared.rule))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

/// Ids that were probably meant, the nearest first: at most three.
pub fn near(id: &str) -> Vec<&'static str> {
    cute_algebra::text::near(id, ids())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_id_is_unique_and_explained() {
        let mut seen = BTreeSet::new();
        for rule in listed().chain(DECLARED.iter().map(|declared| &declared.rule)) {
            assert!(seen.insert(rule.id), "{} is the id of two rules", rule.id);
            let is_kebab = |part: &str| {
                !part.is_empty()
                    && part.split('-').all(|word| {
                        !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
                    })
            };
            assert!(rule.id.split('.').all(is_kebab), "{} is not in kebab case", rule.id);
            assert!(!ends_openly(rule.meaning) && !ends_openly(rule.repair), "{rule}");
            assert!(!rule.message.is_empty(), "{rule}");
        }
        assert!(FindingKind::NAMES.iter().all(|name| seen.insert(name)), "a finding has the id of a rule");
        for id in ids() {
            let text = explain(id).unwrap_or_default();
            assert!(text.contains(id), "{id}: {text}");
        }
    }

    /// Whether a text does not end as a sentence does.
    fn ends_openly(text: &str) -> bool {
        !text.ends_with(['.', '?', '!'])
    }

    #[test]
    fn a_rule_of_an_op_is_explained_with_its_example() {
        let text = explain("get-leaves.one-result-per-leaf").expect("the rule exists");
        assert!(
            text.contains("\nMessage: ..'cute.get_leaves' op ..") && text.contains("\nRepair: "),
            "{text}"
        );
        assert!(text.contains("An example that keeps the rules:\n  %"), "{text}");
        assert_eq!(explain("get-leaves"), None);
    }

    #[test]
    fn near_ids_are_suggested() {
        assert_eq!(near("unmodeled-call").first(), Some(&"unmodelled-call"));
        assert_eq!(near("rice").first(), Some(&"race"));
        assert!(near("zebra crossing").is_empty(), "{:?}", near("zebra crossing"));
        assert!(near("unmodelled-x").len() <= 3);
    }
}
