//! Arrays in global memory, as a run begins with them.

use std::sync::Arc;

use crate::{
    element::Element,
    error::{Error, Result},
    fill::Order,
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
    pub order: Order,
    /// For an array of addresses, the numbers of the arrays that its elements point to, row by row;
    /// otherwise empty.
    pub points_to: Vec<usize>,
    /// The rows, or the memory of a view, that it was given as, if it was.
    pub rows: Option<Arc<[u8]>>,
}

impl Array {
    /// Whether its elements are all of its memory, in the order of memory.
    pub fn is_memory(&self) -> bool {
        self.order == Order::default()
    }
}

impl Array {
    /// Whether the bytes of its memory are those of its elements, row by row.
    pub fn lies_row_by_row(&self) -> bool {
        self.element.bits() >= 8 && self.order.is_row_major()
    }

    /// The initial contents of memory, with the addresses of the arrays.
    ///
    /// # Errors
    /// Fails if there is not enough memory for the addresses.
    pub fn memory(&self, addresses: &[u64]) -> Result<Arc<dyn Contents>> {
        if self.points_to.is_empty() {
            return Ok(self.contents.clone());
        }
        let rows = self.points_to.iter().flat_map(|i| addresses[*i].to_le_bytes()).collect();
        match self.order.to_memory(rows, self.element.bytes()) {
            Ok(memory) => Ok(Arc::new(memory)),
            Err(why) => Err(Error::Argument { argument: self.name.clone(), why }),
        }
    }

    /// The bytes row by row, from the contents of memory after a run.
    pub fn rows(&self, memory: Vec<u8>) -> Vec<u8> {
        let mut rows = self.order.to_rows(packed::unpack(memory, self.element.bits()), self.element.bytes());
        // The last byte of packed elements may have room for more.
        rows.truncate(self.shape.iter().product::<usize>().saturating_mul(self.element.bytes()));
        rows
    }
}
