//! A sparse A: which of its elements are stored. Of four adjacent elements of a row two are stored,
//! or of two of tf32 one; the others are 0. 32 bits of metadata in each thread place the stored
//! ones.
//!
//! ```text
//! four elements: bits [1:0] are the index of the first stored one, [3:2] that of the second
//! two of tf32:   0b0100 is the first one, 0b1110 the second: each is two units of 16 bits
//! ```
//!
//! PTX ISA, wgmma.mma_async.sp: sparse matrix storage, and the fragments of metadata, whose layout
//! the [atom](cute_arch::atoms::Metadata) has.

use crate::families::wgmma::rules::WgmmaRule;
use crate::tensor::fragment::at_all;
use cute_arch::atoms::MmaAtom;

/// Threads of a warpgroup.
const GROUP_LANES: usize = 128;

/// Bits of metadata that describe some adjacent elements.
const CODE: usize = 4;

/// The metadata of an instruction.
#[derive(Debug)]
pub struct Sparsity {
    /// Elements of A that a code describes: 4, or 2 of tf32.
    elements: usize,
    /// For each code of each thread, the row and the column of the first of these elements; the
    /// threads of a code are adjacent.
    places: Vec<(usize, usize)>,
    /// For each selector, the threads whose metadata count.
    chosen: Vec<[bool; GROUP_LANES]>,
}

/// For each stored element of A, row after row, its column.
pub(crate) type Columns = Vec<u16>;

impl Sparsity {
    /// The metadata of an atom; `None` if its A is dense, or they have another form.
    pub(super) fn of(atom: &MmaAtom) -> Option<Self> {
        let metadata = atom.metadata.as_ref()?;
        let all = at_all(metadata.layout.as_ref()?)?;
        let (m, elements) = (atom.shape[0] as usize, metadata.per_byte as usize / 2);
        let firsts: Vec<&[i64]> = all.chunks_exact(GROUP_LANES).step_by(elements).collect();
        if ![2, 4].contains(&elements) || firsts.len() * CODE != 32 {
            return None;
        }
        let place = |index: &i64| (*index as usize % m, *index as usize / m);
        // Threads that could describe the same elements are chosen one by one.
        let turn = |thread: usize| firsts[0][..thread].iter().filter(|at| **at == firsts[0][thread]).count();
        let turns: [usize; GROUP_LANES] = std::array::from_fn(turn);
        let selectors = 0..=turns.into_iter().max()?;
        Some(Sparsity {
            elements,
            places: firsts.iter().flat_map(|codes| codes.iter().map(place)).collect(),
            chosen: selectors.map(|selector| turns.map(|turn| turn == selector)).collect(),
        })
    }

    /// The number of selectors, which count from 0.
    pub fn selectors(&self) -> u32 {
        self.chosen.len() as u32
    }

    /// Whether the metadata of a thread count.
    pub(crate) fn chooses(&self, selector: u32, thread: usize) -> bool {
        self.chosen.get(selector as usize).is_some_and(|chosen| chosen[thread])
    }

    /// The columns of the stored elements of A, of which a row has `stored`, by the metadata of all
    /// threads; or the rule that those of a thread break.
    pub(crate) fn columns(
        &self,
        words: &[u32; GROUP_LANES],
        selector: u32,
        [m, stored]: [usize; 2],
    ) -> Result<Columns, (usize, WgmmaRule)> {
        let mut columns = vec![0; m * stored];
        for (i, (row, first)) in self.places.iter().copied().enumerate() {
            let (of, thread) = (i / GROUP_LANES, i % GROUP_LANES);
            if !self.chooses(selector, thread) {
                continue;
            }
            let word = words[thread];
            let code = word >> (of * CODE) & 0b1111;
            let indices = self.indices(code).ok_or_else(|| {
                let columns = [first, first + self.elements - 1];
                (thread, WgmmaRule::Metadata { word, code, row, columns })
            })?;
            // Half of the elements are stored.
            let to = &mut columns[row * stored + first / 2..][..self.elements / 2];
            to.iter_mut().zip(indices).for_each(|(to, index)| *to = (first + index) as u16);
        }
        Ok(columns)
    }

    /// The indices of stored elements; `None` for a code that PTX leaves undefined.
    fn indices(&self, code: u32) -> Option<[usize; 2]> {
        let [first, second] = [code & 3, code >> 2].map(|index| index as usize);
        match (self.elements, code) {
            (2, 0b0100) => Some([0; 2]),
            (2, 0b1110) => Some([1; 2]),
            (4, _) if first != second => Some([first, second]),
            _ => None,
        }
    }
}
