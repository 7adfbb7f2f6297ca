//! Variables of modules.

use super::address::{GLOBAL, pointer};
use super::{Buffer, Memory};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A variable in global memory. It lives as long as the memory, and all kernels share it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Variable {
    /// The symbol that code calls it by.
    pub name: String,
    /// Its initial contents.
    pub bytes: Vec<u8>,
    /// Words of 8 bytes that begin with an address: where they are, the number of the variable
    /// among the kernel's, and the byte of it.
    pub addresses: Vec<(u64, u32, u64)>,
}

impl Memory {
    /// Lets a buffer take the place of the variable with this symbol. A variable in constant memory
    /// has the contents that the buffer has when a launch begins.
    pub fn bind(&mut self, symbol: &str, buffer: Buffer) {
        self.variables.insert(symbol.to_owned(), buffer);
    }

    /// The buffers that take the places of variables, instead of those before.
    pub fn set_variables(&mut self, buffers: BTreeMap<String, Buffer>) {
        self.variables = buffers;
    }

    /// Buffers for the variables of a module, which begin with their initial contents, and take the
    /// place of no variable yet.
    pub fn place_apart(&mut self, variables: &[Variable]) -> BTreeMap<String, Buffer> {
        let before = std::mem::take(&mut self.variables);
        self.place(variables);
        std::mem::replace(&mut self.variables, before)
    }

    /// The contents of a variable in constant memory of this size, if a buffer takes its place.
    pub(crate) fn constant(&self, symbol: &str, size: usize) -> Option<Vec<u8>> {
        let buffer = self.variables.get(symbol)?;
        Some(self.download_bytes(*buffer)).filter(|bytes| bytes.len() == size)
    }

    /// The buffers of variables, which begin with their initial contents.
    pub(crate) fn place(&mut self, variables: &[Variable]) -> Vec<Buffer> {
        let mut fresh = Vec::new();
        let mut buffers = Vec::new();
        for variable in variables {
            let buffer = self.variables.get(&variable.name).copied().unwrap_or_else(|| {
                let buffer = self.upload_bytes(&variable.bytes);
                self.variables.insert(variable.name.clone(), buffer);
                self.name(buffer, &variable.name);
                fresh.push((buffer, variable));
                buffer
            });
            buffers.push(buffer);
        }
        for (buffer, variable) in fresh {
            for (at, pointee, byte) in &variable.addresses {
                let address = pointer(GLOBAL, buffers[*pointee as usize].0, *byte);
                self.buffers[buffer.0 as usize].write(*at as usize, 8, address);
            }
        }
        buffers
    }
}
