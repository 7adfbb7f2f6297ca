//! A memory on which several runs begin.

use super::words::Words;
use super::{Memory, Room};
use crate::heap::Heap;
use std::sync::Arc;

/// A memory as it is before runs that all begin with it. They copy the pages that they touch, and
/// no others.
///
/// ```
/// use cute_sim::{Image, Memory};
///
/// let mut memory = Memory::new();
/// let buffer = memory.upload(&[1u32, 2]);
/// let image = Image::of(memory);
/// let (mut one, other) = (image.begin(), image.begin());
/// one.write(buffer, 0, &[7]);
/// assert_eq!(other.download::<u32>(buffer), [1, 2]);
/// drop(other);
/// assert_eq!(image.settle(one).download::<u32>(buffer), [7, 2]);
/// ```
#[derive(Debug)]
pub struct Image {
    buffers: Vec<Arc<Words>>,
    /// The rest of the memory, without buffers.
    rest: Memory,
}

impl Image {
    /// The memory as it is now.
    pub fn of(mut memory: Memory) -> Self {
        let buffers = memory.buffers.drain(..).map(Arc::new).collect();
        Image { buffers, rest: memory }
    }

    /// The memory at the beginning of a run. It has as much room as is left here.
    ///
    /// # Panics
    /// If the system refuses memory for the tables of the pages.
    pub fn begin(&self) -> Memory {
        let Memory { room, names, variables, workspaces, heap, launches, .. } = &self.rest;
        let room = Arc::new(Room::clone(room));
        let over = |words: &Arc<Words>| {
            Words::over(words.clone(), room.clone()).expect("there is memory for the table of the pages")
        };
        Memory {
            buffers: self.buffers.iter().map(over).collect(),
            room: room.clone(),
            names: names.clone(),
            variables: variables.clone(),
            workspaces: workspaces.clone(),
            heap: heap.as_ref().map(|heap| Arc::new(Heap::clone(heap))),
            launches: launches.clone(),
        }
    }

    /// The memory after one of the runs. Pages are copied no more if no other run's memory is left.
    pub fn settle(self, after: Memory) -> Memory {
        drop(self);
        Memory { buffers: after.buffers.into_iter().map(Words::settle).collect(), ..after }
    }

    /// The memory as it was before the runs.
    pub fn into_memory(self) -> Memory {
        let after = self.begin();
        self.settle(after)
    }
}
