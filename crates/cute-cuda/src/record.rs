//! Launches in folders, for `cutec run` to repeat: the PTX, the memory that a launch may reach, and
//! a file of one launch.
//!
//! Memory is reached through addresses: in the parameters, in the variables of the module, and in
//! memory that is reached. PTX does not tell what an address is, so each aligned word of 8 bytes
//! that is one of a live allocation counts.

use std::{collections::BTreeMap, fmt::Write as _, fs, io, path::Path};

use cute_launch::launch::Shape;
use cute_manifest::Kernel;
use cute_sim::{Buffer, Memory};
use cute_text::line;
use serde_json::{Map, Value, json};

use crate::memory::{Allocations, Kind};

/// The most allocations that lead from one to another.
const DEEPEST: usize = 256;

/// A launch to record: its memory is that before it.
pub struct Recording<'a> {
    /// The live allocations.
    pub allocations: &'a Allocations,
    /// Their contents.
    pub memory: &'a Memory,
    /// The variables of the module.
    pub variables: &'a BTreeMap<String, Buffer>,
    /// The PTX of the module.
    pub ptx: &'a str,
}

/// The contents of a folder.
#[derive(Debug, Default)]
struct Folder {
    /// The names of the arrays, by the addresses of their allocations.
    names: BTreeMap<u64, String>,
    /// The arrays, as the file has them.
    arrays: BTreeMap<String, String>,
    files: BTreeMap<String, Vec<u8>>,
    /// The allocations on the way to the one that is read.
    way: Vec<u64>,
    /// Addresses that the file cannot have.
    left_out: u64,
}

impl Recording<'_> {
    /// Writes the folder of a launch. Returns a remark about what is not in it.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(
        &self,
        folder: &Path,
        kernel: &Kernel,
        shape: &Shape,
        words: &[u64],
    ) -> io::Result<Option<String>> {
        let (all, launch) = self.folder(kernel, shape, words);
        fs::create_dir_all(folder)?;
        fs::write(folder.join("kernel.ptx"), self.ptx.trim_end_matches('\0'))?;
        for (file, bytes) in &all.files {
            fs::write(folder.join(file), bytes)?;
        }
        fs::write(folder.join("launch.json"), format!("{launch:#}\n"))?;
        Ok((all.left_out > 0).then(|| {
            format!(
                "'{}' has {} addresses as they are, because memory holds addresses in a cycle",
                line(&folder.display().to_string()),
                all.left_out
            )
        }))
    }

    fn folder(&self, kernel: &Kernel, shape: &Shape, words: &[u64]) -> (Folder, Value) {
        let mut all = Folder::default();
        let mut left = words;
        let mut args = Vec::new();
        for parameter in &kernel.parameters {
            let (own, rest) = left.split_at((parameter.width as usize).div_ceil(8).min(left.len()));
            left = rest;
            let mut bytes: Vec<u8> = own.iter().flat_map(|word| word.to_le_bytes()).collect();
            bytes.truncate(parameter.width as usize);
            args.push(self.argument(&mut all, &parameter.kind, &bytes));
        }
        let mut variables = Map::new();
        for (number, (name, buffer)) in self.variables.iter().enumerate() {
            let bytes = self.memory.download_bytes(*buffer);
            if !bytes.is_empty() {
                let file = format!("variable{}.bin", number + 1);
                variables.insert(name.clone(), self.contents(&mut all, file, bytes).into());
            }
        }
        let Shape { grid, block, shared_memory, cluster, preferred_cluster, cooperative, .. } = shape;
        let mut launch = json!({
            "launch": kernel.name, "grid": grid, "block": block, "shared": shared_memory, "args": args,
            "cooperative": cooperative,
        });
        for (field, cluster) in [("cluster", cluster), ("preferred_cluster", preferred_cluster)] {
            if let Some(cluster) = cluster.filter(|_| kernel.cluster.is_none()) {
                launch[field] = json!(cluster);
            }
        }
        let arrays = std::mem::take(&mut all.arrays);
        (all, json!({ "arrays": arrays, "variables": variables, "operations": [launch] }))
    }

    /// A parameter, as `--arg` takes it.
    fn argument(&self, all: &mut Folder, kind: &str, bytes: &[u8]) -> String {
        let word = bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        let float = |text: String| text.replace("NaN", "nan");
        match (kind, bytes.len()) {
            ("f32", 4) => float(format!("{:?}", f32::from_bits(word as u32))),
            ("f64", 8) => float(format!("{:?}", f64::from_bits(word))),
            ("pointer" | "word", 8) => match self.address(all, word) {
                Some(address) => address,
                None if word == 0 && kind == "pointer" => "null".into(),
                None => format!("{word:#x}"),
            },
            ("i1" | "i8" | "i16" | "i32" | "i64", 1..=8) => {
                let unused = 64 - 8 * bytes.len();
                (word.cast_signed() << unused >> unused).to_string()
            }
            _ => {
                let mut text = "bytes(0x".to_owned();
                bytes.iter().for_each(|byte| {
                    let _ = write!(text, "{byte:02x}");
                });
                text + ")" + &self.holes(all, bytes)
            }
        }
    }

    /// The array and the byte of an address of a live allocation, as `&A1+16`.
    fn address(&self, all: &mut Folder, address: u64) -> Option<String> {
        let (start, byte) = self.allocations.place(address)?;
        let name = self.array(all, start)?;
        Some(if byte == 0 { format!("&{name}") } else { format!("&{name}+{byte}") })
    }

    /// The name of an allocation's array; `None` if it cannot be named here.
    fn array(&self, all: &mut Folder, start: u64) -> Option<String> {
        let own = self.allocations.starting(start).filter(|own| own.bytes > 0)?;
        if all.way.contains(&start) || all.way.len() >= DEEPEST {
            all.left_out += 1;
            return None;
        }
        if let Some(name) = all.names.get(&start) {
            return Some(name.clone());
        }
        let name = format!("A{}", all.names.len() + 1);
        all.names.insert(start, name.clone());
        let is_empty = own.kind == Kind::Device && !self.memory.has_written(own.buffer, 0..own.bytes);
        let text = if is_empty {
            format!("u8[{}]=undef", own.bytes)
        } else {
            all.way.push(start);
            let text = self.contents(all, format!("{name}.bin"), self.memory.download_bytes(own.buffer));
            all.way.pop();
            text
        };
        all.arrays.insert(name.clone(), text);
        Some(name)
    }

    /// Bytes in a file, in which addresses are replaced.
    fn contents(&self, all: &mut Folder, file: String, bytes: Vec<u8>) -> String {
        let text = format!("bytes({file}){}", self.holes(all, &bytes));
        all.files.insert(file, bytes);
        text
    }

    /// The words of some bytes that are addresses, as `{16:&A1,40:&A2+64}`.
    fn holes(&self, all: &mut Folder, bytes: &[u8]) -> String {
        let mut holes = Vec::new();
        for (number, word) in bytes.chunks_exact(8).enumerate() {
            let word = u64::from_le_bytes(word.try_into().unwrap_or_default());
            if word != 0
                && let Some(address) = self.address(all, word)
            {
                holes.push(format!("{}:{address}", 8 * number));
            }
        }
        if holes.is_empty() { String::new() } else { format!("{{{}}}", holes.join(",")) }
    }
}
