//! Algebra values as the integer tape of a type: what MLIR uniques and compares. Knows the form, not the meaning.
//!
//! A tree is written in preorder: a node as its number of modes, a leaf as [`LEAF`] followed by the leaf's words.

use cute_algebra::{Basis, ComposedLayout, Crd, Dim, Inner, Layout, Stride, Swizzle, Tile, Tuple, Width};

const LEAF: i64 = -1;
const UNDERSCORE: i64 = 1;

/// Appends values to a tape.
#[derive(Default)]
pub struct Writer(pub Vec<i64>);

/// Reads values back. `None` means the words are not a tape of that form.
pub struct Reader<'a>(pub &'a [i64]);

/// What a tape can hold.
pub trait Tape: Sized {
    /// Appends the words of `self`.
    fn write(&self, to: &mut Writer);
    /// Takes the words of one value.
    fn read(from: &mut Reader<'_>) -> Option<Self>;
}

impl Writer {
    /// Appends a value.
    pub fn put(&mut self, value: &impl Tape) -> &mut Self {
        value.write(self);
        self
    }
}

impl Reader<'_> {
    /// Takes a value.
    pub fn take<T: Tape>(&mut self) -> Option<T> {
        T::read(self)
    }
}

impl Tape for i64 {
    fn write(&self, to: &mut Writer) {
        to.0.push(*self);
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let (first, rest) = from.0.split_first()?;
        from.0 = rest;
        Some(*first)
    }
}

impl Tape for Dim {
    fn write(&self, to: &mut Writer) {
        let tag = self.width().map_or(0, |w| i64::from(w.bits()));
        to.0.extend([tag, self.as_static().unwrap_or(self.divisor())]);
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let tag: i64 = from.take()?;
        let value = from.take()?;
        match tag {
            0 => Some(Self::fixed(value)),
            32 => Some(Self::dynamic(Width::I32, value)),
            64 => Some(Self::dynamic(Width::I64, value)),
            _ => None,
        }
    }
}

impl Tape for Crd<Dim> {
    fn write(&self, to: &mut Writer) {
        match self {
            Self::Int(value) => value.write(to),
            Self::Underscore => to.0.extend([UNDERSCORE, 0]),
        }
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        if from.0.first() == Some(&UNDERSCORE) {
            from.0 = from.0.get(2..)?;
            return Some(Self::Underscore);
        }
        from.take().map(Self::Int)
    }
}

impl Tape for Stride<Dim> {
    fn write(&self, to: &mut Writer) {
        let basis = self.basis();
        to.put(self.scale()).put(&self.den()).put(&(basis.path().len() as i64));
        to.0.extend(basis.path().iter().map(|&i| i64::from(i)));
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let (scale, den): (Dim, i64) = (from.take()?, from.take()?);
        let levels: i64 = from.take()?;
        let path =
            (0..levels).map(|_| usize::try_from(from.take::<i64>()?).ok()).collect::<Option<Vec<_>>>()?;
        if path.is_empty() {
            return Some(Self::int(scale));
        }
        Self::ratio(scale, den, Basis::new(&path).ok()?).ok()
    }
}

impl<T: Tape + Clone> Tape for Tuple<T> {
    fn write(&self, to: &mut Writer) {
        match self.as_leaf() {
            Some(leaf) => {
                to.put(&LEAF).put(leaf);
            }
            None => {
                to.put(&(self.rank() as i64));
                self.modes().for_each(|m| m.to_owned().write(to));
            }
        }
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        match from.take::<i64>()? {
            LEAF => from.take().map(Self::leaf),
            rank => Some(Self::from_modes((0..rank).map(|_| from.take()).collect::<Option<Vec<Self>>>()?)),
        }
    }
}

impl Tape for Layout<Dim> {
    fn write(&self, to: &mut Writer) {
        to.put(self.shape()).put(self.stride());
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Self::new(from.take()?, from.take()?).ok()
    }
}

impl Tape for Tile<Dim> {
    fn write(&self, to: &mut Writer) {
        match self {
            Self::Layout(layout) => to.put(&0).put(layout),
            Self::Int(n) => to.put(&1).put(n),
            Self::Underscore => to.put(&2),
            Self::Modes(modes) => {
                to.put(&3).put(&(modes.len() as i64));
                modes.iter().for_each(|m| m.write(to));
                to
            }
        };
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        match from.take::<i64>()? {
            0 => from.take().map(Self::Layout),
            1 => from.take().map(Self::Int),
            2 => Some(Self::Underscore),
            _ => {
                let n: i64 = from.take()?;
                (0..n).map(|_| from.take()).collect::<Option<Vec<_>>>().map(Self::Modes)
            }
        }
    }
}

impl Tape for Swizzle {
    fn write(&self, to: &mut Writer) {
        to.0.extend([i64::from(self.bits()), i64::from(self.base()), i64::from(self.shift())]);
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Self::new(from.take()?, from.take()?, from.take()?).ok()
    }
}

impl Tape for ComposedLayout<Dim> {
    fn write(&self, to: &mut Writer) {
        match self.inner() {
            Inner::Swizzle(s) => to.put(&0).put(s),
            Inner::Layout(l) => to.put(&1).put(l),
        };
        to.put(self.offset()).put(self.outer());
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let inner = match from.take::<i64>()? {
            0 => Inner::Swizzle(from.take()?),
            _ => Inner::Layout(from.take()?),
        };
        Some(Self::new(inner, from.take()?, from.take()?))
    }
}
