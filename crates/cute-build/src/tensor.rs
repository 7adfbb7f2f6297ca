//! Ops on tensors as CuTe spells them: coordinates, tiles, slices and views.

use cute_algebra::{Coord, Crd, Dim, Layout, Swizzle, Tile, Tuple, Width};
use cute_dialect::{
    types::{type_of, value_of},
    value::Value as Cute,
};
use cute_ffi::ir;

use crate::{Builder, Input, Result, Value, types};

/// A mode of a coordinate.
#[derive(Clone, Copy)]
pub enum At<'c> {
    /// `_`
    All,
    /// A known integer.
    Int(i64),
    /// An i32.
    Value(Value<'c>),
}

impl From<i64> for At<'_> {
    fn from(n: i64) -> Self {
        Self::Int(n)
    }
}

impl<'c> From<Value<'c>> for At<'c> {
    fn from(value: Value<'c>) -> Self {
        Self::Value(value)
    }
}

impl At<'_> {
    fn leaf(self) -> Crd<Dim> {
        match self {
            Self::All => Crd::Underscore,
            Self::Int(n) => Crd::Int(Dim::fixed(n)),
            Self::Value(_) => Crd::Int(Dim::dynamic(Width::I32, 1)),
        }
    }
}

/// Methods for fully static values.
macro_rules! fixed {
    ($($name:ident $variant:ident($t:ty),)*) => {
        impl<'c> Builder<'c> {$(
            #[doc = concat!("A static value: `cute.static` of a `", stringify!($t), "`.")]
            ///
            /// # Errors
            /// Returns the errors of the text, and of [`Draft::value`](crate::Draft::value).
            #[track_caller]
            pub fn $name(&self, given: impl Input<$t>) -> Result<Value<'c>> {
                self.fixed(&Cute::$variant(self.given(given.resolved())?))
            }
        )*}
    };
}

fixed! {
    shape Shape(Tuple<Dim>),
    int_tuple IntTuple(Tuple<Dim>),
    layout Layout(Layout<Dim>),
    tile Tile(Tile<Dim>),
    fixed_coord Coord(Coord<Dim>),
    swizzle Swizzle(Swizzle),
}

impl<'c> Builder<'c> {
    /// `cute.static` of a value of the dialect.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn fixed(&self, value: &Cute<'c, Dim>) -> Result<Value<'c>> {
        self.typed("cute.static", &[], type_of(self.context(), value), &[])
    }

    /// A coordinate of one mode for each item.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn coord(&self, modes: &[At<'c>]) -> Result<Value<'c>> {
        let coord = Tuple::from_modes(modes.iter().map(|mode| Tuple::leaf(mode.leaf())));
        self.or_named("at").make_coord(coord, &dynamic(modes))
    }

    /// A coordinate that is one integer.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn index(&self, at: impl Into<At<'c>>) -> Result<Value<'c>> {
        let at = at.into();
        self.or_named("at").make_coord(Tuple::leaf(at.leaf()), &dynamic(&[at]))
    }

    /// A coordinate, its dynamic leaves given.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn make_coord(&self, coord: Coord<Dim>, leaves: &[Value<'c>]) -> Result<Value<'c>> {
        let t = type_of(self.context(), &Cute::Coord(coord));
        self.typed("cute.make_coord", leaves, t, &[])
    }

    /// A coordinate unchanged, or an integer as a coordinate.
    #[track_caller]
    pub(crate) fn coordinate(&self, value: Value<'c>) -> Result<Value<'c>> {
        match value_of(ir::type_of(value)).as_ref() {
            Cute::Scalar(_) => self.unnamed().index(value),
            _ => Ok(value),
        }
    }

    /// `cute.slice`: the modes of a tensor at `_`, at the indices of the others.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn slice(&self, of: Value<'c>, modes: &[At<'c>]) -> Result<Value<'c>> {
        let at = self.unnamed().coord(modes)?;
        self.inferred("cute.slice", &[of, at], &[])
    }

    /// `cute.local_tile`: the tile of a tensor at a coordinate. With a projection such as
    /// `(1,_,1)`, only the modes that are 1 there take part.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn local_tile(
        &self,
        of: Value<'c>,
        tiler: impl Input<Tile<Dim>>,
        at: &[At<'c>],
        projection: Option<&str>,
    ) -> Result<Value<'c>> {
        let tiler = self.unnamed().or_named("tiler").tile(tiler)?;
        let operands = [of, tiler, self.unnamed().coord(at)?];
        let projection = projection.map(|text| types::coord_attribute(self.context(), text)).transpose();
        let projection = self.given(projection)?;
        self.op("cute.local_tile").operands(&operands).optional("proj", projection).value()
    }

    /// The part of a tensor that a thread reads in a tiled copy. The thread is an integer or a
    /// coordinate, here and in the other partitions.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn partition_s(&self, copy: Value<'c>, of: Value<'c>, thread: Value<'c>) -> Result<Value<'c>> {
        self.inferred("cute.tiled.copy.partition_S", &[copy, of, self.coordinate(thread)?], &[])
    }

    /// The part of a tensor that a thread writes in a tiled copy.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn partition_d(&self, copy: Value<'c>, of: Value<'c>, thread: Value<'c>) -> Result<Value<'c>> {
        self.inferred("cute.tiled.copy.partition_D", &[copy, of, self.coordinate(thread)?], &[])
    }

    /// A fragment in the order in which a copy takes its values.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn retile(&self, copy: Value<'c>, fragment: Value<'c>) -> Result<Value<'c>> {
        self.inferred("cute.tiled.copy.retile", &[copy, fragment], &[])
    }

    /// `cute.copy`.
    ///
    /// # Errors
    /// As [`Draft::build`](crate::Draft::build).
    #[track_caller]
    pub fn copy(&self, copy: Value<'c>, from: Value<'c>, to: Value<'c>) -> Result<()> {
        self.effect("cute.copy", &[copy, from, to], &[])
    }

    /// `cute.copy`, of which only those calls happen whose predicate is true.
    ///
    /// # Errors
    /// As [`Draft::build`](crate::Draft::build).
    #[track_caller]
    pub fn copy_if(
        &self,
        predicate: Option<Value<'c>>,
        copy: Value<'c>,
        from: Value<'c>,
        to: Value<'c>,
    ) -> Result<()> {
        let operands: Vec<_> = [copy, from, to].into_iter().chain(predicate).collect();
        self.effect("cute.copy", &operands, &[])
    }

    /// `cute.gemm`: `d = a b + c`.
    ///
    /// # Errors
    /// As [`Draft::build`](crate::Draft::build).
    #[track_caller]
    pub fn gemm(&self, mma: Value<'c>, [d, a, b, c]: [Value<'c>; 4]) -> Result<()> {
        self.effect("cute.gemm", &[mma, d, a, b, c], &[])
    }

    /// `cute.gemm` with scale factors of A and B.
    ///
    /// # Errors
    /// As [`Draft::build`](crate::Draft::build).
    #[track_caller]
    pub fn gemm_scaled(&self, mma: Value<'c>, [d, a, sfa, b, sfb, c]: [Value<'c>; 6]) -> Result<()> {
        self.effect("cute.gemm", &[mma, d, a, sfa, b, sfb, c], &[])
    }

    /// The static size of a mode.
    ///
    /// # Errors
    /// Returns [`Error::Rule`](crate::Error::Rule) for a value without a layout, and for a dynamic
    /// size.
    #[track_caller]
    pub fn extent(&self, of: Value<'c>, mode: usize) -> Result<i64> {
        let value = value_of(ir::type_of(of));
        let Some(layout) = value.layout() else {
            return self.fail(&format!("{} has no layout", value.what()));
        };
        let size = self.ask(cute_algebra::size_at(&layout, &[mode]))?;
        match size.as_static() {
            Some(size) => Ok(size),
            None => self.fail(&format!("mode {mode} of {layout} is dynamic")),
        }
    }

    /// The size of a mode as an integer: `[0]` is mode 0, `[1, 0]` mode 0 of mode 1, and `[]` all.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn size(&self, of: Value<'c>, mode: &[i32]) -> Result<Value<'c>> {
        let size = self.unnamed().or_named("size").op("cute.size").operands(&[of]).attribute("mode", mode);
        self.inferred("cute.get_scalars", &[size.value()?], &[])
    }

    /// An integer as a value of the algebra, such as an offset.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn make_int(&self, value: Value<'c>) -> Result<Value<'c>> {
        let t = type_of(self.context(), &Cute::IntTuple(Tuple::leaf(Dim::dynamic(Width::I32, 1))));
        self.typed("cute.make_int_tuple", &[value], t, &[])
    }
}

/// The values among the modes of a coordinate.
fn dynamic<'c>(modes: &[At<'c>]) -> Vec<Value<'c>> {
    modes.iter().filter_map(|mode| if let At::Value(value) = mode { Some(*value) } else { None }).collect()
}
