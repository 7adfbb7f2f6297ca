//! Bytes of shared memory whose values are followed: each has the stores of one value.

use super::{Broken, Point, Run};
use crate::{
    trace::{Event, Place},
    value::{Val, regroup},
};

/// A byte, as it was stored last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cell {
    /// The value of the store, the byte of it, and its bytes.
    pub value: Val,
    pub byte: u32,
    pub bytes: u32,
    /// Those who have stored the value, those who have loaded it, and those before them.
    pub writers: Vec<Point>,
    pub readers: Vec<Point>,
    pub before: Vec<Point>,
}

impl Run {
    /// Stores of the lanes of a warp.
    pub(super) fn write(
        &mut self,
        warp: usize,
        event: &Event,
        spans: &[(Place, u32, Val)],
        classes: &[usize],
    ) -> Result<(), Broken> {
        self.tick(warp, classes);
        let time = self.roles[warp].time;
        for (place, bytes, value) in spans {
            for byte in 0..*bytes {
                let at = place + u64::from(byte);
                let own: Vec<Point> = classes.iter().map(|class| (*class, time)).collect();
                let mut cell = match self.cells.remove(&at) {
                    None => {
                        let (readers, before) = (Vec::new(), Vec::new());
                        let new = Cell { value: *value, byte, bytes: *bytes, writers: own, readers, before };
                        self.cells.insert(at, new);
                        continue;
                    }
                    Some(cell) => cell,
                };
                let knows = |points: &[Point]| {
                    points.iter().all(|point| classes.iter().all(|class| self.knows(*class, *point)))
                };
                if knows(&cell.writers) && knows(&cell.readers) {
                    cell.before = std::mem::replace(&mut cell.writers, own);
                    cell.before.append(&mut cell.readers);
                } else if (cell.value, cell.byte, cell.bytes) == (*value, byte, *bytes)
                    && *value != Val::Unknown
                    && knows(&cell.before)
                {
                    cell.writers.extend(own);
                } else {
                    let what =
                        "nothing orders a store with another access of the byte, which decides ways of warps";
                    return Err(self.broken(warp, event, what));
                }
                (cell.value, cell.byte, cell.bytes) = (*value, byte, *bytes);
                self.cells.insert(at, cell);
            }
        }
        Ok(())
    }

    /// The value that a load finds; nothing is known of it if no store is ahead of it.
    fn found(&self, (place, bytes): (Place, u32), classes: &[usize]) -> Val {
        let cells: Option<Vec<&Cell>> =
            (0..bytes).map(|byte| self.cells.get(&(place + u64::from(byte)))).collect();
        let Some(cells) = cells else { return Val::Unknown };
        let is_ahead = |cell: &&Cell| {
            classes.iter().all(|class| cell.writers.iter().any(|point| self.knows(*class, *point)))
        };
        if !cells.iter().all(is_ahead) {
            return Val::Unknown;
        }
        let is_whole = cells
            .iter()
            .zip(0..)
            .all(|(cell, byte)| (cell.byte, cell.bytes, cell.value) == (byte, bytes, cells[0].value));
        match is_whole {
            true => cells[0].value,
            false => {
                let at = |i: u32| match cells[i as usize].value {
                    Val::Known(bits) => Val::Known(bits >> (8 * cells[i as usize].byte) & 0xff),
                    _ => Val::Unknown,
                };
                regroup(at, 8, 8 * bytes, 0)
            }
        }
    }

    /// Loads of the lanes of a warp: checks the guess of the walk.
    pub(super) fn read(
        &mut self,
        warp: usize,
        event: &Event,
        spans: &[(Place, u32)],
        (guess, number): (Option<&[Val]>, Option<u32>),
        classes: &[usize],
    ) -> Result<(), Broken> {
        let found: Vec<Val> = spans.iter().map(|span| self.found(*span, classes)).collect();
        let is_right = guess.is_some_and(|guess| {
            guess.iter().zip(&found).all(|(guess, found)| *guess == Val::Unknown || guess == found)
        });
        if !is_right {
            let what = "a value that is read from shared memory is another one in each round of a loop";
            return Err(Broken { found: Some((number, found)), ..self.broken(warp, event, what) });
        }
        self.tick(warp, classes);
        let time = self.roles[warp].time;
        for (place, bytes) in spans {
            for byte in 0..*bytes {
                if let Some(cell) = self.cells.get_mut(&(place + u64::from(byte))) {
                    // The latest of its own loads.
                    cell.readers.retain(|(class, _)| !classes.contains(class));
                    cell.readers.extend(classes.iter().map(|class| (*class, time)));
                }
            }
        }
        Ok(())
    }
}
