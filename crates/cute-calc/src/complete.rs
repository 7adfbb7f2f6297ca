//! Completion at the prompt: commands, functions, variables and atoms.

use cute_eval::{command::COMMANDS, registry, tilings::Atom};
use rustyline::{
    Context, Helper, completion::Completer, highlight::Highlighter, hint::Hinter, validate::Validator,
};

use crate::command::PROMPT_COMMANDS;

/// The completions of a word. The variables are those defined before the current line.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub variables: Vec<String>,
}

impl Completer for Names {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.complete(&line[..at]))
    }
}

impl Names {
    /// Returns the start of the last word of `line`, and its completions. Because the names of
    /// atoms contain brackets and colons, the word is the longest end of the line with which a name
    /// starts.
    fn complete(&self, line: &str) -> (usize, Vec<String>) {
        let part = |c: char| c.is_ascii_alphanumeric() || "_:<,>".contains(c);
        let from = line.rfind(|c| !part(c)).map_or(0, |last| last + 1);
        let starts = line.char_indices().skip_while(|(i, _)| *i < from).filter(|(i, c)| {
            let before = line[..*i].chars().next_back();
            c.is_ascii_alphabetic() && !before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
        });
        for (start, _) in starts {
            let first = line[..start].trim_start_matches([' ', ':']).is_empty();
            let found = self.starting(&line[start..], first);
            if !found.is_empty() {
                return (start, found);
            }
        }
        (line.len(), Vec::new())
    }

    fn starting(&self, word: &str, first: bool) -> Vec<String> {
        let fixed = COMMANDS.iter().map(|(name, ..)| *name).chain(PROMPT_COMMANDS).filter(|_| first);
        let fixed = fixed.chain(registry::names()).chain(Atom::names()).map(str::to_string);
        let all = fixed.chain(self.variables.iter().cloned());
        let mut found: Vec<_> = all.filter(|name| name.starts_with(word)).collect();
        found.sort();
        found.dedup();
        found
    }
}

impl Helper for Names {}
impl Highlighter for Names {}
impl Validator for Names {}
impl Hinter for Names {
    type Hint = String;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_completed_where_they_stand() {
        let names = Names { variables: vec!["tile".into()] };
        let complete = |line: &str| names.complete(line);
        assert_eq!(complete("size(coalesce_p"), (5, vec!["coalesce_profile".to_string()]));
        assert_eq!(complete("expl"), (0, vec!["explain".to_string()]));
        assert_eq!(complete(":ta").1, ["table", "take"]);
        assert!(complete("A = ti").1.contains(&"tile".to_string()));
        assert_eq!(complete("4:expl").1, Vec::<String>::new());
        let sparse = complete("tiled_mma(SPARSE::GMMA_64x64x64_S32S8U8_SS_TN_S");
        assert_eq!(sparse, (10, vec!["SPARSE::GMMA_64x64x64_S32S8U8_SS_TN_SATURATE".to_string()]));
        assert!(complete("UniversalCopy<uint128").1.contains(&"UniversalCopy<uint128_t>".to_string()));
        assert_eq!(complete("(2,"), (3, Vec::new()));
    }
}
