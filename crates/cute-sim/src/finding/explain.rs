//! Explanations of findings and rules by their names, which reports in JSON have.

use super::isa::ISA_RULES;
use super::kinds::KINDS;
use super::rules::RULES;
use crate::isa::IsaRule;
use std::fmt::Write;

/// The text about a kind of finding, such as `race`, or a rule, such as `X1`: its meaning, the
/// section of the PTX ISA, and the way out.
///
/// ```
/// let text = cute_sim::explain("race").unwrap();
/// assert!(text.contains("Repair: Put a barrier between the two accesses"));
/// assert!(cute_sim::explain("x2").unwrap().starts_with("X2 (PTX ISA, Async proxy): "));
/// assert_eq!(cute_sim::explain("Z1"), None);
/// ```
pub fn explain(name: &str) -> Option<String> {
    let kind = kind(name);
    let text = if kind.is_empty() { rule(name) } else { kind };
    (!text.is_empty()).then(|| plain(&text))
}

/// A kind of finding, and the rules whose violation it reports; empty if there is none.
fn kind(name: &str) -> String {
    let mut text = String::new();
    for kinds in KINDS.iter().filter(|kinds| kinds.names.contains(&name)) {
        let all = kinds.names.join(", ");
        let page = kinds.names[0];
        text += &format!(
            "{all}: {}\n\nRepair: {}\nAn example, and what devices do: docs/findings/{page}.md\n",
            kinds.meaning, kinds.repair
        );
    }
    let is_about = |rule: &&IsaRule| reports(rule, name);
    let rules = ISA_RULES.iter().filter(is_about);
    let lines: String =
        rules.map(|rule| format!("  {} ({}): {}\n", rule.id, rule.section, rule.rule)).collect();
    if !text.is_empty() && !lines.is_empty() {
        text += &format!("\nRules that it reports, with their sections of the PTX ISA:\n{lines}");
    }
    text
}

fn reports(rule: &IsaRule, kind: &str) -> bool {
    rule.finding.contains(&format!("`{kind}`"))
}

/// A rule, with all its parts; empty if there is none.
fn rule(name: &str) -> String {
    let is_it = |id: &str| id.eq_ignore_ascii_case(name);
    let mut text = String::new();
    for part in ISA_RULES.iter().filter(|part| is_it(part.id)) {
        let IsaRule { id, rule, section, finding } = part;
        let source = if section.starts_with("none: ") { *section } else { &format!("PTX ISA, {section}") };
        text += &format!("{id} ({source}): {rule}\n  finding: {finding}\n");
        for kinds in KINDS.iter().filter(|kinds| kinds.names.iter().any(|kind| reports(part, kind))) {
            let names = kinds.names.iter().filter(|kind| reports(part, kind)).copied().collect::<Vec<_>>();
            // Writing to a String cannot fail.
            let _ = writeln!(text, "  repair of {}: {}", names.join(", "), kinds.repair);
        }
    }
    for row in RULES.iter().filter(|row| is_it(row.id)) {
        let _ = writeln!(text, "\n{}, if {}:\n  {row}", row.grade, row.case);
    }
    text
}

/// A text without the links of a page.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](#") {
        let (Some(open), Some((section, left))) = (before.rfind('['), after.split_once(')')) else { break };
        plain += &format!("{}docs/simulator.md#{section}", &before[..open]);
        rest = left;
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FindingKind;

    #[test]
    fn every_kind_and_rule_has_an_explanation() {
        let names: Vec<&str> = KINDS.iter().flat_map(|kinds| kinds.names).copied().collect();
        for name in FindingKind::NAMES {
            assert_eq!(names.iter().filter(|known| *known == name).count(), 1, "{name}");
            assert!(explain(name).is_some_and(|text| text.contains("Repair: ")), "{name}");
        }
        assert_eq!(names.len(), FindingKind::NAMES.len());
        for row in RULES {
            let text = explain(row.id).unwrap_or_default();
            assert!(text.contains(row.case) && text.contains("\n  finding: "), "{}: {text}", row.id);
        }
        let quoted = |rule: &IsaRule| -> Vec<String> {
            rule.finding.split('`').skip(1).step_by(2).map(str::to_owned).collect()
        };
        for name in ISA_RULES.iter().flat_map(quoted) {
            assert!(FindingKind::NAMES.contains(&name.as_str()), "{name}");
        }
    }

    #[test]
    fn links_become_places_in_the_documents() {
        assert_eq!(plain("see [a b](#c), [d](#e)."), "see docs/simulator.md#c, docs/simulator.md#e.");
        assert_eq!(plain("a](#"), "a](#");
        for name in FindingKind::NAMES {
            assert!(!explain(name).unwrap_or_default().contains("]("), "{name}");
        }
    }
}
