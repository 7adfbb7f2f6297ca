//! The remarks of ptxas about MMAs that it makes wait, and the lines of the source that they are
//! about.
//!
//! A remark counts lines of the PTX. If the PTX has line numbers (`.loc`), they lead on to the
//! source.

use std::{collections::HashMap, fmt};

/// A remark C75xx of ptxas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The line that ptxas printed, without the line of the PTX if the place is known.
    pub text: String,
    /// Where it happens, as `FILE:LINE:COLUMN` of the source, if the PTX and the remark tell.
    pub place: Option<String>,
    /// The `wgmma` before that place, or the first one of the kernel, as `FILE:LINE:COLUMN`.
    pub mma: Option<String>,
}

/// The part of a remark's text that tells what ptxas did, and the same in other words. ptxas 13.1
/// renamed the wait.
const KINDS: &[(&str, &str)] = &[
    ("warpgroup.wait is injected", "ptxas inserted a wait"),
    ("wgmma.wait_group is injected", "ptxas inserted a wait"),
    ("warpgroup.arrive is injected", "ptxas inserted a `wgmma.fence`"),
    ("serialized", "ptxas serialised the MMAs"),
];

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, place, mma } = self;
        if let Some(place) = place {
            write!(f, "{place}: ")?;
        }
        let kind = KINDS.iter().find(|(part, _)| text.contains(part));
        f.write_str(kind.map_or("ptxas changed the MMAs", |(_, words)| words))?;
        if let Some(mma) = mma {
            write!(f, " (`wgmma` at {mma})")?;
        }
        write!(f, "\n    {text}")
    }
}

impl Remark {
    /// The remarks in the output of ptxas for some PTX. Some of them are "info", others "warning".
    pub fn all(output: &str, ptx: &str) -> Vec<Self> {
        let mut remarks = output.lines().filter(|line| line.contains("(C75")).peekable();
        if remarks.peek().is_none() {
            return Vec::new();
        }
        let lines = Lines::of(ptx);
        remarks.map(|text| lines.remark(text)).collect()
    }
}

/// A line of PTX, as far as remarks need it.
struct Line<'p> {
    /// The entry point that it belongs to.
    function: &'p str,
    /// File, line and column.
    place: Option<(u32, u32, u32)>,
    multiplies: bool,
}

struct Lines<'p> {
    /// The names of the files.
    files: HashMap<u32, &'p str>,
    all: Vec<Line<'p>>,
}

impl<'p> Lines<'p> {
    fn of(ptx: &'p str) -> Self {
        let mut files = HashMap::new();
        let (mut function, mut place) = ("", None);
        let mut all = Vec::new();
        for line in ptx.lines() {
            let text = line.trim_start();
            if let Some((_, name)) = text.split_once(".entry ") {
                (function, place) = (name.split('(').next().unwrap_or_default().trim(), None);
            } else if let Some((number, name)) =
                text.strip_prefix(".file").and_then(|t| t.trim().split_once('"'))
            {
                let number = number.trim().parse().unwrap_or_default();
                files.insert(number, name.split('"').next().unwrap_or_default());
            } else if let Some(numbers) = text.strip_prefix(".loc") {
                // Line 0 belongs to no place.
                place = position(numbers).filter(|(_, line, _)| *line > 0).or(place);
            }
            all.push(Line { function, place, multiplies: text.contains("wgmma.mma_async") });
        }
        Self { files, all }
    }

    fn remark(&self, text: &str) -> Remark {
        let number = text.split(" line ").nth(1).and_then(leading_number);
        let at = number.and_then(|n| self.all.get((n as usize).checked_sub(1)?));
        let function = text.split("function '").nth(1).and_then(|rest| rest.split('\'').next());
        let mut own = self.all.iter().filter(|line| function.is_none_or(|name| line.function == name));
        let mma = match number {
            Some(number) => {
                self.all[..self.all.len().min(number as usize)].iter().rfind(|line| line.multiplies)
            }
            None => own.find(|line| line.multiplies),
        };
        let spelled = |line: Option<&Line<'_>>| line.and_then(|line| self.spelled(line.place?));
        let place = spelled(at);
        // Nobody else has seen these lines of the PTX.
        let mut text = text.to_owned();
        if let Some(number) = number.filter(|_| place.is_some()) {
            for said in [" in around line", " in line"] {
                text = text.replace(&format!("{said} {number}"), "");
            }
        }
        Remark { text, place, mma: spelled(mma) }
    }

    fn spelled(&self, (file, line, column): (u32, u32, u32)) -> Option<String> {
        Some(format!("{}:{line}:{column}", self.files.get(&file)?))
    }
}

/// Three numbers, such as `1 152 11`.
fn position(text: &str) -> Option<(u32, u32, u32)> {
    let mut numbers = text.split_whitespace().map(leading_number);
    Some((numbers.next()??, numbers.next()??, numbers.next()??))
}

fn leading_number(text: &str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = "\
.visible .entry k(
{
\t.loc\t1 10 3
\twgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 ..
\t.loc\t1 12 5
\t.loc\t1 0 5
\tadd.f32 %f1, %f2, %f3;
}
\t.file\t1 \"a.mlir\"
";

    #[test]
    fn remarks_name_lines_of_the_source() {
        let wait =
            "ptxas info : (C7517) warpgroup.wait is injected in around line 7 by compiler in function 'k'";
        let serial = "ptxas info : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized in \
                      function 'k'";
        let texts: Vec<_> = Remark::all(&format!("ptxas info : 0 bytes gmem\n{wait}\n{serial}\n"), PTX)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            texts,
            [
                format!(
                    "a.mlir:12:5: ptxas inserted a wait (`wgmma` at a.mlir:10:3)\n    {}",
                    wait.replace(" in around line 7", "")
                ),
                format!("ptxas serialised the MMAs (`wgmma` at a.mlir:10:3)\n    {serial}"),
            ]
        );
    }

    #[test]
    fn remarks_of_a_newer_ptxas_name_them_too() {
        let texts = [
            "ptxas info : (C7517) wgmma.wait_group is injected in around line 7 by compiler in function 'k'",
            "ptxas info : (C7514) wgmma.mma_async instructions are serialized in the function 'k' in line 7",
        ];
        let all: Vec<_> = Remark::all(&texts.join("\n"), PTX).iter().map(ToString::to_string).collect();
        let words = ["inserted a wait", "serialised the MMAs"];
        for ((said, text), words) in all.iter().zip(texts).zip(words) {
            let text = text.replace(" in around line 7", "").replace(" in line 7", "");
            assert_eq!(*said, format!("a.mlir:12:5: ptxas {words} (`wgmma` at a.mlir:10:3)\n    {text}"));
        }
    }

    #[test]
    fn remarks_without_line_numbers_stay_as_they_are() {
        let text = "ptxas info : (C7599) around line 4000";
        let all = Remark::all(text, "wgmma.mma_async");
        assert_eq!(all, [Remark { text: text.into(), place: None, mma: None }]);
        assert_eq!(all[0].to_string(), format!("ptxas changed the MMAs\n    {text}"));
    }
}
