//! Writing cute IR: ops are appended, result types inferred, results named.

use cute_algebra::{Coord, Crd, Dim, MmaOperand, Tuple, Width};
use cute_dialect::{
    ops::{atoms, fragments},
    types::{type_of, value_of},
    value::{MemRef, Value as Cute},
};
use cute_ffi::{
    ir::{self, insert_before},
    predicate::IntPredicate,
};
use melior::{
    Context,
    ir::{
        Attribute, BlockLike, BlockRef, Identifier, Location, Region, RegionLike, Type, Value,
        attribute::{DenseI32ArrayAttribute, FloatAttribute, IntegerAttribute, StringAttribute},
        operation::{OperationBuilder, OperationRef},
        r#type::IntegerType,
    },
};

/// Why there is no op.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// MLIR rejects it, and has reported why.
    #[error("the kernel's IR is not valid")]
    Ir,
    /// It has no type.
    #[error("%{name} of the kernel: {why}")]
    Type {
        /// The name of its result.
        name: String,
        /// The rule that is broken.
        why: String,
    },
}

impl Refused {
    fn of(name: &str, why: impl std::fmt::Display) -> Self {
        Self::Type { name: name.into(), why: why.to_string() }
    }
}

/// Result of writing.
pub type Written<T> = Result<T, Refused>;

/// A value of the IR.
pub type Ssa<'c> = Value<'c, 'c>;

/// Ops are appended before an anchor, the terminator of a block.
#[derive(Clone, Copy)]
pub struct Code<'c> {
    context: &'c Context,
    anchor: OperationRef<'c, 'c>,
}

/// A mode of a coordinate.
#[derive(Clone, Copy)]
pub enum At<'c> {
    /// `_`
    All,
    /// A known integer.
    Int(i64),
    /// An i32.
    Value(Ssa<'c>),
}

impl<'c> Code<'c> {
    /// Writes before `anchor`.
    pub fn before(anchor: OperationRef<'c, 'c>) -> Self {
        Self { context: ir::context(anchor), anchor }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    fn location(&self, name: &str) -> Location<'c> {
        let unknown = Location::unknown(self.context);
        if name.is_empty() { unknown } else { Location::name(self.context, name, unknown) }
    }

    fn builder(
        &self,
        (name, op): (&str, &str),
        operands: &[Ssa<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> OperationBuilder<'c> {
        let named: Vec<_> = attributes.iter().map(|(n, a)| (Identifier::new(self.context, n), *a)).collect();
        OperationBuilder::new(op, self.location(name)).add_operands(operands).add_attributes(&named)
    }

    fn insert(&self, builder: OperationBuilder<'c>) -> Written<OperationRef<'c, 'c>> {
        builder.build().map(|op| insert_before(self.anchor, op)).map_err(|_| Refused::Ir)
    }

    /// An op whose result type is inferred; `named` is the name of the result and of the op.
    pub fn op(
        &self,
        named: (&str, &str),
        operands: &[Ssa<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> Written<Ssa<'c>> {
        let op = self.insert(self.builder(named, operands, attributes).enable_result_type_inference())?;
        ir::result(op, 0).ok_or(Refused::Ir)
    }

    /// An op of a given result type.
    pub fn typed(
        &self,
        named: (&str, &str),
        operands: &[Ssa<'c>],
        t: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Written<Ssa<'c>> {
        let op = self.insert(self.builder(named, operands, attributes).add_results(&[t]))?;
        ir::result(op, 0).ok_or(Refused::Ir)
    }

    /// An op of several results, whose types are inferred.
    pub fn ops(
        &self,
        named: (&str, &str),
        operands: &[Ssa<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> Written<Vec<Ssa<'c>>> {
        let op = self.insert(self.builder(named, operands, attributes).enable_result_type_inference())?;
        Ok((0..).map_while(|i| ir::result(op, i)).collect())
    }

    /// An op without results.
    pub fn effect(
        &self,
        op: &str,
        operands: &[Ssa<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> Written<()> {
        self.insert(self.builder(("", op), operands, attributes)).map(|_| ())
    }

    /// A type from its text.
    pub fn parse_type(&self, text: &str) -> Written<Type<'c>> {
        Type::parse(self.context, text).ok_or(Refused::Ir)
    }

    /// An attribute from its text.
    pub fn attribute(&self, text: &str) -> Written<Attribute<'c>> {
        Attribute::parse(self.context, text).ok_or(Refused::Ir)
    }

    fn i32_type(&self) -> Type<'c> {
        IntegerType::new(self.context, 32).into()
    }

    /// An i32 constant.
    pub fn i32(&self, n: i64) -> Written<Ssa<'c>> {
        let value = IntegerAttribute::new(self.i32_type(), n).into();
        let name = if n < 0 { format!("cm{}", -n) } else { format!("c{n}") };
        self.typed((&name, "arith.constant"), &[], self.i32_type(), &[("value", value)])
    }

    /// A constant number of type `t`: an integer or a float.
    pub fn number(&self, name: &str, t: Type<'c>, n: i64) -> Written<Ssa<'c>> {
        use melior::ir::TypeLike;
        let value = if t.is_integer() {
            IntegerAttribute::new(t, n).into()
        } else {
            FloatAttribute::new(self.context, t, n as f64).into()
        };
        self.typed((name, "arith.constant"), &[], t, &[("value", value)])
    }

    /// `a + b`, `a - b` and their like: an op of two operands and their type.
    pub fn binary(&self, named: (&str, &str), a: Ssa<'c>, b: Ssa<'c>) -> Written<Ssa<'c>> {
        self.op(named, &[a, b], &[])
    }

    /// A comparison of integers.
    pub fn compare(&self, name: &str, how: IntPredicate, a: Ssa<'c>, b: Ssa<'c>) -> Written<Ssa<'c>> {
        self.op((name, "arith.cmpi"), &[a, b], &[how.attribute(self.context)])
    }

    /// An intrinsic of LLVM.
    pub fn intrinsic(
        &self,
        name: &str,
        intrinsic: &str,
        operands: &[Ssa<'c>],
        t: Type<'c>,
    ) -> Written<Ssa<'c>> {
        let list = |counts: &[i32]| DenseI32ArrayAttribute::new(self.context, counts).into();
        let attributes = [
            ("intrin", StringAttribute::new(self.context, intrinsic).into()),
            ("op_bundle_sizes", list(&[])),
            ("operandSegmentSizes", list(&[operands.len() as i32, 0])),
        ];
        self.typed((name, "llvm.call_intrinsic"), operands, t, &attributes)
    }

    /// A special register: `tid.x`.
    pub fn register(&self, name: &str, register: &str) -> Written<Ssa<'c>> {
        self.typed((name, &format!("nvvm.read.ptx.sreg.{register}")), &[], self.i32_type(), &[])
    }

    /// A fully static value.
    pub fn fixed(&self, name: &str, text: &str) -> Written<Ssa<'c>> {
        self.typed((name, "cute.static"), &[], self.parse_type(text)?, &[])
    }

    /// A coordinate of one mode for each item.
    pub fn coord(&self, modes: &[At<'c>]) -> Written<Ssa<'c>> {
        self.make_coord(Tuple::from_modes(modes.iter().map(|m| Tuple::leaf(leaf(*m)))), modes)
    }

    /// A coordinate that is one integer.
    pub fn index(&self, value: Ssa<'c>) -> Written<Ssa<'c>> {
        self.make_coord(Tuple::leaf(leaf(At::Value(value))), &[At::Value(value)])
    }

    fn make_coord(&self, coord: Coord<Dim>, modes: &[At<'c>]) -> Written<Ssa<'c>> {
        let values: Vec<_> =
            modes.iter().filter_map(|m| if let At::Value(v) = m { Some(*v) } else { None }).collect();
        self.typed(("at", "cute.make_coord"), &values, type_of(self.context, &Cute::Coord(coord)), &[])
    }

    /// `cute.slice`.
    pub fn slice(&self, name: &str, of: Ssa<'c>, modes: &[At<'c>]) -> Written<Ssa<'c>> {
        self.op((name, "cute.slice"), &[of, self.coord(modes)?], &[])
    }

    /// Registers for a thread's part of matrix `which` (0, 1, 2: A, B, C), a partition.
    pub fn mma_fragment(
        &self,
        name: &str,
        mma: Ssa<'c>,
        which: MmaOperand,
        like: Ssa<'c>,
    ) -> Written<Ssa<'c>> {
        let (mma_value, like_value) = (value_of(ir::type_of(mma)), value_of(ir::type_of(like)));
        let layout = match like_value.as_ref() {
            Cute::Shape(shape) => cute_algebra::make_layout(shape).map_err(|e| Refused::of(name, e))?.into(),
            like => like.layout().ok_or_else(|| {
                Refused::of(name, format_args!("a fragment is like a shape or a view, found {}", like.what()))
            })?,
        };
        let Cute::TiledMma(tiled) = mma_value.as_ref() else {
            return Err(Refused::of(name, format_args!("expected a tiled_mma, found {}", mma_value.what())));
        };
        let fragment = atoms::mma_fragment(&tiled.atom, which, &layout).map_err(|e| Refused::of(name, e))?;
        let t = type_of(self.context, &Cute::MemRef(fragment));
        let id = IntegerAttribute::new(self.i32_type(), which as i64).into();
        self.typed((name, "cute.mma.make_fragment"), &[mma, like], t, &[("operand_id", id)])
    }

    /// Descriptors of matrix `which`, a partition of shared memory.
    pub fn mma_descriptors(
        &self,
        name: &str,
        mma: Ssa<'c>,
        which: MmaOperand,
        part: Ssa<'c>,
    ) -> Written<Ssa<'c>> {
        let (mma_value, part_value) = (value_of(ir::type_of(mma)), value_of(ir::type_of(part)));
        let (Cute::TiledMma(tiled), Cute::MemRef(view)) = (mma_value.as_ref(), part_value.as_ref()) else {
            return Err(Refused::of(name, "descriptors are of a tiled_mma and a memref"));
        };
        let matrix = fragments::smem_matrix(&tiled.atom, which, view).map_err(|e| Refused::of(name, e))?;
        let t = type_of(self.context, &Cute::SmemDescView(matrix.view));
        let id = IntegerAttribute::new(self.i32_type(), which as i64).into();
        self.typed((name, "cute.mma.make_fragment"), &[mma, part], t, &[("operand_id", id)])
    }

    /// Registers for the elements of a view.
    pub fn fragment_like(&self, name: &str, like: Ssa<'c>) -> Written<Ssa<'c>> {
        let value = value_of(ir::type_of(like));
        let Cute::MemRef(view) = value.as_ref() else {
            return Err(Refused::of(
                name,
                format_args!("a fragment is like a memref, found {}", value.what()),
            ));
        };
        let elem = view.iter.elem.ok_or_else(|| Refused::of(name, "the memref has no element type"))?;
        let fragment = atoms::fragment_like(elem, &view.layout).map_err(|e| Refused::of(name, e))?;
        let t = type_of(self.context, &Cute::MemRef(fragment));
        self.typed((name, "cute.make_fragment_like"), &[like], t, &[])
    }

    /// A thread's part of matrix `which`.
    pub fn mma_partition(
        &self,
        name: &str,
        mma: Ssa<'c>,
        which: MmaOperand,
        of: Ssa<'c>,
        thread: Ssa<'c>,
    ) -> Written<Ssa<'c>> {
        let id = IntegerAttribute::new(self.i32_type(), which as i64).into();
        self.op((name, "cute.tiled.mma.partition"), &[mma, of, thread], &[("operand_id", id)])
    }

    /// The part of a tensor that a thread reads.
    pub fn source(&self, name: &str, copy: Ssa<'c>, of: Ssa<'c>, thread: Ssa<'c>) -> Written<Ssa<'c>> {
        self.op((name, "cute.tiled.copy.partition_S"), &[copy, of, thread], &[])
    }

    /// The part of a tensor that a thread writes.
    pub fn destination(&self, name: &str, copy: Ssa<'c>, of: Ssa<'c>, thread: Ssa<'c>) -> Written<Ssa<'c>> {
        self.op((name, "cute.tiled.copy.partition_D"), &[copy, of, thread], &[])
    }

    /// `cute.copy`; with a predicate, only the calls that it selects are executed.
    pub fn copy(&self, copy: Ssa<'c>, from: Ssa<'c>, to: Ssa<'c>, predicate: Option<Ssa<'c>>) -> Written<()> {
        let operands: Vec<_> = [copy, from, to].into_iter().chain(predicate).collect();
        self.effect("cute.copy", &operands, &[])
    }

    /// An atom laid over threads as the type `t` specifies.
    pub fn tiled(&self, name: &str, op: &str, t: Type<'c>, atom: Type<'c>) -> Written<Ssa<'c>> {
        let atom = self.typed(("atom", "cute.make_atom"), &[], atom, &[])?;
        self.typed((name, op), &[atom], t, &[])
    }

    /// The static size of a mode.
    pub fn extent(&self, of: Ssa<'c>, mode: usize) -> Written<i64> {
        let refused = |why: &dyn std::fmt::Display| Refused::of("size", why);
        let value = value_of(ir::type_of(of));
        let layout = value.layout().ok_or_else(|| refused(&format!("{} has no layout", value.what())))?;
        let size = cute_algebra::size_at(&layout, &[mode]).map_err(|e| refused(&e))?;
        cute_algebra::Int::as_static(&size)
            .ok_or_else(|| refused(&format!("mode {mode} of {layout} is dynamic")))
    }

    /// The size of a mode as i32.
    pub fn size(&self, name: &str, of: Ssa<'c>, mode: i32) -> Written<Ssa<'c>> {
        self.size_at(name, of, &[mode])
    }

    /// The size of a mode of a mode as i32.
    pub fn size_at(&self, name: &str, of: Ssa<'c>, mode: &[i32]) -> Written<Ssa<'c>> {
        let mode = DenseI32ArrayAttribute::new(self.context, mode).into();
        let size = self.op(("size", "cute.size"), &[of], &[("mode", mode)])?;
        self.op((name, "cute.get_scalars"), &[size], &[])
    }

    /// `for (i = from; i < to; i += step) carried = body(i, carried)`.
    pub fn repeat(
        &self,
        name: &str,
        [from, to, step]: [Ssa<'c>; 3],
        carried: &[Ssa<'c>],
        body: impl FnOnce(&Self, Ssa<'c>, &[Ssa<'c>]) -> Written<Vec<Ssa<'c>>>,
    ) -> Written<Vec<Ssa<'c>>> {
        let types: Vec<_> = carried.iter().map(|v| ir::type_of(*v)).collect();
        let arguments: Vec<_> = std::iter::once((self.i32_type(), self.location(name)))
            .chain(types.iter().map(|t| (*t, self.location("carried"))))
            .collect();
        let region = Region::new();
        region.append_block(ir::block(&arguments));
        let operands = [&[from, to, step], carried].concat();
        let builder =
            self.builder(("", "scf.for"), &operands, &[]).add_regions_vec(vec![region]).add_results(&types);
        let op = self.insert(builder)?;
        let end = ir::append(op, "scf.yield").ok_or(Refused::Ir)?;
        let inside = Self { context: self.context, anchor: end };
        let argument = |i| ir::block_argument(op, i).ok_or(Refused::Ir);
        let arguments = (1..=carried.len()).map(argument).collect::<Written<Vec<_>>>()?;
        let next = body(&inside, argument(0)?, &arguments)?;
        ir::set_operands(end, &next);
        (0..carried.len()).map(|i| ir::result(op, i).ok_or(Refused::Ir)).collect()
    }

    /// `while (goes_on(carried)) carried = body(carried)`.
    pub fn repeat_while(
        &self,
        carried: &[Ssa<'c>],
        goes_on: impl FnOnce(&Self, &[Ssa<'c>]) -> Written<Ssa<'c>>,
        body: impl FnOnce(&Self, &[Ssa<'c>]) -> Written<Vec<Ssa<'c>>>,
    ) -> Written<Vec<Ssa<'c>>> {
        let types: Vec<_> = carried.iter().map(|v| ir::type_of(*v)).collect();
        let arguments: Vec<_> = types.iter().map(|t| (*t, self.location("carried"))).collect();
        let regions = [(); 2].map(|()| {
            let region = Region::new();
            region.append_block(ir::block(&arguments));
            region
        });
        let builder =
            self.builder(("", "scf.while"), carried, &[]).add_regions_vec(regions.into()).add_results(&types);
        let op = self.insert(builder)?;
        let [before, after] = ir::blocks(op)[..] else { return Err(Refused::Ir) };
        let inside = |block: BlockRef<'c, 'c>, end: &str| {
            let end = self.builder(("", end), &[], &[]).build().map_err(|_| Refused::Ir)?;
            let arguments = (0..carried.len()).map(|i| block.argument(i).map(Into::into));
            let arguments: Vec<_> = arguments.collect::<Result<_, _>>().map_err(|_| Refused::Ir)?;
            Ok::<_, Refused>((Self { context: self.context, anchor: block.append_operation(end) }, arguments))
        };
        let (code, arguments) = inside(before, "scf.condition")?;
        let condition = goes_on(&code, &arguments)?;
        ir::set_operands(code.anchor, &[&[condition], &arguments[..]].concat());
        let (code, arguments) = inside(after, "scf.yield")?;
        ir::set_operands(code.anchor, &body(&code, &arguments)?);
        (0..carried.len()).map(|i| ir::result(op, i).ok_or(Refused::Ir)).collect()
    }

    /// `if (condition) body()`.
    pub fn when(&self, condition: Ssa<'c>, body: impl FnOnce(&Self) -> Written<()>) -> Written<()> {
        let (then, otherwise) = (Region::new(), Region::new());
        then.append_block(ir::block(&[]));
        let op = self
            .insert(self.builder(("", "scf.if"), &[condition], &[]).add_regions_vec(vec![then, otherwise]))?;
        let end = ir::append(op, "scf.yield").ok_or(Refused::Ir)?;
        body(&Self { context: self.context, anchor: end })
    }

    /// `if (condition) then() else otherwise()`.
    pub fn either(
        &self,
        condition: Ssa<'c>,
        then: impl FnOnce(&Self) -> Written<()>,
        otherwise: impl FnOnce(&Self) -> Written<()>,
    ) -> Written<()> {
        let regions = [(); 2].map(|()| {
            let region = Region::new();
            region.append_block(ir::block(&[]));
            region
        });
        let op =
            self.insert(self.builder(("", "scf.if"), &[condition], &[]).add_regions_vec(regions.into()))?;
        let [yes, no] = ir::blocks(op)[..] else { return Err(Refused::Ir) };
        let inside = |block: BlockRef<'c, 'c>| {
            let end = self.builder(("", "scf.yield"), &[], &[]).build().map_err(|_| Refused::Ir)?;
            Ok::<_, Refused>(Self { context: self.context, anchor: block.append_operation(end) })
        };
        then(&inside(yes)?)?;
        otherwise(&inside(no)?)
    }

    /// Memory from a byte of `memory` on, as a view of some type.
    pub fn view(&self, name: &str, memory: Ssa<'c>, byte: i64, t: Type<'c>) -> Written<Ssa<'c>> {
        let value = value_of(t);
        let Cute::MemRef(view) = value.as_ref() else { return Err(Refused::Ir) };
        let pointer = type_of(self.context, &Cute::Ptr(view.iter.clone()));
        let memory = if byte == 0 {
            memory
        } else {
            let offset = self.fixed("offset", &format!("!cute.int_tuple<\"{byte}\">"))?;
            self.op(("memory", "cute.add_offset"), &[memory, offset], &[])?
        };
        let pointer = self.typed(("pointer", "cute.recast_iter"), &[memory], pointer, &[])?;
        self.typed((name, "cute.make_view"), &[pointer], t, &[])
    }

    /// A view: a layout of elements at a pointer.
    pub fn view_of(&self, name: &str, pointer: Ssa<'c>, layout: Ssa<'c>) -> Written<Ssa<'c>> {
        let (pointer_value, layout_value) = (value_of(ir::type_of(pointer)), value_of(ir::type_of(layout)));
        let (Cute::Ptr(iter), Cute::Layout(plain)) = (pointer_value.as_ref(), layout_value.as_ref()) else {
            return Err(Refused::of(name, "a view is of a pointer and a layout"));
        };
        let view = MemRef { iter: iter.clone(), layout: plain.clone().into() };
        let t = type_of(self.context, &Cute::MemRef(view));
        self.typed((name, "cute.make_view"), &[pointer, layout], t, &[])
    }

    /// The dynamic shared memory of the block.
    pub fn dynamic_memory(&self) -> Written<Ssa<'c>> {
        let pointer = self.parse_type("!cute.ptr<i8, smem, align<1024>>")?;
        self.typed(("smem", "cute_nvgpu.arch.get_dyn_smem"), &[], pointer, &[])
    }

    /// The tile of a tensor at a coordinate, whose modes are those of `proj` that are 1.
    pub fn local_tile(
        &self,
        name: &str,
        of: Ssa<'c>,
        tile: [i64; 3],
        at: &[At<'c>; 3],
        proj: &str,
    ) -> Written<Ssa<'c>> {
        let [m, n, k] = tile;
        let tiler = self.fixed("tiler", &format!("!cute.tile<\"[{m}:1;{n}:1;{k}:1]\">"))?;
        let at = self.coord(at)?;
        let proj = self.attribute(&format!("#cute.coord<\"{proj}\">"))?;
        self.op((name, "cute.local_tile"), &[of, tiler, at], &[("proj", proj)])
    }
}

fn leaf(mode: At<'_>) -> Crd<Dim> {
    match mode {
        At::All => Crd::Underscore,
        At::Int(n) => Crd::Int(Dim::fixed(n)),
        At::Value(_) => Crd::Int(Dim::dynamic(Width::I32, 1)),
    }
}
