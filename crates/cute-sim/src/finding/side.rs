//! The sides of a mistake as data: the instruction that a finding is about, and another one that it
//! takes to make the mistake.

use super::{AccessKind, Completion, Finding, FindingKind, Grade, Origin, Party, Places, Rule, SwizzleRule};
use crate::quoted::NamedInstruction;
use crate::schedule::Schedule;
use cute_machine::place::{SourcePlace, described};
use serde::{Serialize, Serializer};

/// A side of a mistake. Of some, only the place is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Side<'f> {
    /// The kind of the access, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access: Option<AccessKind>,
    /// The operation's name.
    pub op: Option<&'f str>,
    /// The source location.
    #[serde(flatten, serialize_with = "described")]
    pub location: &'f SourcePlace,
    /// The block's position in the grid.
    pub block: Option<[u32; 3]>,
    /// The thread's position in the block.
    pub thread: Option<[u32; 3]>,
    /// The number of the launch among those of its memory, from 1 on.
    pub launch: u32,
}

impl Finding {
    /// The side that the finding is about.
    pub fn own_side(&self) -> Side<'_> {
        Side {
            access: self.kind.access(),
            op: Some(&self.op),
            location: &self.location,
            block: (!self.by_host).then_some(self.block),
            thread: (!self.by_host).then_some(self.thread),
            launch: self.launch,
        }
    }

    /// The other side: the access or arrival that it takes to make the mistake, or the instruction
    /// that led to it, if the finding names one.
    pub fn other(&self) -> Option<Side<'_>> {
        if let Some(party) = self.kind.other_thread() {
            let launch = match party.completion.as_deref() {
                Some(Completion::Launch { launch, .. } | Completion::Unordered { launch, .. }) => *launch,
                _ => self.launch,
            };
            let is_thread = !party.is_by_host();
            return Some(Side {
                access: Some(party.access),
                op: Some(&party.op),
                location: &party.location,
                block: is_thread.then_some(party.block),
                thread: is_thread.then_some(party.thread),
                launch,
            });
        }
        let NamedInstruction { op, location, thread } = self.kind.named()?;
        let block = thread.map(|_| self.block);
        Some(Side { access: None, op, location, block, thread, launch: self.launch })
    }
}

impl FindingKind {
    /// The kind of the access that it is about.
    fn access(&self) -> Option<AccessKind> {
        match self {
            Self::Race { access, .. }
            | Self::RaceUnused { access, .. }
            | Self::RaceCompared { access, .. }
            | Self::RaceRounded { access, .. }
            | Self::SameValue { access, .. }
            | Self::Unfenced { access, .. }
            | Self::ProxyOrder { access, .. }
            | Self::TensorOrder { access, .. } => Some(*access),
            _ => None,
        }
    }

    /// The thread on the other side, with its instruction.
    fn other_thread(&self) -> Option<&Party> {
        match self {
            Self::Mbarrier { misuse, .. } => misuse.party(),
            Self::MissedPhase { other, .. } => Some(other),
            _ => self.party(),
        }
    }

    /// An instruction that it names without a party.
    fn named(&self) -> Option<NamedInstruction<'_>> {
        Some(match self {
            Self::InFlight { copy: Some(copy), .. } => {
                NamedInstruction::by(&copy.op, &copy.location, copy.thread)
            }
            Self::BarrierShared { thread, op, location, .. } => NamedInstruction::by(op, location, *thread),
            Self::BarrierCounts { op, location, .. }
            | Self::BarrierMixed { op, location, .. }
            | Self::ElectedLane { op, location, .. }
            | Self::Coordinate { op, location, .. } => NamedInstruction::of(op, location),
            Self::BarrierStorage { location, .. } => NamedInstruction::at(location),
            Self::Mbarrier { misuse, .. } => return misuse.named(),
            Self::Wgmma { rule } => return rule.named(),
            Self::Tensor { rule } => return rule.named(),
            Self::Swizzle { rule } => match &**rule {
                SwizzleRule::Descriptor { op, location, .. } => NamedInstruction::of(op, location),
                SwizzleRule::Map { .. } => return None,
            },
            Self::Undefined { origin, .. } => match &**origin {
                Origin::Operation { op, location }
                | Origin::Quotient { op, location }
                | Origin::NoBlock { op, location }
                | Origin::Unwritten { op, location, .. }
                | Origin::Tensor { op, location, .. }
                | Origin::Lane { op, location, .. } => NamedInstruction::of(op, location),
            },
            _ => return None,
        })
    }
}

impl Serialize for Finding {
    /// Its own place is among its fields, and `other` is the other side.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Form<'f> {
            grade: Grade,
            kind: &'f FindingKind,
            #[serde(skip_serializing_if = "Option::is_none")]
            rule: Option<&'static Rule>,
            op: &'f str,
            #[serde(flatten, serialize_with = "described")]
            location: &'f SourcePlace,
            block: [u32; 3],
            thread: [u32; 3],
            launch: u32,
            #[serde(skip_serializing_if = "std::ops::Not::not")]
            by_host: bool,
            #[serde(skip_serializing_if = "Option::is_none")]
            other: Option<Side<'f>>,
            count: u64,
            #[serde(skip_serializing_if = "Places::is_one")]
            places: &'f Places,
            #[serde(skip_serializing_if = "<[_]>::is_empty")]
            schedules: &'f [Schedule],
        }
        let Finding {
            grade,
            kind,
            rule,
            op,
            location,
            block,
            thread,
            launch,
            by_host,
            count,
            places,
            schedules,
            ..
        } = self;
        let form = Form {
            grade: *grade,
            kind,
            rule: *rule,
            op,
            location,
            block: *block,
            thread: *thread,
            launch: *launch,
            by_host: *by_host,
            other: self.other(),
            count: *count,
            places,
            schedules,
        };
        form.serialize(serializer)
    }
}
