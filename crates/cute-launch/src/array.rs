//! Arrays in global memory, as a run begins with them.

use std::sync::Arc;

use crate::{
    address::Located,
    argument::reserved,
    element::Element,
    error::{Error, Result},
    fill::DimensionOrder,
    hole::{self, Hole},
    packed,
};
use cute_sim::Contents;

/// An array in global memory, before the run.
#[derive(Debug)]
pub struct Array {
    /// The name in its `--arg`, or otherwise in the source.
    pub name: String,
    /// The element type.
    pub element: Element,
    /// Row-major.
    pub shape: Vec<usize>,
    /// Little-endian, as the elements lie in memory: those of less than a byte are packed.
    pub contents: Arc<dyn Contents>,
    /// The order of the elements in memory.
    pub order: DimensionOrder,
    /// The bytes of memory that depend on where other arrays lie, with their places.
    pub holes: Vec<(usize, Hole)>,
    /// The rows, or the memory of a view, that it was given as, if it was.
    pub rows: Option<Arc<[u8]>>,
    /// Whether a read of an element that nothing has written is a mistake.
    pub is_undefined: bool,
    /// Extents and order of the parameter's layout, if the array is memory for it.
    pub layout: Option<(Vec<usize>, DimensionOrder)>,
}

impl Array {
    /// Whether its elements are all of its memory, in the order of memory.
    pub fn is_memory(&self) -> bool {
        self.order == DimensionOrder::default()
    }
}

impl Array {
    /// Whether the bytes of its memory are those of its elements, row by row.
    pub fn lies_row_by_row(&self) -> bool {
        self.element.bits() >= 8 && self.order.is_row_major()
    }

    /// The initial contents of memory, with the arrays that have their addresses.
    ///
    /// # Errors
    /// Fails if there is not enough memory for the contents, or if a hole cannot be filled.
    pub fn memory(&self, arrays: &[Located<'_>]) -> Result<Arc<dyn Contents>> {
        if self.holes.is_empty() {
            return Ok(self.contents.clone());
        }
        let failed = |why| Error::Argument { argument: self.name.clone(), why };
        let mut bytes = reserved(self.contents.size()).map_err(failed)?;
        bytes.resize(self.contents.size(), 0);
        self.contents.read(0, &mut bytes);
        hole::fill(&mut bytes, &self.holes, arrays).map_err(failed)?;
        Ok(Arc::new(bytes))
    }

    /// The bytes row by row, from the contents of memory after a run.
    pub fn rows(&self, memory: Vec<u8>) -> Vec<u8> {
        let mut rows = self.order.to_rows(packed::unpack(memory, self.element.bits()), self.element.bytes());
        // The last byte of packed elements may have room for more.
        rows.truncate(self.shape.iter().product::<usize>().saturating_mul(self.element.bytes()));
        rows
    }
}

/// Arrays with their addresses.
pub fn located<'a>(arrays: &'a [Array], addresses: &[u64]) -> Vec<Located<'a>> {
    let one = |(array, address): (&'a Array, &u64)| Located {
        name: &array.name,
        rows: array.rows.as_ref(),
        element: array.element,
        shape: &array.shape,
        size: array.contents.size() as u64,
        address: *address,
    };
    arrays.iter().zip(addresses).map(one).collect()
}

/// The numbers of the arrays in an order in which each follows those whose addresses it holds.
///
/// # Errors
/// [`Error::Argument`]: an address of an array that does not exist, or arrays that hold the
/// addresses of each other.
pub fn in_order(arrays: &[Array]) -> Result<Vec<usize>> {
    let known = located(arrays, &vec![0; arrays.len()]);
    let pointees = |array: &Array| {
        let failed = |why| Error::Argument { argument: array.name.clone(), why };
        array.holes.iter().map(|(_, hole)| hole.pointee().find(&known).map_err(failed)).collect()
    };
    let held: Vec<Vec<usize>> = arrays.iter().map(pointees).collect::<Result<_>>()?;
    let (mut order, mut is_placed) = (Vec::new(), vec![false; arrays.len()]);
    while order.len() < arrays.len() {
        let is_next = |i: &usize| !is_placed[*i] && held[*i].iter().all(|pointee| is_placed[*pointee]);
        let next: Vec<usize> = (0..arrays.len()).filter(is_next).collect();
        if next.is_empty() {
            let left = is_placed.iter().position(|placed| !placed).map_or("", |i| &arrays[i].name);
            let why = "it holds its own address, or that of an array that holds its address; such cycles are not supported";
            return Err(Error::Argument { argument: left.into(), why: why.into() });
        }
        next.iter().for_each(|i| is_placed[*i] = true);
        order.extend(next);
    }
    Ok(order)
}
