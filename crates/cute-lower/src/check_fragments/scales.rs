//! The scale factors of a gemm are those of their own matrix. A factor has the rows of its matrix,
//! so it is loaded at the coordinate at which the matrix is: factors that are loaded at a
//! coordinate of the other matrix, and at none of their own, are the other one's. The state of the
//! atom may name the factors beside the operands, and must not name others.

use std::collections::BTreeSet;

use cute_algebra::{self as algebra, AnyLayout, Dim, LayoutLike, Tuple};
use cute_dialect::{
    atom::MmaAtom,
    ops::OpKind,
    partition::GemmOperand,
    types::{State, value_of},
    value::{Space, Value as Cute},
};
use cute_ffi::{
    self, Severity,
    ir::{self, op_name},
};
use melior::ir::{
    Attribute, Value,
    attribute::IntegerAttribute,
    operation::{OperationLike, OperationRef},
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    loads::{Loads, Origin},
    operands,
    places::{Place, Start, chain},
    views::{operand, whole},
};
use crate::incoming::Incoming;

/// The largest number of factors of a thread that are compared: more than it has registers for.
const MOST_FACTORS: i64 = 1 << 12;

/// The factors, the field of an atom's state that names them, and their matrix.
const FACTORS: [(GemmOperand, &str, GemmOperand); 2] =
    [(GemmOperand::Sfa, "sf_a", GemmOperand::A), (GemmOperand::Sfb, "sf_b", GemmOperand::B)];

/// Reports scale factors of a gemm that are those of the other matrix, or others than the atom's
/// state names; returns whether there are none.
pub(super) fn are_right<'c>(op: OperationRef<'c, 'c>, loads: &Loads<'c>, incoming: &Incoming<'c>) -> bool {
    let Some(gemm) = Gemm::of(op, incoming) else { return true };
    !gemm.shares_registers()
        && !gemm.has_other_matrix()
        && !gemm.has_other_rows(loads, incoming)
        && !gemm.contradicts_state()
}

/// The factors of A and of B of a gemm.
struct Gemm<'c> {
    op: OperationRef<'c, 'c>,
    matrices: [Value<'c, 'c>; 2],
    /// The operands; `None` if only the state of the atom names the factors.
    operands: Option<[Value<'c, 'c>; 2]>,
    /// The pointers in the atom's state, and the ops that gave them to it, as far as they are seen.
    state: [Option<(Value<'c, 'c>, OperationRef<'c, 'c>)>; 2],
}

impl<'c> Gemm<'c> {
    /// `None` if the atom takes no scale factors.
    fn of(op: OperationRef<'c, 'c>, incoming: &Incoming<'c>) -> Option<Self> {
        let all = ir::operands(op);
        let (atom, rest) = all.split_first()?;
        atom_of(*atom)?.entry?.scale.as_ref()?;
        let get = |operand: GemmOperand| rest.get(operand.position(rest.len())?).copied();
        let matrices = [get(GemmOperand::A)?, get(GemmOperand::B)?];
        let operands = get(GemmOperand::Sfa).zip(get(GemmOperand::Sfb)).map(|(a, b)| [a, b]);
        Some(Self {
            op,
            matrices,
            operands,
            state: FACTORS.map(|(_, field, _)| state(*atom, field, incoming)),
        })
    }

    fn refuse(&self, why: &str, note: Option<(OperationRef<'c, 'c>, String)>) -> bool {
        let text = format!("'{}' op {why}", op_name(self.op));
        let notes: Vec<_> = note.into_iter().map(|(op, text)| (ir::location(op), text)).collect();
        cute_ffi::emit(ir::location(self.op), Severity::Error, &text, &notes);
        true
    }

    /// Reports views of registers that have a factor for two blocks. Strides of 0 are meant.
    fn shares_registers(&self) -> bool {
        for (i, (factor, _, _)) in FACTORS.into_iter().enumerate() {
            let Some(value) = self.operands.map(|operands| operands[i]) else { continue };
            for view in [value, whole(value)] {
                let Some((layout, [first, second])) = shared_register(view) else { continue };
                let name = factor.name();
                let why = format!(
                    "{name} has the layout {layout}, in which the factors at {first} and {second} are the same register: rows and k-blocks need \
                     registers of their own; make the fragment by cute.mma.make_fragment {name}"
                );
                return self.refuse(&why, None);
            }
        }
        false
    }

    /// Reports operands that lie elsewhere than the state of the atom says.
    fn contradicts_state(&self) -> bool {
        let Some(operands) = self.operands else { return false };
        let places = operands.map(|value| Place::of(whole(value)));
        for (i, (factor, field, _)) in FACTORS.into_iter().enumerate() {
            let (Some((pointer, setter)), Some(own)) = (self.state[i], places[i]) else { continue };
            let Some(start) = Start::of(pointer) else { continue };
            let stated = Place::at(start);
            if !stated.is_beside(&own) {
                continue;
            }
            let other = places[1 - i].is_some_and(|other| other.meets(&stated));
            let (name, others) = (factor.name(), FACTORS[1 - i].0.name());
            let names =
                if other { format!("the factors that {others} is given") } else { "other factors".into() };
            let fix = if other {
                "exchange the pointers of the atom's state, or SFA and SFB, or leave SFA and SFB out"
            } else {
                "give the state and the operand the same factors"
            };
            let why =
                format!("{name} contradicts {field} in the state of the atom, which names {names}: {fix}");
            return self.refuse(&why, Some((setter, format!("{field} is set here"))));
        }
        false
    }

    /// The view of factor `i`, or the pointer to it.
    fn factor(&self, i: usize) -> Option<Value<'c, 'c>> {
        match self.operands {
            Some(operands) => Some(operands[i]),
            None => self.state[i].map(|(pointer, _)| pointer),
        }
    }

    /// Reports factors in a fragment, or from a partition, of the other matrix.
    fn has_other_matrix(&self) -> bool {
        for (i, (factor, _, _)) in FACTORS.into_iter().enumerate() {
            let Some(value) = self.factor(i) else { continue };
            let other = FACTORS[1 - i].0;
            let Some(op) = named(&chain(value), other) else { continue };
            let [name, other] = [factor, other].map(GemmOperand::name);
            let why = format!(
                "{name} is given the fragment of {other}: exchange them, or make that of {name} by cute.mma.make_fragment {name}, from a \
                 partition {name}"
            );
            return self.refuse(&why, Some((op, "the fragment is made here".into())));
        }
        false
    }

    /// Reports factors that are loaded at the coordinate of the other matrix.
    fn has_other_rows(&self, loads: &Loads<'c>, incoming: &Incoming<'c>) -> bool {
        let origins = self.matrices.map(|matrix| {
            let place = operands::described(matrix, incoming).and_then(Place::of)?;
            Some(loads.origin(place).coordinates)
        });
        let [Some(a), Some(b)] = &origins else { return false };
        let only: [BTreeSet<_>; 2] = [a - b, b - a];
        if only.iter().any(BTreeSet::is_empty) {
            return false;
        }
        let found = [0, 1].map(|i| {
            let place = match self.operands {
                Some(operands) => Place::of(whole(operands[i])),
                None => self.state[i].and_then(|(pointer, _)| Start::of(pointer)).map(Place::at),
            };
            place.map(|place| loads.origin(place))
        });
        let wrong = [0, 1].map(|i| {
            let of = |origin: &Origin<'c>, side: usize| !origin.coordinates.is_disjoint(&only[side]);
            found[i].as_ref().is_some_and(|origin| of(origin, 1 - i) && !of(origin, i))
        });
        let Some(i) = wrong.iter().position(|wrong| *wrong) else { return false };
        let (factor, matrix, other) = (FACTORS[i].0.name(), FACTORS[i].2.name(), FACTORS[1 - i].2.name());
        let fix = if wrong[0] && wrong[1] {
            "exchange SFA and SFB, or what fills them".to_string()
        } else {
            format!("load them at the coordinate of {matrix}")
        };
        let why = format!(
            "{factor} is given the scale factors of {other}, which are loaded at the coordinate of {other}'s tile: {fix}"
        );
        let load = found[i].as_ref().and_then(|origin| origin.loads.first().copied());
        self.refuse(&why, load.map(|load| (load, "the factors are loaded here".to_string())))
    }
}

/// The op among those that made some views that names this matrix.
pub(super) fn named<'c>(views: &[Value<'c, 'c>], matrix: GemmOperand) -> Option<OperationRef<'c, 'c>> {
    let made = views.iter().filter_map(|view| ir::definer(*view));
    made.into_iter().find(|op| matrix_of(*op) == Some(matrix))
}

/// The matrix, or the factors of one, that an op partitions or makes a fragment of.
pub(super) fn matrix_of(op: OperationRef<'_, '_>) -> Option<GemmOperand> {
    let kind = OpKind::from_name(op_name(op))?;
    if !matches!(kind, OpKind::TiledMmaPartition | OpKind::MmaMakeFragment) {
        return None;
    }
    let id: Attribute<'_> = op.attribute("operand_id").ok()?;
    let id = usize::try_from(IntegerAttribute::try_from(id).ok()?.value()).ok()?;
    GemmOperand::NAMED.get(id).copied()
}

/// The layout of a view of registers, and the indices of two factors that are one register.
fn shared_register(view: Value<'_, '_>) -> Option<(AnyLayout<Dim>, [Tuple<i64>; 2])> {
    let Cute::MemRef(view) = value_of(ir::type_of(view)).into_owned() else { return None };
    let layout = view.layout.outer().to_const().filter(|_| view.iter.space == Space::Rmem)?;
    let factors = algebra::filter_zeros(&layout).ok()?;
    let size = algebra::size(&factors).ok().filter(|size| *size <= MOST_FACTORS)?;
    let mut taken = FxHashMap::default();
    for i in 0..size {
        let at = algebra::idx2crd(&Tuple::leaf(i), factors.shape()).ok()?;
        let register = algebra::crd2idx(&at.to_coord(), &factors).ok()?.as_leaf().copied()?;
        if let Some(first) = taken.insert(register, at.clone()) {
            return Some((view.layout, [first, at]));
        }
    }
    None
}

pub(super) fn atom_of<'c>(value: Value<'c, 'c>) -> Option<MmaAtom<'c>> {
    match value_of(ir::type_of(value)).as_ref() {
        Cute::TiledMma(tiled) => Some(tiled.atom.clone()),
        Cute::MmaAtom(atom) => Some(atom.clone()),
        _ => None,
    }
}

/// The value of a field of an atom's state and the op that sets it, if there is exactly one.
fn state<'c>(
    atom: Value<'c, 'c>,
    field: &str,
    incoming: &Incoming<'c>,
) -> Option<(Value<'c, 'c>, OperationRef<'c, 'c>)> {
    let (mut open, mut seen) = (vec![atom], FxHashSet::default());
    let mut found: Option<(Value<'c, 'c>, OperationRef<'c, 'c>)> = None;
    while let Some(value) = open.pop() {
        if !seen.insert(ir::identity(value)) {
            continue;
        }
        let Some(op) = ir::definer(value).filter(|op| OpKind::from_name(op_name(*op)).is_some()) else {
            let reaching = incoming.reaching(value);
            if reaching.is_empty() {
                return None;
            }
            open.extend(reaching);
            continue;
        };
        let given = match OpKind::from_name(op_name(op))? {
            OpKind::AtomSetValue if ir::nvgpu_word(op.attribute("field").ok()?)?.1 == field => {
                operand(op, 1)?
            }
            OpKind::MakeAtom => {
                let state = State::of(&*value_of(ir::type_of(value)))?;
                let position = state.fields.iter().position(|own| own.name == field)?;
                operand(op, position)?
            }
            _ => {
                open.push(operand(op, 0)?);
                continue;
            }
        };
        match found {
            Some((known, _)) if ir::identity(known) != ir::identity(given) => return None,
            _ => found = Some((given, op)),
        }
    }
    found
}
