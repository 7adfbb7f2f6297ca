//! Caches of `cutec` with a damaged entry.

use std::fs;

use sha2::{Digest, Sha256};

use crate::{
    case::{Case, File},
    mutate, process,
    random::Random,
    tools::Tools,
};

/// A compilation, and its entry in the cache.
#[derive(Debug)]
pub(crate) struct Entry {
    words: Vec<String>,
    input: String,
    path: String,
    bytes: Vec<u8>,
}

/// The first line of an entry, which the checksum of all that follows it comes after.
const FORMAT: &[u8] = b"cute cache 1\n";
const CHECKSUM: usize = 32;

impl Entry {
    /// The entry of a module that compiles for this target.
    pub fn of(module: &str, target: &str, emit: &str, tools: &Tools) -> Option<Self> {
        let place = tempfile::tempdir().expect("a folder");
        let words =
            ["-", "--target", target, "--emit", emit, "--cache", "cache"].map(str::to_string).to_vec();
        process::run(&tools.cutec(words.clone()), module, place.path());
        let entry = fs::read_dir(place.path().join("cache")).ok()?.next()?.ok()?;
        let path = format!("cache/{}", entry.file_name().to_string_lossy());
        Some(Self { words, input: module.into(), path, bytes: fs::read(entry.path()).ok()? })
    }
}

/// One of the compilations, with a damaged entry.
pub fn case(entries: &[Entry], random: &mut Random) -> Case {
    let (Some(own), Some(other)) = (random.pick(entries), random.pick(entries)) else {
        return Case::default();
    };
    let mut bytes = own.bytes.clone();
    let content = bytes.split_off((FORMAT.len() + CHECKSUM).min(bytes.len()));
    let sealed = random.below(2) == 0;
    let file = match random.below(16) {
        0 => File::Folder,
        1 => File::Pipe,
        2 => File::Link("/dev/zero"),
        3 => File::Link("nowhere"),
        4 => File::Bytes(other.bytes.clone()),
        _ => {
            let mut content = content;
            mutate::bytes(&mut content, &other.bytes, random);
            if sealed {
                bytes = [FORMAT, &Sha256::digest(&content)].concat();
            }
            bytes.extend(content);
            File::Bytes(bytes)
        }
    };
    let path = if random.below(32) == 0 { "cache".into() } else { own.path.clone() };
    Case { words: own.words.clone(), input: own.input.clone(), files: vec![(path, file)] }
}
