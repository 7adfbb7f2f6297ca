//! How much of a matrix a test tries: a sample; with `CUTE_FULL` set, as `./dev test --full` does,
//! all of it; and with `CUTE_FULL=K/N`, the K-th of N shards.
#![allow(dead_code)]

/// A shard, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    pub number: usize,
    pub of: usize,
}

impl Shard {
    /// The shard that a text such as `2/6` names; any other text without `/` names the whole.
    fn read(text: &str) -> Self {
        let Some((number, of)) = text.split_once('/') else { return Self { number: 1, of: 1 } };
        let shard = match (number.parse(), of.parse()) {
            (Ok(number), Ok(of)) => Self { number, of },
            _ => panic!("CUTE_FULL={text}: a shard is K/N, such as 2/6"),
        };
        assert!((1..=shard.of).contains(&shard.number), "CUTE_FULL={text}: K is between 1 and N");
        shard
    }

    /// Whether the case with this index belongs to the shard.
    pub fn has(self, index: usize) -> bool {
        index % self.of == self.number - 1
    }
}

/// The shard to try; `None` for a sample.
pub fn shard() -> Option<Shard> {
    std::env::var("CUTE_FULL").ok().map(|text| Shard::read(&text))
}

/// Whether to try the case with this index, if a sample has every `step`-th.
pub fn takes(index: usize, step: usize) -> bool {
    shard().map_or(index.is_multiple_of(step), |shard| shard.has(index))
}

/// Whether to try all of a matrix that cannot be divided; its number decides about the shard.
pub fn all_of(matrix: usize) -> bool {
    shard().is_some_and(|shard| shard.has(matrix))
}

#[test]
fn shards_are_read_and_divide_the_cases() {
    assert_eq!(Shard::read("1"), Shard { number: 1, of: 1 });
    let shards = [1, 2, 3].map(|number| Shard::read(&format!("{number}/3")));
    assert!((0..10).all(|case| shards.iter().filter(|shard| shard.has(case)).count() == 1));
}
