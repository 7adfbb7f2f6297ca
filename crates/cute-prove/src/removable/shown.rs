//! The text of what was found.

use super::{Removals, Site, Tried};
use crate::answer::Answered;
use std::fmt::{self, Formatter};

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Some(source) => write!(f, "{source}: `{}` (line {} of the PTX)", self.op, self.line),
            None => write!(f, "line {}: `{}`", self.line, self.op),
        }
    }
}

fn section(f: &mut Formatter<'_>, title: &str, all: &[Tried]) -> fmt::Result {
    if all.is_empty() {
        return Ok(());
    }
    writeln!(f, "\n{title}")?;
    for Tried { sites, why, sass: own, .. } in all {
        for (i, site) in sites.iter().enumerate() {
            writeln!(f, "  {}{site}", if i == 0 { "" } else { "and " })?;
        }
        if !why.is_empty() {
            writeln!(f, "    {why}")?;
        }
        match own.as_deref() {
            Some([]) => writeln!(f, "    no instruction of SASS")?,
            Some(own) => writeln!(f, "    SASS: {}", own.join(", "))?,
            None => {}
        }
    }
    Ok(())
}

impl fmt::Display for Removals {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(why) = &self.unexamined_kernel {
            return writeln!(f, "not examined: {why}");
        }
        let (count, together) = (self.removable.len(), self.together.len());
        let tried = count + self.needed.len() + self.undecided.len();
        let Answered { kernel, first, .. } = &self.answer;
        match count {
            0 => writeln!(
                f,
                "none of {tried} could go: with this launch, {kernel} is not proved without it under strict ISA"
            )?,
            count => writeln!(
                f,
                "{count} of {tried} could go: with this launch, {kernel} is proved without it for every n from {first} under \
                 strict ISA, and computes the same"
            )?,
        }
        section(f, "Could go", &self.removable)?;
        if count > 1 {
            let all = if together == count { "all of them" } else { "not all of them, but these" };
            writeln!(f, "\nTogether: {all}")?;
            for site in self.together.iter().filter(|_| together < count).flat_map(|own| &own.sites) {
                writeln!(f, "  {site}")?;
            }
        }
        if let Some([before, after]) = self.sass {
            writeln!(f, "\nThe kernel has {before} instructions of SASS, and {after} without")?;
        }
        section(f, "Needed", &self.needed)?;
        section(f, "Not decided", &self.undecided)?;
        section(f, "Not examined", &self.unexamined)?;
        match self.without_sass.as_ref().filter(|_| count > 0) {
            Some(why) => writeln!(f, "\nNothing is known about SASS: {why}"),
            None => Ok(()),
        }
    }
}
