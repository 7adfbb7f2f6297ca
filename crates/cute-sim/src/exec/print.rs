//! `vprintf`: a format, and its arguments side by side in local memory, each at its natural alignment.

use super::alu::{LaneFinding, lanes_of};
use super::block::Block;
use super::warp::Warp;
use crate::finding::FindingKind;
use crate::memory::address::LOCAL;
use crate::program::Slot;
use crate::types::round_up;

/// Longest string that is printed.
const LONGEST: u64 = 4096;

impl Warp {
    pub(super) fn print(
        &mut self,
        block: &mut Block<'_>,
        dst: Slot,
        format: Slot,
        arguments: Slot,
        active: u32,
    ) -> Result<(), LaneFinding> {
        self.defined(format, active, "address")?;
        for lane in lanes_of(active) {
            let i = lane as usize;
            let text = self.format(block, i, self.get(format)[i], self.get(arguments)[i]);
            block.output += &text.map_err(|kind| LaneFinding { lane, kind })?;
            self.set_lane(dst, lane, 0);
        }
        Ok(())
    }

    fn string(&self, block: &Block<'_>, lane: usize, address: u64) -> Result<String, FindingKind> {
        let mut bytes = Vec::new();
        for at in 0..LONGEST {
            let span = block.span(&self.locals[lane], address.wrapping_add(at), 0, 1, 1)?;
            match block.read(&self.locals[lane], span, 0, 1) {
                0 => break,
                byte => bytes.push(byte as u8),
            }
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn format(
        &self,
        block: &Block<'_>,
        lane: usize,
        format: u64,
        arguments: u64,
    ) -> Result<String, FindingKind> {
        let format = self.string(block, lane, format)?;
        let mut offset = 0;
        let mut argument = |bytes: u64| -> Result<u64, FindingKind> {
            let at = round_up(offset, bytes);
            offset = at + bytes;
            let span = block.span(&self.locals[lane], arguments.wrapping_add(at), 0, bytes, bytes)?;
            if span.space == LOCAL
                && let Some(local) = self.locals[lane].get(span.allocation as usize)
                && local.unwritten(span.start, bytes as usize).is_some()
            {
                let place = block.place(span.space, span.allocation);
                return Err(FindingKind::Uninitialised { place, offset: span.offset });
            }
            Ok(block.read(&self.locals[lane], span, 0, bytes as usize))
        };
        let mut out = String::new();
        let mut rest = format.as_str();
        while let Some((before, behind)) = rest.split_once('%') {
            out += before;
            let Some(end) =
                behind.find(|c: char| c.is_ascii_alphabetic() && !"lhzjt".contains(c) || c == '%')
            else {
                rest = "";
                break;
            };
            let (spec, conversion) = (&behind[..end], behind.as_bytes()[end]);
            let wide = spec.contains(['l', 'z', 'j', 't']);
            rest = &behind[end + 1..];
            let text = match conversion {
                b'%' => "%".to_owned(),
                b's' => {
                    let address = argument(8)?;
                    self.string(block, lane, address)?
                }
                b'c' => char::from(argument(4)? as u8).to_string(),
                b'd' | b'i' if wide => (argument(8)? as i64).to_string(),
                b'd' | b'i' => (argument(4)? as i32).to_string(),
                b'u' => argument(if wide { 8 } else { 4 })?.to_string(),
                b'x' | b'X' => format!("{:x}", argument(if wide { 8 } else { 4 })?),
                b'p' => format!("{:#x}", argument(8)?),
                _ => {
                    let value = f64::from_bits(argument(8)?);
                    match spec.split_once('.').and_then(|(_, p)| p.trim_end_matches('l').parse().ok()) {
                        Some(precision) => format!("{value:.*}", precision),
                        None => format!("{value:.6}"),
                    }
                }
            };
            let width: usize = spec
                .split('.')
                .next()
                .map(|s| s.trim_matches(|c: char| !c.is_ascii_digit()))
                .and_then(|s| s.parse().ok())
                .unwrap_or(0);
            out += &format!("{text:>width$}");
        }
        Ok(out + rest)
    }
}
