//! The blocks that a timeline shows.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Blocks by their numbers in the grid, x fastest: all, or those of a list such as `0,4-7`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Blocks(Vec<RangeInclusive<u64>>);

/// A list of blocks that cannot be read, or that names a block that the grid does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadBlocks {
    /// The text is not a list.
    #[error("'{0}' is not a block or a range of blocks: write numbers from 0 on, as in 0,4-7")]
    Text(String),
    /// A range ends before it begins.
    #[error("the range {0}-{1} ends before it begins")]
    Backwards(u64, u64),
    /// The grid is smaller.
    #[error("there is no block {block}: the grid {grid:?} has the blocks 0 to {last}")]
    Beyond {
        /// The number that the list names.
        block: u64,
        /// Blocks in x, y, z.
        grid: [u32; 3],
        /// Its last block.
        last: u64,
    },
}

impl Blocks {
    /// Whether a block at this position of a grid is among them.
    pub fn has(&self, at: [u32; 3], grid: [u32; 3]) -> bool {
        let [x, y, z] = at.map(u64::from);
        let number = x + u64::from(grid[0]) * (y + u64::from(grid[1]) * z);
        self.0.is_empty() || self.0.iter().any(|range| range.contains(&number))
    }

    /// Checks that a grid has all of them.
    ///
    /// # Errors
    /// Returns [`BadBlocks::Beyond`] otherwise.
    pub fn check(&self, grid: [u32; 3]) -> Result<(), BadBlocks> {
        let last = grid.iter().map(|extent| u64::from(*extent)).product::<u64>().saturating_sub(1);
        match self.0.iter().map(|range| *range.end()).find(|end| *end > last) {
            Some(block) => Err(BadBlocks::Beyond { block, grid, last }),
            None => Ok(()),
        }
    }
}

impl FromStr for Blocks {
    type Err = BadBlocks;

    /// Reads a list of numbers and ranges.
    fn from_str(text: &str) -> Result<Self, BadBlocks> {
        let number = |part: &str| part.trim().parse::<u64>().map_err(|_| BadBlocks::Text(text.trim().into()));
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if first > last { Err(BadBlocks::Backwards(first, last)) } else { Ok(first..=last) }
        };
        text.split(',').map(range).collect::<Result<_, _>>().map(Blocks)
    }
}

impl fmt::Display for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = |range: &RangeInclusive<u64>| match (range.start(), range.end()) {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}-{last}"),
        };
        match self.0.is_empty() {
            true => f.write_str("all"),
            false => f.write_str(&self.0.iter().map(one).collect::<Vec<_>>().join(",")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_numbers_and_ranges() {
        let some: Blocks = "0, 4-6".parse().expect("a list");
        let inside = (0..8).filter(|x| some.has([x % 4, x / 4, 0], [4, 2, 1]));
        assert_eq!(inside.collect::<Vec<_>>(), [0, 4, 5, 6]);
        assert_eq!((some.check([7, 1, 1]), some.to_string().as_str()), (Ok(()), "0,4-6"));
        let beyond = some.check([3, 2, 1]).expect_err("block 6 is beyond");
        assert_eq!(beyond.to_string(), "there is no block 6: the grid [3, 2, 1] has the blocks 0 to 5");
        for wrong in ["", "a", "1-", "-1", "2,,3", "1-2-3", "99999999999999999999"] {
            assert!(matches!(wrong.parse::<Blocks>(), Err(BadBlocks::Text(_))), "{wrong}");
        }
        assert_eq!("5-4".parse::<Blocks>(), Err(BadBlocks::Backwards(5, 4)));
        assert!(Blocks::default().has([9, 9, 9], [10, 10, 10]));
    }
}
