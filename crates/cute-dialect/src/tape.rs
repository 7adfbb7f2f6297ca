//! Algebra values as the integer tape of a type: what MLIR uniques and compares. Knows the form, not the meaning.
//!
//! A tree is its profile (a length, then the arities in preorder), followed by the words of its leaves.

use cute_algebra::{
    Basis, ComposedLayout, Crd, Dim, Inner, Layout, Profile, Stride, Swizzle, Tile, Tuple, Width,
};
use smallvec::SmallVec;

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

impl Tape for Profile {
    fn write(&self, to: &mut Writer) {
        let arities = self.arities();
        to.put(&(arities.len() as i64));
        to.0.extend(arities.iter().map(|&a| i64::from(a)));
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let n = usize::try_from(from.take::<i64>()?).ok()?;
        let (arities, rest) = from.0.split_at_checked(n)?;
        from.0 = rest;
        Self::from_arities(arities.iter().map(|&a| u32::try_from(a).unwrap_or(Self::LEAF)))
    }
}

/// The leaves of a tree of that profile.
fn leaves<T: Tape>(profile: &Profile, from: &mut Reader<'_>) -> Option<SmallVec<[T; 4]>> {
    (0..profile.leaf_count()).map(|_| from.take()).collect()
}

impl<T: Tape> Tape for Tuple<T> {
    fn write(&self, to: &mut Writer) {
        to.put(self.profile());
        self.leaves().iter().for_each(|leaf| leaf.write(to));
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let profile: Profile = from.take()?;
        let leaves = leaves(&profile, from)?;
        Self::from_profile(profile, leaves)
    }
}

impl Tape for Layout<Dim> {
    fn write(&self, to: &mut Writer) {
        // One profile for both: shape and stride are congruent.
        to.put(self.shape());
        self.stride().leaves().iter().for_each(|d| d.write(to));
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let shape: Tuple<Dim> = from.take()?;
        let strides = leaves(shape.profile(), from)?;
        let strides = Tuple::from_profile(shape.profile().clone(), strides)?;
        Self::new(shape, strides).ok()
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
