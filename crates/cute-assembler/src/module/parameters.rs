//! Parameters of kernels, and what they require of a launch.

use super::Reader;
use super::variables::{Object, extent};
use crate::malformed;
use cute_machine::types::{Leaf, Scalar, round_up};
use cute_ptx::syntax::{Function, Variable};
use cute_ptx::{Keyword, ScalarType, Spelling};
use cute_sim::address::{CONSTANT, pointer};
use cute_sim::program::{Constant, Kept, Kernel, Param, Site};
use cute_sim::{Error, Malformed, Place};

/// The bytes of all parameters of a kernel, at most.
pub const MOST_BYTES: u64 = 32764;

impl<'a> Reader<'a, '_> {
    /// The kernel's parameters, each an object in constant memory.
    pub(super) fn parameters(&mut self, function: &Function<'a>) -> Result<Vec<Param>, Error> {
        let mut params = Vec::new();
        let mut end = 0;
        for (number, declared) in (0..).zip(&function.params) {
            let at = self.places.at(declared.line, ".param");
            let (size, align) = extent(declared, &at)?;
            end = round_up(end, align) + size;
            if end > MOST_BYTES {
                return Err(malformed(
                    &at,
                    Malformed::Directive,
                    format!("the parameters of a kernel have more than {MOST_BYTES} bytes"),
                ));
            }
            if self.symbols.contains_key(declared.name) {
                return Err(malformed(
                    &at,
                    Malformed::SecondName,
                    format!("a second symbol `{}`", declared.name),
                ));
            }
            let constant = self.assembler.constant_objects.len() as u32;
            let (place, bytes) = (Place::Parameter(number), vec![0; size as usize]);
            self.assembler.constant_objects.push(Constant { place, bytes });
            self.symbols.insert(declared.name, Object::At(pointer(CONSTANT, constant, 0)));
            params.push(Param::Value {
                size,
                scalars: scalars(declared, size),
                kept: Kept::Constant(constant),
            });
        }
        Ok(params)
    }
}

/// The scalars of a parameter: one number, or the words of an array of bytes.
fn scalars(declared: &Variable<'_>, size: u64) -> Box<[(Scalar, Leaf)]> {
    let ty = ScalarType::read(Spelling::Ptx, declared.ty);
    let leaf = |slot: u32, offset: u64, bytes: u64| Leaf {
        slot,
        offset: offset as u32,
        bytes: bytes as u32,
        bits: bytes as u32 * 8,
    };
    match ty {
        Some(ty) if declared.extents.is_empty() && ty.bits() <= 64 && declared.vector == 1 => {
            let scalar = match ty {
                ScalarType::F16 => Scalar::F16,
                ScalarType::Bf16 => Scalar::Bf16,
                ScalarType::F32 => Scalar::F32,
                ScalarType::F64 => Scalar::F64,
                _ if declared.pointer.is_some() => Scalar::Ptr(0),
                other => Scalar::Int(other.bits()),
            };
            Box::new([(scalar, leaf(0, 0, size))])
        }
        _ => {
            let mut all = Vec::new();
            let mut at = 0;
            while at < size {
                let bytes = if size - at >= 8 { 8 } else { 1 };
                all.push((Scalar::Int(bytes as u32 * 8), leaf(all.len() as u32, at, bytes)));
                at += bytes;
            }
            all.into()
        }
    }
}

/// The kernel with what its directives require.
pub(super) fn launched(function: &Function<'_>, kernel: Kernel, at: &Site) -> Result<Kernel, Error> {
    let extents = |name: &str| {
        let Some(numbers) = function.directive(name).filter(|numbers| !numbers.is_empty()) else {
            return Ok(None);
        };
        let mut all = [1; 3];
        if numbers.len() > 3 || numbers.contains(&0) {
            return Err(malformed(
                at,
                Malformed::Directive,
                format!("`.{name}` takes one to three positive numbers"),
            ));
        }
        all[..numbers.len()].copy_from_slice(numbers);
        Ok(Some(all))
    };
    let number = |name: &str| function.directive(name).and_then(|numbers| numbers.first().copied());
    if function.directive("blocksareclusters").is_some() {
        for name in ["reqntid", "reqnctapercluster"] {
            if extents(name)?.is_none() {
                return Err(malformed(
                    at,
                    Malformed::Directive,
                    format!("`.blocksareclusters` needs `.{name}`"),
                ));
            }
        }
    }
    Ok(Kernel {
        is_ptx: true,
        required_block: extents("reqntid")?,
        required_cluster: extents("reqnctapercluster")?,
        min_blocks: number("minnctapersm"),
        registers_at_launch: number("maxnreg"),
        max_threads: extents("maxntid")?
            .map(|n| n.iter().fold(1, |all, n| u64::saturating_mul(all, (*n).into()))),
        ..kernel
    })
}
