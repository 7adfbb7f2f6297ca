//! The sites of a kernel in the byte form: each name of an operation and each place once, and two
//! numbers for each instruction.

use super::Site;
use cute_machine::place::PlaceTable;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Default, Serialize, Deserialize)]
struct Sites {
    ops: Vec<Arc<str>>,
    places: PlaceTable,
    /// The numbers of the name and of the place.
    sites: Vec<(u32, u32)>,
}

impl Sites {
    fn of<'s>(sites: impl Iterator<Item = &'s Site>) -> Self {
        let mut known: HashMap<&str, u32> = HashMap::new();
        let mut table = Sites::default();
        for Site { op, location } in sites {
            let next = table.ops.len() as u32;
            let number = *known.entry(op).or_insert(next);
            if number == next {
                table.ops.push(op.clone());
            }
            let place = table.places.add(location);
            table.sites.push((number, place));
        }
        table
    }

    fn sites(self) -> Result<Vec<Site>, &'static str> {
        let Sites { ops, places, sites } = self;
        let places = places.places()?;
        let site = |(op, place): (u32, u32)| match (ops.get(op as usize), places.get(place as usize)) {
            (Some(op), Some(place)) => Ok(Site { op: op.clone(), location: place.clone() }),
            _ => Err("an instruction names an operation or a place that is not there"),
        };
        sites.into_iter().map(site).collect()
    }
}

pub(super) fn serialize<S: Serializer>(of: &[Site], serializer: S) -> Result<S::Ok, S::Error> {
    Sites::of(of.iter()).serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Site>, D::Error> {
    Sites::deserialize(deserializer)?.sites().map_err(D::Error::custom)
}

/// The same for the sites of ranges of registers.
pub(super) mod ranges {
    use super::*;
    use crate::program::Slot;
    use std::ops::Range;

    type Ranges = Vec<(Range<Slot>, Site)>;

    pub(in super::super) fn serialize<S: Serializer>(of: &Ranges, serializer: S) -> Result<S::Ok, S::Error> {
        let ranges: Vec<&Range<Slot>> = of.iter().map(|(range, _)| range).collect();
        (ranges, Sites::of(of.iter().map(|(_, site)| site))).serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Ranges, D::Error> {
        let (ranges, sites): (Vec<Range<Slot>>, Sites) = Deserialize::deserialize(deserializer)?;
        if ranges.len() != sites.sites.len() {
            return Err(D::Error::custom("registers without a value lack their places"));
        }
        Ok(ranges.into_iter().zip(sites.sites().map_err(D::Error::custom)?).collect())
    }
}
