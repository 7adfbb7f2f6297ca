//! The identity of a mistake, by which findings are merged: kind, object, and the places in the
//! source of both sides with the calls that were inlined around them. An unrolled loop, or a copy
//! of a struct, makes one mistake at many instructions.

use super::{Finding, FindingKind, MbarrierMisuse, Party, Place, SwizzleRule};
use crate::quoted::Allocation;
use cute_machine::place::{SourcePlace, described};
use serde::{Serialize, Serializer, ser::SerializeStruct};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::discriminant;

/// Listed instructions of a mistake.
const LISTED: usize = 3;

/// The instructions that make one mistake.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places {
    /// The first of them.
    pub first: Vec<Spot>,
    /// All, by the hashes of their texts.
    all: BTreeSet<u64>,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Spot {
    /// The operation's name.
    pub op: String,
    /// The source location.
    #[serde(flatten, serialize_with = "described")]
    pub location: SourcePlace,
}

impl Places {
    /// Their number.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Whether there is nothing to list besides the finding's own place.
    pub fn is_one(&self) -> bool {
        self.all.len() <= 1
    }

    fn add(&mut self, op: &str, location: &SourcePlace) {
        if self.all.insert(hash(|state| (op, location).hash(state))) && self.first.len() < LISTED {
            self.first.push(Spot { op: op.to_owned(), location: location.clone() });
        }
    }

    fn join(&mut self, other: Places) {
        other.first.iter().for_each(|spot| self.add(&spot.op, &spot.location));
        self.all.extend(other.all);
    }

    /// The list, of PTX without the places in the source, which the finding names.
    pub(crate) fn list(&self) -> String {
        let spots = self.first.iter().map(|Spot { op, location }| {
            let own = location.origin.as_ref().map_or_else(|| location.to_string(), ToString::to_string);
            format!("`{op}` ({own})")
        });
        let list = spots.collect::<Vec<_>>().join(", ");
        match self.count() - self.first.len() {
            0 => list,
            1 => format!("{list} and 1 more place"),
            more => format!("{list} and {more} more places"),
        }
    }
}

impl Serialize for Places {
    /// The number, and the first.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Places", 2)?;
        object.serialize_field("count", &self.count())?;
        object.serialize_field("first", &self.first)?;
        object.end()
    }
}

impl Finding {
    /// How often it occurred and at which instructions, where it is more than once.
    pub fn repeats(&self) -> Option<String> {
        let times = format!("{} times in all", self.count);
        match (self.count, self.places.is_one()) {
            (..=1, _) => None,
            (_, true) => Some(times),
            _ => Some(format!("{times}, at {} places: {}", self.places.count(), self.places.list())),
        }
    }

    /// Whether it is the same mistake. A race has two sides, whichever of them came first.
    pub fn is_like(&self, other: &Finding) -> bool {
        self.grade == other.grade && self.mistake == other.mistake
    }

    /// Counts the occurrences of the same mistake in another part of the launch.
    pub(crate) fn absorb(&mut self, other: Finding) {
        self.count += other.count;
        self.also_at(other);
    }

    /// Adds the places of the same mistake, which was counted already. Those of the other side of a
    /// race are not among them, because the text names it.
    pub(crate) fn also_at(&mut self, other: Finding) {
        if self.side == other.side {
            self.places.join(other.places);
        }
    }

    /// Notes its own place, and what tells its mistake from others.
    pub(crate) fn identified(mut self) -> Self {
        self.places.add(&self.op, &self.location);
        let side = |place: &SourcePlace| hash(|state| place.source().hash(state));
        let own = side(&self.location);
        let other = self.kind.party().map(|party| side(&party.location));
        let is_symmetric = matches!(self.kind, FindingKind::Race { .. });
        self.side = own;
        let sides = match other {
            Some(other) if is_symmetric => (own.min(other), Some(own.max(other))),
            other => (own, other),
        };
        self.mistake = hash(|state| {
            discriminant(&self.kind).hash(state);
            self.kind.object().hash(state);
            sides.hash(state);
        });
        self
    }

    /// Makes it one mistake with others of its kind by instructions of these names.
    pub(crate) fn identified_by_names(mut self, own: &str, other: &str) -> Self {
        self.places.add(&self.op, &self.location);
        self.mistake = hash(|state| (discriminant(&self.kind), own, other).hash(state));
        self
    }
}

impl FindingKind {
    /// The other side, if a thread's access is one.
    pub fn party(&self) -> Option<&Party> {
        match self {
            Self::Race { other, .. }
            | Self::RaceUnused { other, .. }
            | Self::RaceCompared { other, .. }
            | Self::RaceRounded { other, .. }
            | Self::SameValue { other, .. }
            | Self::Unfenced { other, .. }
            | Self::UnfencedMap { other, .. }
            | Self::ProxyOrder { other, .. }
            | Self::TensorOrder { other, .. } => Some(other),
            Self::Mbarrier { misuse, .. } => match &**misuse {
                MbarrierMisuse::InUse { other } => Some(other),
                _ => None,
            },
            _ => None,
        }
    }

    /// The allocation or barrier that it is about.
    fn object(&self) -> Option<Allocation<'_>> {
        let named = |id: &u32| Some((0, *id, "barrier", None));
        match self {
            Self::OutOfBounds { place, .. }
            | Self::Misaligned { place, .. }
            | Self::Uninitialised { place, .. }
            | Self::InFlight { place, .. }
            | Self::BarrierStorage { place, .. }
            | Self::Mbarrier { place, .. }
            | Self::MissedPhase { place, .. }
            | Self::TensorMap { place, .. }
            | Self::Unfenced { place, .. }
            | Self::UnfencedMap { place, .. }
            | Self::ProxyOrder { place, .. }
            | Self::TensorOrder { place, .. }
            | Self::ReadOnly { place }
            | Self::OtherBlock { place }
            | Self::NotBegun { place }
            | Self::Exited { place, .. }
            | Self::RaceUnused { place, .. }
            | Self::RaceCompared { place, .. }
            | Self::RaceRounded { place, .. }
            | Self::SameValue { place, .. }
            | Self::Race { place, .. } => Some(Place::allocation(place)),
            Self::Swizzle { rule } => match &**rule {
                SwizzleRule::Descriptor { location, .. } => Some((8, 0, "", Some(location))),
                SwizzleRule::Map { .. } => None,
            },
            Self::Barrier { id, .. }
            | Self::BarrierCounts { id, .. }
            | Self::BarrierFilled { id }
            | Self::BarrierShared { id, .. }
            | Self::BarrierMixed { id, .. }
            | Self::ReturnedThreads { id, .. } => named(id),
            _ => None,
        }
    }
}

fn hash(of: impl FnOnce(&mut DefaultHasher)) -> u64 {
    let mut state = DefaultHasher::new();
    of(&mut state);
    state.finish()
}
