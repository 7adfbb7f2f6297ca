//! `vprintf`: a format, and its arguments in local memory, one after the other, each at its natural
//! alignment.

use super::printf::{self, Arguments};
use crate::finding::FindingKind;
use crate::finding::LaneFinding;
use crate::lanes::lanes_of;
use crate::machine::issuing::Issuing;
use crate::machine::parts::Parts;
use crate::machine::stack::Stack;
use crate::memory::address::LOCAL;
use crate::program::{Op, Slot};
use cute_machine::types::round_up;

/// Longest string that is printed.
const LONGEST: u64 = 4096;

pub(super) fn print(
    parts: &mut Parts<'_, '_>,
    own: &mut Issuing<'_>,
    dst: Slot,
    format: Slot,
    arguments: Slot,
) -> Result<(), LaneFinding> {
    let active = own.issuer.lanes;
    own.registers.defined(parts.machine().kernel, format, active, "address")?;
    for lane in lanes_of(active) {
        let i = lane as usize;
        let text = string(parts, own.stack, i, own.registers.get(format)[i]).and_then(|format| {
            let at = own.registers.get(arguments)[i];
            let mut packed = Packed { parts, stack: own.stack, lane: i, at, used: 0, count: 0 };
            printf::format(&format, &mut packed).map(|text| (text, packed.count))
        });
        let (text, count) = text.map_err(|kind| LaneFinding { lane, kind })?;
        parts.journal.prints(&text);
        parts.journal.changes(1);
        own.marks.print(i, beginning(text));
        own.registers.set_lane(dst, lane, count);
    }
    Ok(())
}

/// The reason why the first of these lanes traps: a failed assertion, or its output in the
/// block that traps.
pub(crate) fn trap(parts: &Parts<'_, '_>, own: &Issuing<'_>, message: Option<Slot>) -> LaneFinding {
    let lane = own.issuer.lanes.trailing_zeros();
    let i = lane as usize;
    let text = match message {
        Some(message) => match string(parts, own.stack, i, own.registers.get(message)[i]) {
            Ok(text) => Some(format!("assertion failed: {text}")),
            Err(kind) => return LaneFinding { lane, kind },
        },
        None => {
            let before = parts.machine().kernel.code[..own.issuer.site as usize].iter().rev();
            let mut in_block = before.take_while(|op| !op.is_terminator());
            let (kernel, launch) = (parts.machine().kernel, parts.machine().launch);
            match in_block.any(|op| matches!(op, Op::System(op) if op.prints())) {
                true => Some(own.marks.printed(i).trim_end().to_owned()),
                false => (kernel.meets_grid() && !launch.cooperative).then(|| NOT_COOPERATIVE.to_owned()),
            }
        }
    };
    LaneFinding { lane, kind: FindingKind::Trap { text, asserts: message.is_some() } }
}

fn string(parts: &Parts<'_, '_>, stack: &Stack, lane: usize, address: u64) -> Result<String, FindingKind> {
    let mut bytes = Vec::new();
    for at in 0..LONGEST {
        let span = parts.span(stack.locals(lane), address.wrapping_add(at), 0, 1, 1)?;
        match parts.read(stack.locals(lane), span, 0, 1) {
            0 => break,
            byte => bytes.push(byte as u8),
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The reason why a kernel traps that synchronises its grid.
const NOT_COOPERATIVE: &str = "it reads %envreg1 and %envreg2, as the grid groups of cooperative groups do, and the launch is not \
                               cooperative, so that its blocks cannot wait for each other: launch it with \
                               cudaLaunchCooperativeKernel";

/// The part of a thread's output that a trap repeats.
fn beginning(mut text: String) -> String {
    if text.len() > LONGEST as usize {
        let end = (0..=LONGEST as usize).rev().find(|at| text.is_char_boundary(*at));
        text.truncate(end.unwrap_or(0));
        text.shrink_to_fit();
    }
    text
}

/// Arguments side by side in memory.
struct Packed<'b, 'c, 'm> {
    parts: &'b Parts<'c, 'm>,
    stack: &'b Stack,
    lane: usize,
    at: u64,
    used: u64,
    /// Arguments so far, which `vprintf` returns (CUDA C++ Programming Guide, "Formatted Output").
    count: u64,
}

impl Arguments for Packed<'_, '_, '_> {
    type Error = FindingKind;

    fn next(&mut self, bytes: u64) -> Result<u64, FindingKind> {
        let at = round_up(self.used, bytes);
        self.used = at + bytes;
        self.count += 1;
        let locals = self.stack.locals(self.lane);
        let span = self.parts.span(locals, self.at.wrapping_add(at), 0, bytes, bytes)?;
        if span.space == LOCAL
            && let Some(local) = locals.get(span.allocation as usize)
            && local.memory.unwritten(span.start, bytes as usize).is_some()
        {
            let place = self.parts.scene().place(locals, span);
            return Err(FindingKind::Uninitialised { place, offset: span.offset });
        }
        Ok(self.parts.read(locals, span, 0, bytes as usize))
    }

    fn string(&mut self, address: u64) -> Result<String, FindingKind> {
        string(self.parts, self.stack, self.lane, address)
    }
}
