//! The registers of a warp: one value for all lanes, or one for each.

use crate::value::Val;
use std::rc::Rc;

#[derive(Debug, Clone, PartialEq)]
pub enum Reg {
    All(Val),
    Each(Rc<[Val; 32]>),
}

impl Reg {
    pub fn at(&self, lane: u32) -> Val {
        match self {
            Reg::All(value) => *value,
            Reg::Each(values) => values[lane as usize],
        }
    }

    /// These lanes from another value.
    pub fn with(&self, lanes: u32, other: &Reg) -> Reg {
        if self == other {
            return self.clone();
        }
        let pick = |lane: u32| if lanes >> lane & 1 == 1 { other.at(lane) } else { self.at(lane) };
        Reg::Each(Rc::new(std::array::from_fn(|lane| pick(lane as u32))))
    }

    pub fn of(mut each: impl FnMut(u32) -> Val) -> Reg {
        let values: [Val; 32] = std::array::from_fn(|lane| each(lane as u32));
        Reg::Each(Rc::new(values))
    }

    /// The same for lanes that all have one value.
    pub fn map(&self, mut f: impl FnMut(Val) -> Val) -> Reg {
        match self {
            Reg::All(value) => Reg::All(f(*value)),
            Reg::Each(values) => Reg::of(|lane| f(values[lane as usize])),
        }
    }
}

/// The lanes of a mask.
pub fn lanes_of(mask: u32) -> impl Iterator<Item = u32> + Clone {
    (0..32).filter(move |lane| mask >> lane & 1 == 1)
}
