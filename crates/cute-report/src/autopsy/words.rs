//! Words of 64 bits in the text of a debugger: numbers alone, `x/2gx` of cuda-gdb with addresses
//! before a colon, and `x/4wx`, whose words of 32 bits are pairs, the low one first.

use super::Error;

/// A word of a dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word {
    /// Its number in the dump.
    pub(super) number: u64,
    /// Its address, if the dump tells one.
    pub(super) address: Option<u64>,
    pub(super) bits: u64,
}

/// Words at most: those of the shared memory of a block.
const MOST: usize = 1 << 15;

pub(super) fn words(text: &str) -> Result<Vec<Word>, Error> {
    let mut halves = Vec::new();
    let mut all: Vec<Word> = Vec::new();
    // The command that was typed after a prompt is not its answer.
    let is_typed =
        |line: &&str| ["(cuda-gdb)", "(gdb)"].iter().any(|prompt| line.trim_start().starts_with(prompt));
    'lines: for line in text.lines().filter(|line| !is_typed(line)) {
        let (address, numbers) = match line.split_once(':') {
            Some((address, numbers)) => (address_of(address), numbers),
            None => (None, line),
        };
        let mut at = address;
        for number in numbers.split(|c: char| c.is_whitespace() || c == ',' || c == ';') {
            // `$1 = ` and names are not numbers.
            let Some(digits) =
                number.strip_prefix("0x").or_else(|| number.strip_prefix("0X")).or(bare(number))
            else {
                continue;
            };
            if digits.is_empty() || !digits.chars().all(|c| c.is_ascii_hexdigit()) {
                continue;
            }
            let bits = u64::from_str_radix(digits, 16).map_err(|_| Error::Long(number.to_owned()))?;
            if digits.len() <= 8 && bits <= u64::from(u32::MAX) {
                halves.push((at, bits));
                at = at.map(|at| at + 4);
            } else {
                all.push(Word { number: all.len() as u64, address: at, bits });
                at = at.map(|at| at + 8);
            }
            if all.len() + halves.len() >= MOST {
                break 'lines;
            }
        }
    }
    // A word whose upper half is 0 may be printed without it; alone, it is one of 64 bits.
    if !all.is_empty() || halves.len() == 1 {
        let more: Vec<Word> =
            halves.iter().map(|(address, bits)| Word { number: 0, address: *address, bits: *bits }).collect();
        all.extend(more);
        all.sort_by_key(|word| (word.address, word.number));
    } else if halves.len() % 2 == 0 {
        let pair = |two: &[(Option<u64>, u64)]| Word {
            number: 0,
            address: two[0].0,
            bits: two[1].1 << 32 | two[0].1,
        };
        all = halves.chunks(2).map(pair).collect();
    } else {
        return Err(Error::Halves(halves.len()));
    }
    all.iter_mut().zip(0..).for_each(|(word, number)| word.number = number);
    if all.is_empty() {
        let shown: String = text.trim().chars().take(60).collect();
        return Err(Error::NoWords(cute_text::line(&shown).into_owned()));
    }
    Ok(all)
}

/// Digits without a prefix, which are long enough not to be a number of something else.
fn bare(text: &str) -> Option<&str> {
    (text.len() == 16 && text.chars().all(|c| c.is_ascii_hexdigit())).then_some(text)
}

/// The address before a colon: `0x400`, `0x400 <bar>`, `(@shared) 0x400`.
fn address_of(text: &str) -> Option<u64> {
    let found = text.split_whitespace().find_map(|word| word.strip_prefix("0x"))?;
    u64::from_str_radix(found, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(text: &str) -> Vec<(Option<u64>, u64)> {
        words(text).expect(text).into_iter().map(|word| (word.address, word.bits)).collect()
    }

    #[test]
    fn the_forms_of_debuggers_are_read() {
        let word = 0x7fff_f000_001f_fffc;
        assert_eq!(bits("0x7ffff000001ffffc"), [(None, word)]);
        assert_eq!(bits("7ffff000001ffffc"), [(None, word)]);
        assert_eq!(bits("$1 = 0x7ffff000001ffffc\n"), [(None, word)]);
        assert_eq!(
            bits("0x400:\t0x7ffff000001ffffc\t0x7ffff000001ffffc"),
            [(Some(0x400), word), (Some(0x408), word)]
        );
        assert_eq!(
            bits("0x400 <full>:\t0x001ffffc 0x7ffff000\n0x408: 0x001ffffc 0x7ffff000"),
            [(Some(0x400), word), (Some(0x408), word)]
        );
        assert_eq!(bits("0x0"), [(None, 0)]);
    }

    #[test]
    fn what_is_not_a_word_is_said() {
        for wrong in ["", "hang", "mbarrier: none", "0x"] {
            assert!(matches!(words(wrong), Err(Error::NoWords(_))), "{wrong}");
        }
        assert!(matches!(words("0x1 0x2 0x3"), Err(Error::Halves(3))));
        assert!(matches!(words("0x10000000000000000"), Err(Error::Long(_))));
    }
}
