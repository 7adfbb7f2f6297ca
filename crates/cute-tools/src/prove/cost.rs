//! The instructions of SASS that the instructions of PTX are which a kernel does not need.

use cute_arch::Target;
use cute_driver::{
    ptxas,
    sass::{self, Code, Lines},
};
use cute_prove::Removals;
use std::time::Duration;

/// The time that ptxas may take for a kernel.
const MOST: Duration = Duration::from_secs(60);

/// Adds what ptxas makes of the instructions, if it and nvdisasm are there.
pub(super) fn add(all: &mut Removals, text: &str, target: Target) {
    if all.removable.is_empty() {
        return;
    }
    let kernel = all.answer.kernel.clone();
    let before = match code(text, &kernel, target) {
        Ok(before) => before,
        Err(why) => {
            all.without_sass = Some(why);
            return;
        }
    };
    for own in &mut all.removable {
        let lines: Vec<usize> = own.sites.iter().map(|site| site.line).collect();
        let is_of = |line: u32| lines.contains(&(line as usize));
        let of_lines =
            before.instructions.iter().filter(|own| own.place.as_ref().is_some_and(|p| is_of(p.number)));
        own.sass = Some(of_lines.map(|own| own.opcode.clone()).collect());
    }
    let after = code(&all.text, &kernel, target).ok();
    all.sass = after.map(|after| [before.instructions.len(), after.instructions.len()]);
}

/// The instructions of a kernel, with the lines of the PTX.
fn code(text: &str, kernel: &str, target: Target) -> Result<Code, String> {
    let assembled =
        ptxas::assemble(&without_places(text), target, true, MOST).map_err(|why| why.to_string())?;
    let codes = sass::disassemble(&assembled.cubin, Lines::Ptx("ptx")).map_err(|why| why.to_string())?;
    let code = codes.into_iter().find(|code| code.name == kernel);
    code.ok_or_else(|| format!("the cubin has no kernel '{kernel}'"))
}

/// The text without the places of a source, so that ptxas names its own lines.
fn without_places(text: &str) -> String {
    let is_place = |line: &&str| line.trim_start().starts_with(".loc");
    let lines = text.lines().map(|line| Some(line).filter(|line| !is_place(line)).unwrap_or_default());
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_numbers_without_places() {
        assert_eq!(without_places("a;\n\t.loc 1 2 3\nb;\n"), "a;\n\nb;\n");
    }
}
