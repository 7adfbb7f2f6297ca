//! The attributes of an op, decoded once for everything that asks for them.

use cute_algebra::{Coord, Dim, MmaOperand};
use cute_ffi::{
    ir::{self, coord_attribute_type, dictionary_entries, nvgpu_word},
    ops::AttributeName as Name,
};
use cute_placement::Placement;
use melior::ir::{
    Attribute, AttributeLike,
    attribute::{DenseI32ArrayAttribute, IntegerAttribute},
    operation::OperationRef,
    r#type::IntegerType,
};

use crate::{
    error::{Error, Result},
    types::{placement, value_of},
    value::Value,
};

/// The attributes of an op that `td/` declares.
#[derive(Debug, Clone, Default)]
pub struct Attributes<'c>(Vec<(Name, Decoded<'c>, Attribute<'c>)>);

/// An attribute by its class. The generic form of an op may have another class than the op
/// declares, so each reader has an error for it.
#[derive(Debug, Clone)]
enum Decoded<'c> {
    Integers(Vec<i32>),
    Integer(i64),
    Coord(Coord<Dim>),
    Placement(Placement),
    /// A word of `cute_nvgpu` with the mnemonic of its attribute.
    Word(&'static str, &'c str),
    Text(&'c str),
    Other,
}

impl<'c> Decoded<'c> {
    fn of(a: Attribute<'c>) -> Self {
        if let Ok(list) = DenseI32ArrayAttribute::try_from(a) {
            let all = (0..list.len()).map_while(|i| list.element(i).ok());
            return Self::Integers(all.collect());
        }
        if let Ok(integer) = IntegerAttribute::try_from(a) {
            let signed = IntegerType::try_from(a.r#type()).is_ok_and(|t| t.is_signed());
            return Self::Integer(if signed { integer.signed_value() } else { integer.value() });
        }
        if let Some(Value::Coord(coord)) = coord_attribute_type(a).map(value_of).as_deref() {
            return Self::Coord(coord.clone());
        }
        if let Some(placement) = placement(a) {
            return Self::Placement(placement);
        }
        if let Some((mnemonic, word)) = nvgpu_word(a) {
            return Self::Word(mnemonic, word);
        }
        ir::string(a).map_or(Self::Other, Self::Text)
    }
}

impl<'c> Attributes<'c> {
    /// The attributes in a dictionary.
    pub fn new(dictionary: Attribute<'c>) -> Self {
        let named = dictionary_entries(dictionary)
            .filter_map(|(name, a)| Some((Name::from_name(name)?, Decoded::of(a), a)));
        Self(named.collect())
    }

    /// The attributes of an op, properties included.
    pub fn of(op: OperationRef<'c, '_>) -> Self {
        Self::new(ir::attribute_dictionary(op))
    }

    fn get(&self, name: Name) -> Option<&Decoded<'c>> {
        self.0.iter().find(|(own, ..)| *own == name).map(|(_, decoded, _)| decoded)
    }

    /// The attribute itself, for messages.
    pub fn raw(&self, name: Name) -> Option<Attribute<'c>> {
        self.0.iter().find(|(own, ..)| *own == name).map(|(.., raw)| *raw)
    }

    /// Whether the attribute is present.
    pub fn has(&self, name: Name) -> bool {
        self.get(name).is_some()
    }

    /// The mode path `mode`; empty where it is left out.
    pub fn mode_path(&self) -> Result<Vec<usize>> {
        let bad = || Error::Attribute { name: "mode", expected: "a list of non-negative integers" };
        match self.get(Name::Mode) {
            None => Ok(Vec::new()),
            Some(Decoded::Integers(list)) => {
                list.iter().map(|i| usize::try_from(*i).map_err(|_| bad())).collect()
            }
            Some(_) => Err(bad()),
        }
    }

    /// The number of an integer attribute.
    pub fn integer(&self, name: Name) -> Option<i64> {
        match self.get(name) {
            Some(Decoded::Integer(i)) => Some(*i),
            _ => None,
        }
    }

    /// A non-negative integer.
    pub fn index(&self, name: Name) -> Result<usize> {
        let index = self.integer(name).and_then(|i| usize::try_from(i).ok());
        index.ok_or(Error::Attribute { name: name.name(), expected: "a non-negative integer" })
    }

    /// The matrix that `operand_id` names.
    pub fn mma_operand(&self) -> Result<MmaOperand> {
        let id = self.index(Name::OperandId)?;
        let bad = Error::Attribute { name: "operand_id", expected: "0 for A, 1 for B or 2 for C" };
        MmaOperand::ALL.get(id).copied().ok_or(bad)
    }

    /// Checks that the number of operands matches the attribute of the generic form that counts
    /// them.
    pub fn check_segments(&self, operands: usize) -> Result<()> {
        let name = Name::OperandSegmentSizes.name();
        let bad = Error::Attribute { name, expected: "0 or 1 for each operand" };
        let sizes = match self.get(Name::OperandSegmentSizes) {
            None => return Ok(()),
            Some(Decoded::Integers(sizes)) if sizes.iter().all(|n| (0..=1).contains(n)) => sizes,
            Some(_) => return Err(bad),
        };
        let counted: i32 = sizes.iter().sum();
        if usize::try_from(counted) == Ok(operands) {
            return Ok(());
        }
        let expected = format!("{counted} operands, as {name} counts them");
        Err(Error::OperandCount { expected, found: operands })
    }

    /// The mnemonic and the word of an attribute of `cute_nvgpu`: `(atom_mma_field_sm90, accum_c)`
    /// for `#cute_nvgpu.atom_mma_field_sm90<accum_c>`.
    pub fn word(&self, name: Name) -> Option<(&'static str, &'c str)> {
        match self.get(name) {
            Some(Decoded::Word(mnemonic, word)) => Some((mnemonic, word)),
            _ => None,
        }
    }

    /// The text of a string attribute.
    pub fn text(&self, name: Name) -> Option<&'c str> {
        match self.get(name) {
            Some(Decoded::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The value of a `#cute.placement`.
    pub fn placement(&self, name: Name) -> Option<&Placement> {
        match self.get(name) {
            Some(Decoded::Placement(placement)) => Some(placement),
            _ => None,
        }
    }

    /// A coordinate, if the attribute is present.
    pub fn coord(&self, name: Name) -> Result<Option<&Coord<Dim>>> {
        match self.get(name) {
            None => Ok(None),
            Some(Decoded::Coord(coord)) => Ok(Some(coord)),
            Some(_) => Err(Error::Attribute { name: name.name(), expected: "a #cute.coord" }),
        }
    }
}
