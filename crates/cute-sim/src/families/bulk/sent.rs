//! The last stores of boxes of a warp. A warp that issues a store in lock step issues it once, but
//! its lanes may reach the instruction one after another. The bytes are the same whichever store is
//! the last.

use super::rows::{Far, Row, Rows};

/// The stores that a warp remembers.
const MOST: usize = 16;

/// The last stores of boxes that some of the lanes issued without the others.
#[derive(Debug, Clone, Default)]
pub(crate) struct SentBoxes(Vec<Sent>);

/// A store of a box by some lanes of a warp, which others may issue again.
#[derive(Debug, Clone)]
struct Sent {
    /// The instruction.
    at: u32,
    lanes: u32,
    /// The bytes' places on the far side.
    rows: Vec<Row>,
    far: Far,
    bytes: Vec<u8>,
}

impl SentBoxes {
    /// Whether other lanes have issued the same store of the same bytes. It is known from now on.
    pub(super) fn repeats(&mut self, at: u32, lanes: u32, rows: &Rows, bytes: Vec<u8>) -> bool {
        let known = self.0.iter().position(|s| s.at == at && s.far == rows.far && s.rows == rows.list);
        if let Some(known) = known {
            let sent = &mut self.0[known];
            if sent.lanes & lanes == 0 && sent.bytes == bytes {
                sent.lanes |= lanes;
                return true;
            }
            self.0.remove(known);
        }
        if self.0.len() == MOST {
            self.0.remove(0);
        }
        self.0.push(Sent { at, lanes, rows: rows.list.clone(), far: rows.far, bytes });
        false
    }
}
