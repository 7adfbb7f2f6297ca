//! `st.async`, `red.async` and `clusterlaunchcontrol` in PTX.

use super::emit::Line;
use super::parse::Operand;
use crate::Decoder;
use crate::remote::remote;
use cute_sim::Error;
use cute_sim::program::{LaunchControl, Op, Slot};

impl Decoder<'_> {
    /// Decodes the words after `st.async`, or `red.async`.
    pub(super) fn ptx_remote(
        &mut self,
        line: &mut Line<'_, '_, '_>,
        words: &[&str],
        reduces: bool,
    ) -> Result<bool, Error> {
        let Some((scalar, update)) = remote(words, reduces) else { return Ok(false) };
        let address = self.address(line, 0)?;
        let values = match line.operand(1)? {
            Operand::List(all) => all.clone(),
            one => vec![one.clone()],
        };
        let values = values.iter().map(|value| self.read(line, value, scalar.bits()));
        let values = values.collect::<Result<Vec<Slot>, Error>>()?;
        let barrier = self.address(line, 2)?;
        self.emit_remote(line.op, scalar, update, (address, &values, barrier))
    }

    /// Decodes the words after `clusterlaunchcontrol`. An answer is a register of type `.b128`.
    pub(super) fn ptx_control(&mut self, line: &mut Line<'_, '_, '_>, words: &[&str]) -> Result<bool, Error> {
        match *words {
            ["try_cancel", "async", ref rest @ ..] => {
                let multicast = rest.iter().any(|word| word.starts_with("multicast"));
                let (address, barrier) = (self.address(line, 0)?, self.address(line, 1)?);
                self.emit(line.op, Op::Launch(LaunchControl::TryCancel { address, barrier, multicast }));
            }
            ["query_cancel", "is_canceled", ..] => {
                let (dst, answer) =
                    (self.write(line, line.operand(0)?)?, self.write(line, line.operand(1)?)?);
                self.emit(line.op, Op::Launch(LaunchControl::IsCanceled { dst, answer }));
            }
            ["query_cancel", "get_first_ctaid", "v4", ..] => {
                let Operand::List(all) = line.operand(0)?.clone() else { return Ok(false) };
                let answer = self.write(line, line.operand(1)?)?;
                for (axis, to) in all.iter().enumerate().take(3).filter(|(_, to)| **to != Operand::Sink) {
                    let dst = self.write(line, to)?;
                    self.emit(line.op, Op::Launch(LaunchControl::FirstBlock { dst, axis, answer }));
                }
            }
            ["query_cancel", first, ..] => {
                let axis =
                    ["x", "y", "z"].iter().position(|axis| first == format!("get_first_ctaid::{axis}"));
                let Some(axis) = axis else { return Ok(false) };
                let (dst, answer) =
                    (self.write(line, line.operand(0)?)?, self.write(line, line.operand(1)?)?);
                self.emit(line.op, Op::Launch(LaunchControl::FirstBlock { dst, axis, answer }));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}
