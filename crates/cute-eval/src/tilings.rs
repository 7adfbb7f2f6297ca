//! Atoms by their CuTe names, and tilings of them: their text is the call that makes them.

use std::fmt;

use cute_algebra::{CopySide, Layout, MmaOperand, Tile, TiledCopy, TiledMma, error::Result};
use cute_arch::atoms::{CopyAtom, MmaAtom, copy_atoms, mma_atoms};

/// A named fact about an atom or a tiling.
pub struct Fact {
    /// The name in CuTe, such as `layoutA_TV`.
    pub name: String,
    /// The layout, tile or number.
    pub value: FactValue,
}

/// The value of a fact. Its text is that of CuTe C++.
pub enum FactValue {
    /// `(4,8):(8,1)`
    Layout(Layout<i64>),
    /// `(16,_)`
    Tile(Tile<i64>),
    /// The extents of M, N and K: `(64,32,16)`.
    Extents([i64; 3]),
    /// A number of threads.
    Number(i64),
}

impl fmt::Display for FactValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout(layout) => layout.fmt(f),
            Self::Tile(tile) => f.write_str(&tuple_of(tile)),
            Self::Extents([m, n, k]) => write!(f, "({m},{n},{k})"),
            Self::Number(number) => number.fmt(f),
        }
    }
}

fn fact(name: impl Into<String>, value: FactValue) -> Fact {
    Fact { name: name.into(), value }
}

fn layout_fact(name: impl Into<String>, layout: &Layout<i64>) -> Fact {
    fact(name, FactValue::Layout(layout.clone()))
}

/// An atom of CuTe.
#[derive(Debug, Clone, Copy)]
pub enum Atom {
    /// A matrix instruction.
    Mma(&'static MmaAtom),
    /// A copy instruction.
    Copy(&'static CopyAtom),
}

impl Atom {
    /// Whether the text has the form of an atom's name, even if no such atom exists.
    pub fn is_spelled(name: &str) -> bool {
        let after = |prefix| name.strip_prefix(prefix).and_then(|rest: &str| rest.chars().next());
        after("Universal").is_some()
            || after("SPARSE::").is_some()
            || after("SM").is_some_and(|c| c.is_ascii_digit())
    }

    /// The atom with that name.
    pub fn by_name(name: &str) -> Option<Self> {
        if !Self::is_spelled(name) {
            return None;
        }
        CopyAtom::by_name(name).map(Self::Copy).or_else(|| MmaAtom::by_name(name).map(Self::Mma))
    }

    /// The names of all atoms.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let mma = mma_atoms().map(|atom| atom.name.as_str());
        mma.chain(copy_atoms().iter().map(|atom| atom.name.as_str()))
    }

    /// CuTe's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mma(atom) => &atom.name,
            Self::Copy(atom) => &atom.name,
        }
    }

    /// The kind of the value, with its article.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Mma(_) => "an MMA atom",
            Self::Copy(_) => "a copy atom",
        }
    }

    /// Its extents and layouts.
    pub fn facts(self) -> Vec<Fact> {
        match self {
            Self::Mma(atom) => vec![
                fact("shape_mnk", FactValue::Extents(atom.shape.map(i64::from))),
                layout_fact("thr_id", &atom.thr_id),
                layout_fact("layoutA_TV", &atom.a.layout),
                layout_fact("layoutB_TV", &atom.b.layout),
                layout_fact("layoutC_TV", &atom.c.layout),
            ],
            Self::Copy(atom) => vec![
                layout_fact("thr_id", &atom.thr_id),
                layout_fact("src (thread, bit)", &atom.src),
                layout_fact("dst (thread, bit)", &atom.dst),
                layout_fact("ref (thread, bit)", &atom.reference),
            ],
        }
    }
}

/// An atom laid over threads.
#[derive(Debug)]
#[allow(missing_docs, reason = "the calls name the fields")]
pub enum Tiling {
    /// `tiled_mma(atom, atom_layout, permutation)`
    Mma { atom: &'static MmaAtom, mma: Box<TiledMma> },
    /// `tiled_copy(atom, value_bits, tv, tiler)`
    Copy {
        atom: &'static CopyAtom,
        /// Bits of a value.
        value_bits: i64,
        copy: Box<TiledCopy>,
    },
}

impl Tiling {
    /// The kind of the value, with its article.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Mma { .. } => "a tiled MMA",
            Self::Copy { .. } => "a tiled copy",
        }
    }

    /// The name of the atom.
    pub fn atom_name(&self) -> &'static str {
        match self {
            Self::Mma { atom, .. } => &atom.name,
            Self::Copy { atom, .. } => &atom.name,
        }
    }

    /// The number of threads.
    pub fn threads(&self) -> i64 {
        match self {
            Self::Mma { mma, .. } => mma.threads(),
            Self::Copy { copy, .. } => copy.threads(),
        }
    }

    /// The tiling of the scale factors in registers, which take the places of A and B; `None` if
    /// the MMA has none there.
    pub fn scales(&self) -> Option<Result<TiledMma>> {
        let Self::Mma { atom, mma } = self else { return None };
        Some(TiledMma::new(atom.scale_layouts()?, mma.atom_layout(), mma.permutation()))
    }

    /// Its extents and layouts.
    pub fn facts(&self) -> Result<Vec<Fact>> {
        let mut facts = Vec::new();
        match self {
            Self::Mma { mma, .. } => {
                facts.push(layout_fact("thr_layout_vmnk", mma.thr_layout_vmnk()));
                facts.push(fact("tile_mnk", FactValue::Extents(mma.tile_mnk())));
                facts.push(fact("threads", FactValue::Number(self.threads())));
                for which in MmaOperand::ALL {
                    facts.push(layout_fact(format!("layout{which}_TV"), &mma.layout_tv(which)?));
                }
                if let Some(scales) = self.scales().transpose()? {
                    for which in [MmaOperand::A, MmaOperand::B] {
                        facts.push(layout_fact(format!("layoutSF{which}_TV"), &scales.layout_tv(which)?));
                    }
                }
            }
            Self::Copy { copy, .. } => {
                facts.push(fact("tiler_mn", FactValue::Tile(copy.tiler().clone())));
                facts.push(layout_fact("tiled_layout_TV", copy.tv()));
                facts.push(fact("threads", FactValue::Number(self.threads())));
                for side in CopySide::ALL {
                    facts.push(layout_fact(format!("layout{side}_TV"), &copy.layout_tv(side)?));
                }
            }
        }
        Ok(facts)
    }
}

/// A tile as CuTe C++ prints it: a tuple.
fn tuple_of(tile: &Tile<i64>) -> String {
    match tile {
        Tile::Modes(modes) => format!("({})", modes.iter().map(tuple_of).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

impl fmt::Display for Tiling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mma { atom, mma } => {
                write!(f, "tiled_mma({}, {}", atom.name, mma.atom_layout())?;
                if mma.permutation().iter().any(|tile| *tile != Tile::Underscore) {
                    write!(f, ", {}", Tile::Modes(mma.permutation().to_vec()))?;
                }
                write!(f, ")")
            }
            Self::Copy { atom, value_bits, copy } => {
                write!(f, "tiled_copy({}, {value_bits}, {}, {})", atom.name, copy.tv(), copy.tiler())
            }
        }
    }
}
