//! Blocks of a grid that run without the others: `first,last,random:8,3,(1,2,0)`.

use crate::argument::split_mix;
use std::{collections::BTreeSet, fmt, str::FromStr, sync::Arc};

/// The most blocks of a sample.
const MOST: u32 = 1 << 20;

/// The seed of the blocks that are chosen at random, so that they are the same every time.
const SEED: u64 = 1;

/// Blocks of any grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnlyBlocks(Vec<Chosen>);

/// Some blocks of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chosen {
    First,
    Last,
    /// This many different ones, or all.
    Random(u32),
    /// Its number, x fastest.
    Number(u64),
    /// Its position.
    At([u32; 3]),
}

impl OnlyBlocks {
    /// The positions of the blocks in a grid, each once.
    ///
    /// # Errors
    /// A block that is not in the grid.
    pub fn of(&self, grid: [u32; 3]) -> Result<Arc<[[u32; 3]]>, String> {
        let count: u64 = grid.iter().map(|extent| u64::from(*extent)).product();
        let [x, y, z] = grid;
        let outside =
            |block: &Chosen| Err(format!("block {block} is not in the grid {x},{y},{z} of {count} blocks"));
        let mut numbers = BTreeSet::new();
        for block in &self.0 {
            let number = match *block {
                Chosen::First => 0,
                Chosen::Last => count.saturating_sub(1),
                Chosen::Number(number) => number,
                Chosen::At(at) if at.iter().zip(grid).any(|(at, extent)| *at >= extent) => count,
                Chosen::At([i, j, k]) => {
                    u64::from(i) + u64::from(x) * (u64::from(j) + u64::from(y) * u64::from(k))
                }
                Chosen::Random(some) if u64::from(some) >= count => {
                    numbers.extend(0..count);
                    continue;
                }
                Chosen::Random(some) => {
                    // The sample of Floyd and Bentley: each step adds one block that is not in it.
                    let mut own = BTreeSet::new();
                    for last in count - u64::from(some)..count {
                        let number = split_mix(SEED, last) % (last + 1);
                        let is_new = own.insert(number);
                        own.extend((!is_new).then_some(last));
                    }
                    numbers.extend(own);
                    continue;
                }
            };
            if number >= count {
                return outside(block);
            }
            numbers.insert(number);
        }
        let (x, y) = (u64::from(x), u64::from(y));
        let position = |n: u64| [n % x, n / x % y, n / x / y].map(|at| at as u32);
        Ok(numbers.into_iter().map(position).collect())
    }
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First => f.write_str("first"),
            Self::Last => f.write_str("last"),
            Self::Random(count) => write!(f, "random:{count}"),
            Self::Number(number) => number.fmt(f),
            Self::At([x, y, z]) => write!(f, "({x},{y},{z})"),
        }
    }
}

impl fmt::Display for OnlyBlocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&all.join(","))
    }
}

impl FromStr for OnlyBlocks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (mut all, mut rest) = (Vec::new(), text.trim());
        loop {
            // Commas in parentheses are those of a position.
            let from = if rest.starts_with('(') { rest.find(')').unwrap_or(0) } else { 0 };
            let end = rest[from..].find(',').map(|at| from + at);
            all.push(chosen(rest[..end.unwrap_or(rest.len())].trim())?);
            match end {
                Some(end) => rest = rest[end + 1..].trim_start(),
                None => return Ok(Self(all)),
            }
        }
    }
}

/// Reads one item of the list.
fn chosen(text: &str) -> Result<Chosen, String> {
    let forms = "write first, last, random:COUNT, the number of a block as in 3, or its position as in (1,2,0), with \
                 commas between them";
    let unknown = || format!("'{text}' is not a choice of blocks; {forms}");
    if let Some(count) = text.strip_prefix("random:") {
        return match count.trim().parse() {
            Ok(0) => Err("random:0 chooses no block; give a number from 1 on".into()),
            Ok(count @ 1..=MOST) => Ok(Chosen::Random(count)),
            Ok(_) => Err(format!("{text} chooses more than {MOST} blocks")),
            Err(_) => Err(unknown()),
        };
    }
    if let Some(inside) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
        let mut at = [0; 3];
        let parts: Vec<&str> = inside.trim_end_matches(',').split(',').collect();
        if parts.len() > 3 {
            return Err(unknown());
        }
        for (to, part) in at.iter_mut().zip(parts) {
            *to = part.trim().parse().map_err(|_| unknown())?;
        }
        return Ok(Chosen::At(at));
    }
    match text {
        "" => Err(format!("a choice of blocks is empty; {forms}")),
        "first" => Ok(Chosen::First),
        "last" => Ok(Chosen::Last),
        number => number.parse().map(Chosen::Number).map_err(|_| unknown()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, grid: [u32; 3]) -> Result<Vec<[u32; 3]>, String> {
        text.parse::<OnlyBlocks>()?.of(grid).map(|blocks| blocks.to_vec())
    }

    #[test]
    fn blocks_are_named_by_words_numbers_and_positions() {
        let grid = [4, 3, 2];
        assert_eq!(of("first,last", grid), Ok(vec![[0, 0, 0], [3, 2, 1]]));
        assert_eq!(of("5, (1,2,0), (3), 3", grid), Ok(vec![[3, 0, 0], [1, 1, 0], [1, 2, 0]]));
        assert_eq!(of("(1,2)", grid), Ok(vec![[1, 2, 0]]));
        assert_eq!(of("last", [u32::MAX, 1, 1]), Ok(vec![[u32::MAX - 1, 0, 0]]));
        let random = of("random:8", grid).unwrap();
        assert_eq!((random.len(), of("random:8", grid)), (8, Ok(random)));
        assert_eq!(of("random:99,first", grid).unwrap().len(), 24);
        let text = "first,last,random:8,3,(1,2,0)";
        assert_eq!(text.parse::<OnlyBlocks>().unwrap().to_string(), text);
    }

    #[test]
    fn wrong_choices_are_named() {
        let forms = "write first, last, random:COUNT, the number of a block as in 3, or its position as in (1,2,0), with \
                     commas between them";
        for (text, why) in [
            ("", format!("a choice of blocks is empty; {forms}")),
            ("first,", format!("a choice of blocks is empty; {forms}")),
            ("middle", format!("'middle' is not a choice of blocks; {forms}")),
            ("-1", format!("'-1' is not a choice of blocks; {forms}")),
            ("(1,2,3,4)", format!("'(1,2,3,4)' is not a choice of blocks; {forms}")),
            ("(1,2", format!("'(1' is not a choice of blocks; {forms}")),
            ("random:0", "random:0 chooses no block; give a number from 1 on".into()),
            ("random:x", format!("'random:x' is not a choice of blocks; {forms}")),
            ("random:1048577", "random:1048577 chooses more than 1048576 blocks".into()),
            ("24", "block 24 is not in the grid 4,3,2 of 24 blocks".into()),
            ("first,(0,3,0)", "block (0,3,0) is not in the grid 4,3,2 of 24 blocks".into()),
        ] {
            assert_eq!(of(text, [4, 3, 2]), Err(why), "{text}");
        }
    }
}
