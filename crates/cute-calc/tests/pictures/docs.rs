//! The pictures in the manual equal those that its commands draw.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn manual() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// The commands of all pages that draw a picture, as the shell takes them.
fn commands() -> Vec<String> {
    let mut pages: Vec<_> =
        fs::read_dir(manual()).expect("the manual").map(|page| page.expect("a page").path()).collect();
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    let mut commands = Vec::new();
    for page in pages {
        let lines = fs::read_to_string(page).expect("a page").replace("\\\n", " ");
        let drawing = lines.lines().map(str::trim).filter(|line| line.starts_with("cute-calc svg"));
        commands.extend(drawing.filter(|line| line.contains("docs/pictures/")).map(str::to_string));
    }
    commands
}

#[test]
fn commands_draw_the_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(folder.path().join("docs/pictures")).expect("its folders");
    let binary = Path::new(env!("CARGO_BIN_EXE_cute-calc")).parent().expect("a folder");
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    for command in commands() {
        let mut shell = Command::new("sh");
        let status = shell.args(["-c", &command]).current_dir(folder.path()).env("PATH", &path).status();
        assert!(status.expect("a shell").success(), "{command}");
    }
    let names = |folder: &Path| -> BTreeSet<_> {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
        // Screenshots of the page, as PNG, are made by its tests.
        let drawn = entries.filter(|path| path.extension().is_some_and(|extension| extension == "svg"));
        drawn.map(|path| path.file_name().expect("a name").to_os_string()).collect()
    };
    let (drawn, kept) = (folder.path().join("docs/pictures"), manual().join("pictures"));
    assert_eq!(names(&drawn), names(&kept), "each picture has its command on a page");
    for name in names(&kept) {
        let [drawn, kept] =
            [&drawn, &kept].map(|folder| fs::read_to_string(folder.join(&name)).expect("a picture"));
        assert!(drawn == kept, "docs/pictures/{} is not what its command draws", name.display());
    }
}
