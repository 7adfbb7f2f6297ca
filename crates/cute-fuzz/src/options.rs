//! Random options for a command, from a table or from the command's own help.

use crate::{mutate::NUMBERS, random::Random};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flag {
    name: String,
    /// The values that it takes, empty for a switch.
    values: Vec<String>,
}

/// Numbers that an option for an extent may well have.
const EXTENTS: [&str; 12] = ["1", "2", "3", "4", "8", "16", "32", "48", "64", "96", "128", "256"];

impl Flag {
    pub fn new(name: &str, values: &[&str]) -> Self {
        Self { name: name.into(), values: values.iter().map(|value| value.to_string()).collect() }
    }

    fn words(&self, random: &mut Random) -> Vec<String> {
        let value = random.pick(&self.values).cloned();
        std::iter::once(self.name.clone()).chain(value).collect()
    }
}

/// Some of the options, each once in `rarity` cases.
pub fn some(flags: &[Flag], rarity: usize, random: &mut Random) -> Vec<String> {
    let mut words = Vec::new();
    for flag in flags {
        if random.below(rarity) == 0 {
            words.extend(flag.words(random));
        }
    }
    words
}

/// The options that a short help lists before `--target`, after which they are those of every
/// compilation. Options whose values it does not list take numbers.
pub fn of_help(help: &str) -> Vec<Flag> {
    let lines = help.lines().map(str::trim).filter(|line| line.starts_with("--"));
    lines.take_while(|line| !line.starts_with("--target")).map(of_line).collect()
}

fn of_line(line: &str) -> Flag {
    let name = line.split_whitespace().next().unwrap_or_default();
    let listed = line.split_once("[possible values: ").and_then(|(_, rest)| rest.split_once(']'));
    let values = match listed {
        Some((values, _)) => values.split(", ").collect(),
        None if line[name.len()..].starts_with(" <") => {
            // Usual ones three times as often.
            [&EXTENTS[..], &EXTENTS, &EXTENTS, &NUMBERS].concat()
        }
        None => Vec::new(),
    };
    Flag::new(name, &values)
}

/// The names of the commands that a help lists.
pub fn commands(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HELP: &str = "A kernel\n\nCommands:\n  one   First\n  help  Print this\n\nOptions:
      --types <TYPES>  Types [default: f16] [possible values: f16, bf16]
      --tile <N>       Rows [default: 128]
      --batch          Many products
      --target <GPU>   GPU [possible values: sm_80]
      --emit <KIND>    Output";

    #[test]
    fn options_are_those_of_the_help() {
        let [types, tile, batch] = &of_help(HELP)[..] else { panic!("{:?}", of_help(HELP)) };
        assert_eq!((types, batch), (&Flag::new("--types", &["f16", "bf16"]), &Flag::new("--batch", &[])));
        assert!(tile.name == "--tile" && tile.values.iter().any(|value| value == "9223372036854775807"));
        assert_eq!(commands(HELP), ["one"]);
        let words = some(&of_help(HELP), 1, &mut Random::of(1, 1));
        assert!(words.len() == 5 && words[4] == "--batch", "{words:?}");
    }
}
