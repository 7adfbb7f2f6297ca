//! `llvm.mlir.global`: shared memory objects, variables and constants, and their addresses.

use super::{Decoder, malformed, operations, site, unmodelled};
use crate::ir::{self, Elements};
use cute_machine::place::SourcePlace;
use cute_machine::types::{Type, round_up};
use cute_sim::Place;
use cute_sim::address::{CONSTANT, GLOBAL, SHARED, SHARED_BASE, pointer};
use cute_sim::program::{Constant, SharedObject, Slot, Variable};
use cute_sim::{Error, Malformed, Unmodelled};
use melior::ir::BlockRef;
use melior::ir::operation::{OperationLike, OperationRef};
use std::collections::HashMap;

/// A global of a module, as far as an `llvm.mlir.addressof` needs it.
pub(super) struct Global {
    name: String,
    location: SourcePlace,
    space: u32,
    constant: bool,
    /// Its type, or the part of it that has no model.
    ty: Result<Type, ir::Unread>,
    align: u64,
    /// Initial bytes; `None` without an initialiser, or if it has no model.
    bytes: Option<Vec<u8>>,
}

impl Global {
    /// Reads the operation if it is a global. An error in it is kept for the kernel that uses it.
    pub(super) fn read(op: OperationRef<'_, '_>) -> Option<Global> {
        if ir::name(op) != "llvm.mlir.global" {
            return None;
        }
        let ty =
            ir::type_attr(op, "global_type").ok_or(ir::Unread::GlobalWithoutType).and_then(ir::machine_type);
        let declared = super::memory::alignment(op);
        let natural = ty.as_ref().map_or(1, Type::align);
        let align = declared.as_ref().map_or(1, |align| align.unwrap_or(natural));
        let ty = declared.and(ty);
        let value = op.attribute("value").ok().and_then(ir::elements);
        let bytes = value.zip(ty.as_ref().ok()).and_then(|(value, ty)| initial_bytes(&value, ty));
        let text = || cute_ffi::ir::string_bytes(op.attribute("value").ok()?);
        let bytes = bytes.or_else(|| padded(text()?, ty.as_ref().ok()?.size()));
        Some(Global {
            name: ir::str_attr(op, "sym_name")?,
            location: super::place::place(op.location()),
            space: ir::int_attr(op, "addr_space").and_then(|s| u32::try_from(s).ok()).unwrap_or(0),
            constant: op.has_attribute("constant"),
            ty,
            align,
            bytes,
        })
    }
}

/// Whether a place is MLIR's location without one.
fn is_unknown(place: &SourcePlace) -> bool {
    place.is_unknown() || place.words.as_ref().is_some_and(|words| &*words.text == "unknown")
}

/// A string's bytes, of which the NUL at the end may be left out.
fn padded(text: &[u8], size: u64) -> Option<Vec<u8>> {
    let size = usize::try_from(size).ok()?;
    (text.len() == size || text.len() + 1 == size).then(|| {
        let mut bytes = text.to_vec();
        bytes.resize(size, 0);
        bytes
    })
}

fn initial_bytes(value: &Elements, ty: &Type) -> Option<Vec<u8>> {
    let leaves = ty.leaves()?;
    let values: Vec<u64> = match value {
        Elements::Splat(v, _) => vec![*v; leaves.len()],
        Elements::List(list, _) => list.clone(),
    };
    if values.len() != leaves.len() {
        return None;
    }
    let mut bytes = vec![0; usize::try_from(ty.size()).ok()?];
    for (leaf, value) in leaves.iter().zip(values) {
        let (at, n) = (leaf.offset as usize, leaf.bytes as usize);
        bytes.get_mut(at..at + n)?.copy_from_slice(&value.to_le_bytes()[..n]);
    }
    Some(bytes)
}

impl Decoder<'_> {
    /// Assigns addresses to the shared memory globals that the kernel uses, in module order. The
    /// dynamic ones follow the static ones, and all begin at the same address.
    pub(super) fn place_shared(
        &mut self,
        function: OperationRef<'_, '_>,
        body: &[BlockRef<'_, '_>],
    ) -> Result<(), Error> {
        // By name, the place where the kernel first uses it. MLIR drops the location of operations
        // that it merges.
        let mut used: HashMap<String, SourcePlace> = HashMap::new();
        let operations = body.iter().flat_map(|b| operations(*b));
        for op in operations.filter(|op| ir::name(*op) == "llvm.mlir.addressof") {
            if let Some(name) = ir::symbol_attr(op, "global_name") {
                let place = self.places.site(op).location;
                let first = used.entry(name).or_insert_with(|| place.clone());
                if is_unknown(first) {
                    *first = place;
                }
            }
        }
        let shared = || self.globals.iter().filter(|g| g.space == SHARED && used.contains_key(&g.name));
        let object = |global: &Global, address, size| {
            let used = &used[&global.name];
            let location = if is_unknown(used) { global.location.clone() } else { used.clone() };
            SharedObject { name: global.name.clone(), location, address, size }
        };
        let mut objects = Vec::new();
        let mut end = SHARED_BASE;
        let mut dynamic_align = 16;
        for global in shared() {
            let ty = global.ty.as_ref().map_err(|what| {
                unmodelled(function, Unmodelled::Variable, format!("@{}: {what}", global.name))
            })?;
            if ty.size() == 0 {
                dynamic_align = dynamic_align.max(global.align);
                continue;
            }
            let address = round_up(end, global.align);
            end = address.saturating_add(ty.size());
            objects.push(object(global, address, Some(ty.size())));
        }
        let dynamic = round_up(end, dynamic_align);
        for global in shared().filter(|g| g.ty.as_ref().is_ok_and(|t| t.size() == 0)) {
            objects.push(object(global, dynamic, None));
        }
        if dynamic > u64::from(u32::MAX) {
            return Err(unmodelled(function, Unmodelled::Size, format!("{dynamic} bytes of shared memory")));
        }
        for (object, number) in objects.iter().zip(1..) {
            self.addresses.insert(object.name.clone(), pointer(SHARED, number, object.address));
        }
        self.shared = objects;
        Ok(())
    }

    pub(super) fn address_of(&mut self, op: OperationRef<'_, '_>) -> Result<(), Error> {
        let name = ir::symbol_attr(op, "global_name")
            .ok_or_else(|| malformed(op, Malformed::Attribute, "no global_name"))?;
        let slot = match self.addresses.get(&name) {
            Some(address) => self.assembler.address_constant(&site(op), *address, 64)?,
            None => match self.variable(op, &name)? {
                Some(slot) => slot,
                None => {
                    let address = self.constant_object(op, &name)?;
                    self.assembler.address_constant(&site(op), address, 64)?
                }
            },
        };
        self.alias(op, slot)
    }

    /// The register with the address of a global in global memory, which kernels may change; `None`
    /// for another global.
    fn variable(&mut self, op: OperationRef<'_, '_>, name: &str) -> Result<Option<Slot>, Error> {
        let is_it = |global: &&Global| global.name == name && !global.constant;
        let Some(global) = self.globals.iter().find(is_it).filter(|g| matches!(g.space, 0 | GLOBAL)) else {
            return Ok(None);
        };
        let known = self.assembler.variables.iter().position(|variable| variable.name == name);
        let number = match (known, &global.bytes) {
            (Some(number), _) => number,
            (None, None) => {
                return Err(unmodelled(op, Unmodelled::Variable, format!("the initial value of @{name}")));
            }
            (None, Some(bytes)) => {
                let (name, bytes) = (name.to_owned(), bytes.clone());
                self.assembler.variables.push(Variable { name, bytes, addresses: Vec::new() });
                self.assembler.variables.len() - 1
            }
        };
        let slot = self.assembler.temporary(&site(op))?;
        self.assembler.addressed.push((slot, number as u32, 0));
        Ok(Some(slot))
    }

    fn constant_object(&mut self, op: OperationRef<'_, '_>, name: &str) -> Result<u64, Error> {
        let global = self.globals.iter().find(|g| g.name == name);
        let global = global.ok_or_else(|| {
            unmodelled(op, Unmodelled::Variable, format!("the address of @{name}, which is not a global,"))
        })?;
        if !(global.constant || global.space == CONSTANT) {
            return Err(unmodelled(
                op,
                Unmodelled::Variable,
                format!("@{name}, a global in address space {},", global.space),
            ));
        }
        let Some(bytes) = global.bytes.clone() else {
            return Err(unmodelled(op, Unmodelled::Variable, format!("the initial value of @{name}")));
        };
        let address = pointer(CONSTANT, self.constant_objects.len() as u32, 0);
        self.constant_objects.push(Constant { place: Place::Constant(name.to_owned()), bytes });
        self.addresses.insert(name.to_owned(), address);
        Ok(address)
    }
}
