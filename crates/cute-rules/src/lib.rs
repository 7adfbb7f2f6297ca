//! Rules whose violation a user can see, as data. Each crate lists its own with [`rules!`]; reports
//! name them by their ids, and `cutec --explain` prints their texts. It must not know any rule.
//!
//! ```
//! cute_rules::rules! {
//!     /// The rules of a door.
//!     #[derive(Debug, Clone, Copy, PartialEq, Eq)]
//!     pub enum Door {
//!         /// It is closed at night.
//!         Closed = "door-closed": "The door is closed at night.", "the door is closed until ..", "Come back later.";
//!     }
//! }
//! assert_eq!(Door::Closed.id(), "door-closed");
//! assert_eq!(Door::RULES[0].repair, "Come back later.");
//! ```

#![forbid(unsafe_code)]
#![deny(missing_docs)]

use std::fmt;

/// One rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Words in kebab case, which stay the same when texts change.
    pub id: &'static str,
    /// The condition that is broken, as sentences.
    pub meaning: &'static str,
    /// The forms of its message, one per line, in which `..` stands for any text.
    pub message: &'static str,
    /// The way out, as sentences; empty if there is none to name.
    pub repair: &'static str,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, meaning, message, repair } = self;
        write!(f, "{id}: {meaning}\n\n")?;
        message.lines().try_for_each(|form| writeln!(f, "Message: {form}"))?;
        if repair.is_empty() { Ok(()) } else { writeln!(f, "Repair: {repair}") }
    }
}

impl Rule {
    /// How many characters of a message one of its forms fixes, if the message has that form.
    fn fits(&self, message: &str) -> Option<usize> {
        self.message
            .lines()
            .filter(|form| has_form(message, form))
            .map(|form| form.replace("..", "").len())
            .max()
    }
}

/// The rule whose message this is: the one whose form fixes most of its characters.
///
/// ```
/// use cute_rules::{Rule, by_message};
/// let rule = |id, message| Rule { id, meaning: "", message, repair: "" };
/// let rules = [rule("any", "'..' op .."), rule("count", "'..' op expects .., found ..")];
/// assert_eq!(by_message(&rules, "'a.b' op expects two, found 1").unwrap().id, "count");
/// assert_eq!(by_message(&rules, "'a.b' op differs").unwrap().id, "any");
/// assert!(by_message(&rules, "unknown").is_none());
/// ```
pub fn by_message<'r>(rules: impl IntoIterator<Item = &'r Rule>, message: &str) -> Option<&'r Rule> {
    let fitting = rules.into_iter().filter_map(|rule| Some((rule.fits(message)?, rule)));
    fitting.max_by_key(|(fixed, _)| *fixed).map(|(_, rule)| rule)
}

/// Whether a text has a form, in which `..` stands for any text, from its beginning to its end.
fn has_form(text: &str, form: &str) -> bool {
    let Some((first, others)) = form.split_once("..") else { return text == form };
    let (between, last) = others.rsplit_once("..").unwrap_or(("", others));
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    for part in between.split("..") {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

/// Declares an enum whose variants are rules: `Variant = "id": "meaning", "message", "repair";`.
/// It gets `RULES`, the rules of all variants in their order, and `rule()` and `id()`.
#[macro_export]
macro_rules! rules {
    ($(#[$meta:meta])* $vis:vis enum $name:ident {
        $($(#[$doc:meta])* $variant:ident = $id:literal: $meaning:literal, $message:literal, $repair:literal;)*
    }) => {
        $(#[$meta])*
        $vis enum $name { $($(#[$doc])* $variant),* }

        impl $name {
            /// The rules of all variants, in their order.
            pub const RULES: &'static [$crate::Rule] = &[
                $($crate::Rule { id: $id, meaning: $meaning, message: $message, repair: $repair }),*
            ];

            /// The rule that the variant names.
            pub fn rule(&self) -> &'static $crate::Rule {
                match self {
                    $(Self::$variant => const {
                        &$crate::Rule { id: $id, meaning: $meaning, message: $message, repair: $repair }
                    }),*
                }
            }

            /// The id of the rule.
            pub fn id(&self) -> &'static str {
                self.rule().id
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_without_a_way_out_says_none() {
        let rule = Rule { id: "a-b", meaning: "A is B.", message: "a is not b", repair: "" };
        assert_eq!(rule.to_string(), "a-b: A is B.\n\nMessage: a is not b\n");
        let rule = Rule { repair: "Make it b.", ..rule };
        assert!(rule.to_string().ends_with("a is not b\nRepair: Make it b.\n"));
    }
}
