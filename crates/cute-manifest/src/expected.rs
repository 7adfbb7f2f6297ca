//! Conditions of a launch besides the types of its arguments: extents that must be equal, and the
//! number of blocks. A kernel or host function states it in attributes, and manifests repeat it
//! in the same words.

use crate::argument::Argument;
use serde::{Deserialize, Serialize, de, ser::SerializeSeq};
use std::{fmt, num::NonZero, str::FromStr};

/// The attribute with extents of arguments that must be equal, a text for each group of them:
/// `["arg0[1] = arg1[1]"]`. Arguments have numbers, because IR does not keep their names.
pub const EQUAL_EXTENTS: &str = "cute.equal_extents";

/// The attribute with the number of blocks along x, y and z, a text for each of them:
/// `["ceil(arg3[0] / 128)", "ceil(arg3[1] / 64)"]`. Those without a text are 1.
pub const GRID: &str = "cute.grid";

/// An extent of an argument: `arg0[1]`, or `arg0[0,1]` for a mode within a mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extent {
    /// The number of the argument, from 0 on.
    pub argument: usize,
    /// The path of the mode.
    pub mode: Vec<usize>,
}

/// The blocks along an axis: an extent in parts, rounded up, times a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockCount {
    /// Elements, in parts.
    pub extent: Extent,
    /// Elements of a part.
    pub per: NonZero<u32>,
    /// Blocks of a part.
    pub times: NonZero<u32>,
}

impl BlockCount {
    /// The number for an extent.
    ///
    /// ```
    /// let blocks: cute_manifest::BlockCount = "ceil(arg0[0] / 128) * 4".parse().unwrap();
    /// assert_eq!([1, 128, 129].map(|extent| blocks.of(extent)), [4, 4, 8]);
    /// ```
    pub fn of(&self, extent: u64) -> u64 {
        extent.div_ceil(u64::from(self.per.get())).saturating_mul(self.times.get().into())
    }

    /// The text with the name of the argument: `ceil(X[0] / 128) * 4`.
    pub fn named(&self, arguments: &[Argument]) -> String {
        self.with(&self.extent.named(arguments))
    }

    fn with(&self, extent: &str) -> String {
        let times = if self.times.get() == 1 { String::new() } else { format!(" * {}", self.times) };
        format!("ceil({extent} / {}){times}", self.per)
    }
}

/// The expectations of a kernel or of a host function.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expected {
    /// Groups of extents that must be equal.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "groups")]
    pub equal: Vec<Vec<Extent>>,
    /// The blocks along x, y and z; without any, the grid is free.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grid: Vec<BlockCount>,
}

impl Expected {
    /// The expectations in the texts of both attributes.
    ///
    /// # Errors
    /// A text that is not of the form of its attribute.
    pub fn read(equal: &[String], grid: &[String]) -> Result<Self, String> {
        let equal = equal.iter().map(|text| group(text)).collect::<Result<_, _>>()?;
        let grid: Vec<BlockCount> = grid.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
        match grid.len() <= 3 {
            true => Ok(Self { equal, grid }),
            false => Err(format!("{GRID} has {} texts, but a grid has at most three extents", grid.len())),
        }
    }

    /// Whether nothing is expected.
    pub fn is_empty(&self) -> bool {
        self.equal.is_empty() && self.grid.is_empty()
    }

    /// All extents that are named.
    pub fn extents(&self) -> impl Iterator<Item = &Extent> {
        self.equal.iter().flatten().chain(self.grid.iter().map(|blocks| &blocks.extent))
    }
}

fn group(text: &str) -> Result<Vec<Extent>, String> {
    let all: Vec<Extent> = text.split('=').map(|one| one.trim().parse()).collect::<Result<_, _>>()?;
    match all.len() {
        0 | 1 => Err(format!("'{text}' is one extent: write those that are equal, as in arg0[1] = arg1[1]")),
        _ => Ok(all),
    }
}

impl Extent {
    /// The path of the mode: `[0,1]`.
    fn path(&self) -> String {
        let mode: Vec<String> = self.mode.iter().map(ToString::to_string).collect();
        format!("[{}]", mode.join(","))
    }

    /// The text with the name of the argument: `A[1]`.
    pub fn named(&self, arguments: &[Argument]) -> String {
        match arguments.get(self.argument) {
            Some(argument) => format!("{}{}", argument.name, self.path()),
            None => self.to_string(),
        }
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "arg{}{}", self.argument, self.path())
    }
}

impl FromStr for Extent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (argument, mode) = text.trim().strip_suffix(']')?.split_once('[')?;
            let mode = mode.split(',').map(|one| one.trim().parse().ok()).collect::<Option<_>>()?;
            Some(Self { argument: argument.trim().strip_prefix("arg")?.parse().ok()?, mode })
        };
        read().ok_or_else(|| format!("'{text}' is not an extent of an argument, such as arg0[1]"))
    }
}

impl fmt::Display for BlockCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with(&self.extent.to_string()))
    }
}

impl FromStr for BlockCount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "'{text}' is not a number of blocks, such as ceil(arg3[0] / 128) or ceil(arg3[0] / 128) * 4"
            )
        };
        let (inside, behind) =
            text.trim().strip_prefix("ceil(").and_then(|rest| rest.split_once(')')).ok_or_else(wrong)?;
        let (extent, per) = inside.split_once('/').ok_or_else(wrong)?;
        let times = match behind.trim() {
            "" => "1",
            behind => behind.strip_prefix('*').ok_or_else(wrong)?.trim(),
        };
        let number = |text: &str| text.trim().parse().map_err(|_| wrong());
        Ok(Self { extent: extent.parse()?, per: number(per)?, times: number(times)? })
    }
}

/// Serializes as its text.
impl Serialize for BlockCount {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BlockCount {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// Groups of equal extents as their texts.
mod groups {
    use super::{Deserialize, Extent, SerializeSeq, de, group};

    pub fn serialize<S: serde::Serializer>(groups: &[Vec<Extent>], serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(groups.len()))?;
        for group in groups {
            let texts: Vec<String> = group.iter().map(ToString::to_string).collect();
            list.serialize_element(&texts.join(" = "))?;
        }
        list.end()
    }

    pub fn deserialize<'de, D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Vec<Extent>>, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        texts.iter().map(|text| group(text)).collect::<Result<_, _>>().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(equal: &[&str], grid: &[&str]) -> Result<Expected, String> {
        let own = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        Expected::read(&own(equal), &own(grid))
    }

    #[test]
    fn expectations_are_read_and_written() {
        let all = read(
            &["arg0[1] = arg1[1]", "arg0[0,1]=arg2[2] =arg3[0]"],
            &["ceil(arg0[0] / 128) * 4", "ceil( arg9[1]/64 )"],
        );
        let all = all.expect("they have the form");
        let json = serde_json::to_string(&all).expect("texts");
        let wanted = r#"{"equal":["arg0[1] = arg1[1]","arg0[0,1] = arg2[2] = arg3[0]"],"grid":["ceil(arg0[0] / 128) * 4","ceil(arg9[1] / 64)"]}"#;
        assert_eq!(json, wanted);
        assert_eq!(serde_json::from_str::<Expected>(&json).expect("it was written"), all);
        assert_eq!(all.extents().count(), 7);
        assert!(read(&[], &[]).is_ok_and(|none| none.is_empty()));
    }

    #[test]
    fn other_texts_are_refused() {
        for (equal, grid, why) in [
            (&["arg0[1]"][..], &[][..], "'arg0[1]' is one extent"),
            (&["arg0 = arg1[1]"], &[], "'arg0' is not an extent of an argument"),
            (&["arg0[x] = arg1[1]"], &[], "'arg0[x]' is not an extent"),
            (&["A[1] = B[1]"], &[], "'A[1]' is not an extent"),
            (&[], &["arg0[0] / 128"], "is not a number of blocks, such as ceil(arg3[0] / 128)"),
            (&[], &["ceil(arg0[0] / 0)"], "is not a number of blocks"),
            (&[], &["ceil(arg0[0] / 4) + 1"], "is not a number of blocks"),
            (&[], &["ceil(arg0[0] / 1)"; 4], "cute.grid has 4 texts, but a grid has at most three extents"),
        ] {
            let found = read(equal, grid).expect_err("it has another form");
            assert!(found.contains(why), "{found}");
        }
    }
}
