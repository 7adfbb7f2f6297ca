//! The values that ptxas keeps in local memory, by the lines of the source that compute them.

use std::collections::{BTreeMap, HashMap};

use super::{Code, Instruction, Line};

/// Values in local memory that come from one line of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InLocalMemory {
    /// The line: of a spilled value, that of the instruction that computes it; of an array, that of
    /// the access.
    pub place: Option<Line>,
    /// Whether they are there because registers did not suffice; otherwise they are parts of arrays
    /// whose indices are not constants.
    pub is_spilled: bool,
    /// The instructions that store them.
    pub stores: usize,
    /// The instructions that load them.
    pub loads: usize,
}

impl Code {
    /// The values in local memory, by their lines.
    ///
    /// ptxas gives a store that it adds the line of the instruction before, which has nothing to do
    /// with the value. The value's line is that of the nearest instruction above that writes the
    /// stored register. A load belongs to the value that was last stored above at its address.
    pub fn in_local_memory(&self) -> Vec<InLocalMemory> {
        let mut lines: BTreeMap<(bool, Option<Line>), (usize, usize)> = BTreeMap::new();
        let mut values: HashMap<&str, Option<Line>> = HashMap::new();
        // The line of the value that each load reads.
        let mut loaded: HashMap<usize, Option<Line>> = HashMap::new();
        for (at, i) in self.instructions.iter().enumerate() {
            let mut operands = i.operands.split(',').map(str::trim);
            let (Some(first), Some(second)) = (operands.next(), operands.next()) else { continue };
            if i.is_local_store() {
                let place = match i.is_spill {
                    true => self.writer(second, at).map_or(i.place.clone(), |writer| {
                        loaded
                            .get(&writer)
                            .cloned()
                            .unwrap_or_else(|| self.instructions[writer].place.clone())
                    }),
                    false => i.place.clone(),
                };
                values.insert(first, place.clone());
                lines.entry((i.is_spill, place)).or_default().0 += 1;
            } else if i.is_local_load() {
                let value = values.get(second).filter(|_| i.is_spill).cloned();
                let place = value.unwrap_or_else(|| i.place.clone());
                if i.is_spill {
                    loaded.insert(at, place.clone());
                }
                lines.entry((i.is_spill, place)).or_default().1 += 1;
            }
        }
        let kept = lines.into_iter().map(|((is_spilled, place), (stores, loads))| InLocalMemory {
            place,
            is_spilled,
            stores,
            loads,
        });
        kept.collect()
    }

    /// The nearest instruction before `end` that writes a register.
    fn writer(&self, register: &str, end: usize) -> Option<usize> {
        let register = number(register)?;
        self.instructions[..end].iter().rposition(|i| i.written().is_some_and(|all| all.contains(&register)))
    }
}

impl Instruction {
    /// The registers that it writes, as far as its text tells.
    fn written(&self) -> Option<std::ops::Range<u32>> {
        // Their first register is read.
        const READS: [&str; 6] = ["BAR", "BRX", "FCHK", "NANOSLEEP", "RET", "WARPSYNC"];
        let name = self.name();
        if READS.contains(&name) || name.ends_with("SETP") {
            return None;
        }
        let is_predicate = |word: &&str| matches!(word.trim_start_matches('U').as_bytes(), [b'P', _]);
        let first = number(self.operands.split(',').map(str::trim).find(|word| !is_predicate(word))?)?;
        Some(first..first + self.width())
    }

    /// The number of registers of its result.
    fn width(&self) -> u32 {
        let parts = || self.opcode.split('.').skip(1);
        let has = |part: &str| parts().any(|own| own == part);
        let in_parts = |prefix: &str| parts().find_map(|own| own.strip_prefix(prefix)?.parse::<u32>().ok());
        match self.name() {
            // 64xNxK: N / 2 numbers of 32 bits for each of 128 threads.
            "HGMMA" | "IGMMA" | "QGMMA" | "BGMMA" => {
                let columns = parts().find_map(|own| own.split('x').nth(1)?.parse::<u32>().ok());
                columns.map_or(1, |columns| if has("F16") && !has("F32") { columns / 4 } else { columns / 2 })
            }
            "HMMA" | "IMMA" | "DMMA" | "QMMA" | "OMMA" => 4,
            "LDSM" => parts().last().and_then(|own| own.parse().ok()).unwrap_or(1),
            "LDTM" => in_parts("x").unwrap_or(1) * if in_parts("16dp").is_some() { 4 } else { 1 },
            _ if has("128") => 4,
            name if has("64") || has("WIDE") || has("F64") || name.starts_with('D') => 2,
            name if name.starts_with('F') && name.ends_with('2') => 2,
            _ => 1,
        }
    }
}

/// The number of a register of a thread: `R12`, `R12.reuse`.
fn number(word: &str) -> Option<u32> {
    word.split('.').next()?.strip_prefix('R')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::functions;

    /// The values in local memory as line, spilled, stores and loads, of instructions with their
    /// lines.
    fn kept(lines: &[(u32, &str)]) -> Vec<(u32, bool, usize, usize)> {
        let mut text = String::from(".text.k:\n");
        for (at, (line, code)) in lines.iter().enumerate() {
            text += &format!("\t//## File \"k.mlir\", line {line}\n        /*{:04x}*/  {code};\n", 16 * at);
        }
        let kept = functions(&text)[0].in_local_memory();
        let line = |place: &Option<super::Line>| place.as_ref().map_or(0, |line| line.number);
        kept.iter().map(|one| (line(&one.place), one.is_spilled, one.stores, one.loads)).collect()
    }

    const SPILL: &str = "(*\"SpillRefill\"*)";

    #[test]
    fn a_spilled_value_has_the_line_that_computes_it() {
        let store = format!("STL [R1+0x4], R4 {SPILL}");
        let load = format!("LDL.LU R9, [R1+0x4] {SPILL}");
        let again = format!("@P0 STL [R1+0x8], R9 {SPILL}");
        let last = format!("LDL R2, [R1+0x8] {SPILL}");
        let code = [
            (10, "FADD R4, R2, R3"),
            (11, "ISETP.NE.AND P0, PT, R4, R5, PT"),
            (12, "STG.E [R4.64], R5"),
            (12, store.as_str()),
            (13, load.as_str()),
            // The loaded value is the same one.
            (14, again.as_str()),
            (15, last.as_str()),
        ];
        assert_eq!(kept(&code), [(10, true, 2, 2)]);
    }

    #[test]
    fn a_result_of_several_registers_is_found() {
        let store = format!("STL.64 [R1+0x10], R30 {SPILL}");
        for code in [
            "HGMMA.64x64x16.F32.BF16 R24, gdesc[UR8], R24",
            "LDTM.x64 R4, tmem[UR4]",
            "LDG.E.128 R28, desc[UR4][R10.64]",
            "IMAD.WIDE R30, R2, 0x4, R8",
            "LDSM.16.M88.4 R28, [R5]",
            "SHFL.BFLY PT, R30, R3, 0x1, 0x1f",
            "IADD3 R30, P1, R2, R3, RZ",
        ] {
            let other = "FADD R29, R30, R31";
            assert_eq!(kept(&[(7, code), (8, other), (9, &store)]), [(7, true, 1, 0)], "{code}");
        }
    }

    #[test]
    fn an_array_has_the_lines_of_its_accesses() {
        let code = [(5, "STL [R1], R4"), (6, "STL.128 [R1+0x10], R8"), (7, "LDL R4, [R3]")];
        assert_eq!(kept(&code), [(5, false, 1, 0), (6, false, 1, 0), (7, false, 0, 1)]);
    }

    #[test]
    fn a_value_that_nothing_above_computes_has_the_line_of_its_store() {
        let store = format!("STL [R1], R7 {SPILL}");
        assert_eq!(kept(&[(4, "FADD R4, R7, R3"), (5, &store)]), [(5, true, 1, 0)]);
    }
}
