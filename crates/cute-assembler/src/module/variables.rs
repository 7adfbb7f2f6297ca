//! Memory of the module and of functions: its size, its place, and its initial contents.

use super::Reader;
use super::reach::Reached;
use crate::text::bits_of;
use crate::text::names::{Names, Symbol};
use crate::{malformed, unmodelled};
use cute_arch::Target;
use cute_machine::types::round_up;
use cute_ptx::syntax::{Initial, Variable};
use cute_ptx::{Keyword, ScalarType, Spelling};
use cute_sim::address::{CONSTANT, SHARED, SHARED_BASE, pointer};
use cute_sim::program::{Constant, SharedObject, Site, Slot};
use cute_sim::program::{OF_GROUPS, OF_GROUPS_BYTES};
use cute_sim::{Error, Malformed, Place, Unmodelled, program};

/// The bytes of an object, and of all that a kernel uses in constant and global memory, at most.
const LARGEST: u64 = 1 << 28;

/// The address of a symbol.
#[derive(Debug, Clone, Copy)]
pub(super) enum Object {
    /// It is known.
    At(u64),
    /// It is that of a variable in global memory, by its number.
    Variable(u32),
    /// A register holds it.
    Register(Slot),
    /// It has no address, but is a register of this type.
    Value(Slot, ScalarType),
}

/// The bytes of an element.
fn element_bytes(ty: &str) -> Option<u64> {
    let ty = ScalarType::read(Spelling::Ptx, ty)?;
    Some(u64::from(ty.bits().div_ceil(8)))
}

/// The size and the alignment of a variable.
pub(super) fn extent(variable: &Variable<'_>, at: &Site) -> Result<(u64, u64), Error> {
    let bytes = element_bytes(variable.ty).ok_or_else(|| {
        unmodelled(at, Unmodelled::Variable, format!("`{}` of type `.{}`", variable.name, variable.ty))
    })?;
    let size = variable.elements().and_then(|n| n.checked_mul(bytes)).filter(|size| *size <= LARGEST);
    let size = size.ok_or_else(|| {
        malformed(at, Malformed::Directive, format!("`{}` has more than {LARGEST} bytes", variable.name))
    })?;
    let align = variable.align.unwrap_or(bytes * u64::from(variable.vector));
    if !align.is_power_of_two() {
        return Err(malformed(
            at,
            Malformed::Directive,
            format!("an alignment of {align}, which is not a power of two"),
        ));
    }
    Ok((size, align))
}

/// The register with the place of the memory in which the warps of a tile of more than 32 threads
/// meet.
const OFFSET_OF_GROUPS: &str = "%reserved_smem_offset_1";

impl<'a> Reader<'a, '_> {
    /// Gives addresses to the variables that the kernel uses.
    pub(super) fn variables(&mut self, reached: &Reached<'a, '_>) -> Result<(), Error> {
        let module = self.module;
        let used = |variable: &&Variable<'a>| reached.names.contains_key(variable.name);
        self.check_room()?;
        let own: Vec<&Variable<'a>> = module.variables.iter().filter(used).collect();
        let mut total = 0;
        for variable in own.iter().filter(|v| matches!(v.space, "global" | "const")) {
            let at = self.places.at(variable.line, variable.name);
            total += extent(variable, &at)?.0;
            if total > LARGEST {
                let what = format!("variables of more than {LARGEST} bytes, up to `{}`", variable.name);
                return Err(malformed(&at, Malformed::Directive, what));
            }
        }
        self.shared(reached, &own)?;
        for (number, name) in (1..).zip(&reached.pointed_to) {
            self.symbols.insert(name, Object::At(super::calls::address_of(number)));
        }
        let in_space = |space: &'static str| own.iter().filter(move |v| v.space == space);
        for (number, variable) in (0..).zip(in_space("global")) {
            self.symbols.insert(variable.name, Object::Variable(number));
        }
        for variable in in_space("const") {
            let address = pointer(CONSTANT, self.assembler.constant_objects.len() as u32, 0);
            self.symbols.insert(variable.name, Object::At(address));
            let place = Place::Constant(variable.name.to_owned());
            self.assembler.constant_objects.push(Constant { place, bytes: Vec::new() });
        }
        for variable in in_space("const") {
            let (bytes, addresses) = self.contents(variable)?;
            if !addresses.is_empty() {
                let at = self.places.at(variable.line, ".const");
                return Err(unmodelled(
                    &at,
                    Unmodelled::Variable,
                    "the address of global memory in constant memory",
                ));
            }
            let Some(Object::At(address)) = self.symbols.get(variable.name) else { continue };
            let number = cute_sim::address::parts(*address, CONSTANT).map_or(0, |parts| parts.allocation);
            self.assembler.constant_objects[number as usize].bytes = bytes;
        }
        for variable in in_space("global") {
            let (bytes, addresses) = self.contents(variable)?;
            let name = variable.name.to_owned();
            self.assembler.variables.push(program::Variable { name, bytes, addresses });
        }
        Ok(())
    }

    /// Refuses constants and variables that no device has room for, whether the kernel uses them or
    /// not.
    fn check_room(&mut self) -> Result<(), Error> {
        let module = self.module;
        let mut constants = 0u64;
        for variable in &module.variables {
            let at = self.places.at(variable.line, variable.name);
            // An unknown type is an error of those who use the variable.
            let Some(bytes) = element_bytes(variable.ty) else { continue };
            let size = variable.elements().and_then(|n| n.checked_mul(bytes)).unwrap_or(u64::MAX);
            let most = match variable.space {
                "const" => {
                    constants = constants.saturating_add(size);
                    (constants > Target::MAX_CONSTANT_MEMORY).then(|| {
                        format!(
                            "{constants} bytes of constant memory: the limit is {}",
                            Target::MAX_CONSTANT_MEMORY
                        )
                    })
                }
                "global" => (size > Target::MAX_GLOBAL_MEMORY).then(|| {
                    format!("a variable of {size} bytes: no GPU has more than {}", Target::MAX_GLOBAL_MEMORY)
                }),
                _ => None,
            };
            if let Some(what) = most {
                return Err(malformed(&at, Malformed::Directive, what));
            }
        }
        Ok(())
    }

    /// Places variables in shared memory: those of fixed size, and the dynamic ones behind them.
    fn shared(&mut self, reached: &Reached<'a, '_>, own: &[&Variable<'a>]) -> Result<(), Error> {
        let mut of_bodies: Vec<&Variable<'a>> =
            reached.surveys.values().flat_map(|survey| survey.variables.iter().map(|(_, v)| v)).collect();
        of_bodies.sort_by_key(|variable| variable.line);
        let all: Vec<&Variable<'a>> = own
            .iter()
            .copied()
            .chain(of_bodies.iter().copied())
            .filter(|v| v.space.starts_with("shared"))
            .collect();
        let (mut end, mut dynamic_align) = (SHARED_BASE, 16);
        let mut objects = Vec::new();
        for variable in &all {
            let at = self.places.at(variable.line, ".shared");
            let (size, align) = extent(variable, &at)?;
            if size == 0 {
                dynamic_align = dynamic_align.max(align);
                continue;
            }
            let address = round_up(end, align);
            end = address + size;
            objects.push((variable, address, Some(size), at));
        }
        let has_groups = reached.surveys.values().any(|survey| survey.has(OFFSET_OF_GROUPS));
        let of_groups = round_up(end, 16);
        if has_groups {
            end = of_groups + OF_GROUPS_BYTES;
        }
        let dynamic = round_up(end, dynamic_align);
        for variable in &all {
            let at = self.places.at(variable.line, ".shared");
            if extent(variable, &at)?.0 == 0 {
                objects.push((variable, dynamic, None, at));
            }
        }
        if dynamic > u64::from(u32::MAX) {
            let at = self.places.at(1, ".shared");
            return Err(unmodelled(&at, Unmodelled::Size, format!("{dynamic} bytes of shared memory")));
        }
        for (number, (variable, address, size, at)) in (1..).zip(objects) {
            let name = variable.name.to_owned();
            let location = at.location.clone();
            self.assembler.shared.push(SharedObject { name, location, address, size });
            let object = Object::At(pointer(SHARED, number, address));
            if of_bodies.iter().any(|own| std::ptr::eq(*own, *variable)) {
                self.placed.insert((variable.line, variable.name), object);
            } else {
                self.symbols.insert(variable.name, object);
            }
        }
        if has_groups {
            let shared = &mut self.assembler.shared;
            let location = self.places.at(1, ".shared").location.clone();
            let (name, size) = (OF_GROUPS.to_owned(), Some(OF_GROUPS_BYTES));
            shared.push(SharedObject { name, location, address: of_groups, size });
            let number = shared.len() as u32;
            self.symbols.insert(OFFSET_OF_GROUPS, Object::At(pointer(SHARED, number, of_groups)));
        }
        Ok(())
    }

    /// The initial bytes of a variable, and the addresses of global memory in them.
    #[allow(clippy::type_complexity)]
    fn contents(&mut self, variable: &Variable<'a>) -> Result<(Vec<u8>, Vec<(u64, u32, u64)>), Error> {
        let at = self.places.at(variable.line, ".global");
        let (size, _) = extent(variable, &at)?;
        let element = element_bytes(variable.ty).unwrap_or(1);
        let mut bytes = vec![0; size as usize];
        let mut addresses = Vec::new();
        if variable.values.len() as u64 * element > size {
            let (given, most) = (variable.values.len(), size / element);
            return Err(malformed(
                &at,
                Malformed::Directive,
                format!("{given} initial values for {most} elements"),
            ));
        }
        for (place, value) in (0..).step_by(element as usize).zip(&variable.values) {
            let word = match *value {
                Initial::Number(number) => bits_of(number, (element as u32 * 8).min(64)),
                Initial::Address { symbol, offset, mask, .. } => {
                    let object = self.symbols.get(symbol).copied();
                    let object = object.ok_or_else(|| {
                        malformed(&at, Malformed::Undeclared, format!("`{symbol}` is not declared"))
                    })?;
                    match object {
                        Object::At(address) => {
                            let address = address.wrapping_add(offset as u64);
                            let mask = mask.unwrap_or(u64::MAX);
                            (address & mask) >> mask.trailing_zeros().min(63)
                        }
                        Object::Variable(number) if element == 8 && mask.is_none() => {
                            addresses.push((place as u64, number, offset as u64));
                            0
                        }
                        _ => {
                            return Err(unmodelled(
                                &at,
                                Unmodelled::Variable,
                                format!("a part of the address of `{symbol}`"),
                            ));
                        }
                    }
                }
            };
            let bytes = &mut bytes[place..place + element as usize];
            let given = word.to_le_bytes();
            let count = bytes.len().min(8);
            bytes[..count].copy_from_slice(&given[..count]);
        }
        Ok((bytes, addresses))
    }

    /// Lets a name stand for an object.
    pub(super) fn declare(
        &mut self,
        names: &mut Names<'a>,
        name: &'a str,
        object: Object,
        at: &Site,
    ) -> Result<(), Error> {
        match object {
            Object::At(address) => names.symbol(name, Symbol::Constant(address)),
            Object::Register(slot) => names.symbol(name, Symbol::Register(slot)),
            Object::Value(slot, ty) => names.register(name, slot, ty),
            Object::Variable(number) => {
                let slot = self.assembler.temporary(at)?;
                self.assembler.addressed.push((slot, number, 0));
                names.symbol(name, Symbol::Register(slot));
            }
        }
        Ok(())
    }
}
