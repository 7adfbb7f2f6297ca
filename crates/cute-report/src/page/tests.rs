//! Pages of small runs, and of hostile ones.

use super::*;
use crate::testing::run;

/// Two warps exchange words of a tile without a barrier, with conflicts.
const RACE: &str = ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out) {\n  .reg .b32 %r<5>;\n  .reg .b64 %d<4>;\n  \
    .shared .align 16 .b8 tile[8192];\n  mov.u32 %r1, %tid.x;\n  shl.b32 %r2, %r1, 7;\n  mov.u32 %r3, tile;\n  add.u32 %r3, %r3, %r2;\n  \
    st.shared.u32 [%r3], %r1;\n  ld.shared.u32 %r4, [tile+4096];\n  ld.param.u64 %d1, [out];\n  cvta.to.global.u64 %d2, %d1;\n  \
    mul.wide.u32 %d3, %r1, 64;\n  add.u64 %d2, %d2, %d3;\n  st.global.u32 [%d2], %r4;\n  ret;\n}\n";

/// The page of a run of the text, as a file of this name.
fn page(file: &str, text: &str, interrupted: Option<&str>) -> String {
    page_of(64, file, text, interrupted)
}

/// The same for a block of this many threads.
fn page_of(threads: u32, file: &str, text: &str, interrupted: Option<&str>) -> String {
    let (reports, timeline) = run(file, text, None, threads, &["i32[1024]"]);
    let reports = &reports;
    let registers = ["k: 9 registers".to_owned()];
    Page { file, text, reports, timeline: Some(&timeline), registers: &registers, interrupted }.write()
}

/// The tags of a page, which must be balanced, and their attributes in quotes.
fn tags(page: &str) -> Vec<String> {
    let body = page.strip_prefix("<!DOCTYPE html>\n").expect("a page of HTML");
    let (mut open, mut all) = (Vec::new(), Vec::new());
    for part in body.split('<').skip(1) {
        let (tag, _) = part.split_once('>').expect("a tag ends");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        all.push(tag.to_owned());
        match tag {
            _ if ["meta", "br"].contains(&name) || tag.ends_with('/') => {}
            _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(name), "{tag}"),
            _ => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    all
}

#[test]
fn a_page_shows_findings_at_their_lines_and_what_accesses_cost() {
    let page = page("k.ptx", RACE, None);
    tags(&page);
    for part in [
        "Errors: 1; notes: 0.",
        "<p class=\"verdict error\">Race: `",
        "<main>",
        "<caption>",
        "lanes need different words of bank 0 at once: 0 (byte 0), 1 (byte 128)",
        "With the swizzle S&lt;5,2,5&gt; of byte addresses",
        "href=\"#L13\"",
        "<tr id=\"L12\" class=\"hit\">",
        "the other side of <a href=\"#F1\">",
        "tile, 8192 bytes",
        "title=\"bank 0: 64 words, 62 of them behind another\"",
        "title=\"bank 1: 0 words\"",
        "Sectors of global memory",
        "k: 9 registers",
        "Nobody waited.",
        "order, not time",
        "<svg ",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert!(!page.contains("Interrupted"));
    assert!(page.len() < 60_000, "{}", page.len());
}

/// Eight lanes of each warp need words of one bank, and each warp needs those of four other banks:
/// over all warps, each bank delivers as many words as without conflicts.
const ROTATING: &str = ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out) {\n  .reg .b32 %r<9>;\n  \
    .shared .align 128 .b8 tile[1024];\n  mov.u32 %r1, %tid.x;\n  and.b32 %r2, %r1, 7;\n  shl.b32 %r2, %r2, 7;\n  shr.u32 %r3, %r1, 3;\n  \
    shl.b32 %r3, %r3, 2;\n  add.u32 %r2, %r2, %r3;\n  mov.u32 %r4, tile;\n  add.u32 %r4, %r4, %r2;\n  st.shared.u32 [%r4], %r1;\n  ret;\n}\n";

#[test]
fn a_conflict_that_moves_from_bank_to_bank_is_dark() {
    let page = page_of(256, "k.ptx", ROTATING, None);
    let heats = |text: &str, class: &str| {
        text.matches(&format!("<td aria-hidden=\"true\" class=\"{class}\" title=\"bank ")).count()
    };
    assert_eq!(heats(&page, "h7"), 32, "{page}");
    assert!(page.contains("title=\"bank 31: 8 words, 7 of them behind another\""), "{page}");
    // The same words by one lane of each bank are without conflict.
    let plain = ROTATING
        .replace("and.b32 %r2, %r1, 7;", "and.b32 %r2, %r1, 0;")
        .replace("shr.u32 %r3, %r1, 3;", "mov.u32 %r3, %r1;");
    let page = page_of(256, "k.ptx", &plain, None);
    assert_eq!((heats(&page, "h1"), heats(&page, "h7")), (32, 0), "{page}");
    assert!(page.contains("title=\"bank 31: 8 words\""), "{page}");
}

/// The hash in the policy is that of the style, and there is nothing that the policy would refuse.
#[test]
fn the_policy_allows_the_style_alone() {
    let page = page("k.ptx", RACE, Some("the user stopped the run"));
    let tags = tags(&page);
    assert!(
        page.contains("default-src &#39;none&#39;")
            || page.contains("default-src 'none'; style-src 'sha256-")
    );
    assert!(page.contains("Interrupted: the user stopped the run."));
    for tag in tags {
        let is_active =
            ["script", "link", "img", "iframe", "object", "base"].iter().any(|name| tag.starts_with(name));
        assert!(!is_active && !tag.contains(" style=") && !tag.contains(" on"), "{tag}");
        assert!(!tag.contains("href=\"") || tag.contains("href=\"#"), "{tag}");
    }
}

#[test]
fn hostile_names_and_texts_are_text() {
    let evil = "\"><script>alert(1)</script><!--\u{202e}\u{0}'&";
    let text = format!("{RACE}// {evil}\n// </style></td></table></html>\n");
    let page = page(evil, &text, Some(evil));
    tags(&page);
    assert!(
        !page.contains("<script")
            && !page.contains("<!--")
            && !page.contains('\u{202e}')
            && !page.contains('\u{0}')
    );
    assert!(
        page.contains("&lt;script&gt;alert(1)")
            && page.contains("&lt;/table&gt;")
            && page.contains("[U+202E][U+0000]")
    );
    assert_eq!(page.matches("</html>").count(), 1);
}

#[test]
fn a_large_file_is_shown_around_its_findings() {
    let text = format!("{RACE}{}", "// a line that fills the file\n".repeat(50_000));
    let page = page("k.ptx", &text, None);
    tags(&page);
    assert!(
        page.contains("The file is large")
            && page.contains("<tr id=\"L12\"")
            && !page.contains("id=\"L400\"")
    );
    assert!(page.len() < 60_000, "{}", page.len());
}

/// A source whose name ends like that of the file is another file.
#[test]
fn the_line_of_this_file_is_marked_whatever_sources_it_names() {
    let store = "  st.shared.u32 [%r3], %r1;\n";
    let line = RACE.lines().position(|line| store.trim_end() == line).expect("the store") + 2;
    for source in ["lib_k.ptx", "k.ptx", "kernel.cu"] {
        let text = RACE.replace(store, &format!("  .loc 1 3 1\n{store}"));
        let text = text.replace(".address_size 64\n", &format!(".address_size 64 .file 1 \"{source}\"\n"));
        let page = page("k.ptx", &text, None);
        assert!(page.contains(&format!("<tr id=\"L{line}\" class=\"hit\">")), "{source}: {page}");
        assert!(!page.contains("<tr id=\"L3\" class=\"hit\">"), "{source}");
        assert!(page.contains(&format!("<a href=\"#L{line}\">{source}:3:1 (k.ptx:{line})</a>")), "{source}");
    }
}

/// The first warp waits at barrier 1 for both, and the second one at barrier 2; a store on line 3
/// of `k.cu` is before, in each launch.
const APART: &str = ".version 9.0\n.target sm_90a\n.address_size 64\n.file 1 \"/src/a/k.cu\"\n.visible .entry k(.param .u64 out) {\n  \
    .reg .b32 %r<3>;\n  .reg .pred %p<2>;\n  mov.u32 %r1, %tid.x;\n  setp.lt.u32 %p1, %r1, 32;\n  @%p1 bra FIRST;\n  \
    .loc 1 9 5\n  barrier.sync 2, 64;\n  bra END;\nFIRST:\n  .loc 1 5 5\n  barrier.sync 1, 64;\nEND:\n  ret;\n}\n";

#[test]
fn a_deadlock_says_where_each_warp_is_and_what_its_barrier_lacks() {
    let page = page("k.ptx", APART, Some(ENDED));
    tags(&page);
    for part in [
        "Deadlock: 64 of 64 threads wait: warp 0 at k.cu:5:5 (k.ptx:16) for barrier 1 of the block; warp 1 at k.cu:9:5 (k.ptx:12) for \
         barrier 2 of the block.",
        "<table class=\"warps\"><caption>The waits of the deadlock, finding 1</caption>",
        "<td>barrier 1 of the block</td><td class=\"n\"></td><td class=\"n\">32 of 64</td>",
        "32 arrivals missing; 32 other threads wait elsewhere",
        "The run ended there.",
        "the other side: <a href=\"#L12\">k.cu:9:5 (k.ptx:12)</a>",
        "<tr id=\"L12\" class=\"hit\">",
        // Paths are written once.
        "<tr><th scope=\"row\">k.cu</th><td class=\"fact\">/src/a/k.cu</td></tr>",
        "The rules behind it: cutec --explain deadlock",
        "barrier 2 of the block, which nobody ended",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert_eq!(page.matches("/src/a/k.cu").count(), 2, "the table of files, and the text of the PTX: {page}");
    assert!(!page.contains("Interrupted"), "{page}");
}

/// A read of files by name.
fn reader<'f>(files: &'f [(&str, &str)]) -> impl Fn(&str) -> Option<String> + 'f {
    move |path| files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned())
}

#[test]
fn the_users_source_is_shown_with_its_findings_and_the_ptx_on_demand() {
    let (reports, timeline) = run("k.ptx", APART, None, 64, &["i32[1024]"]);
    assert_eq!(named("k.ptx", &reports), ["/src/a/k.cu"]);
    let page = |context: &Context| {
        let (reports, timeline) = (&reports, Some(&timeline));
        Page { file: "k.ptx", text: APART, reports, timeline, registers: &[], interrupted: None }
            .with(context)
    };
    let source = (1..=12).map(|line| format!("source line {line}\n")).collect::<String>();
    for place in ["/src/a/k.cu", "here/src/a/k.cu", "here/a/k.cu", "here/k.cu"] {
        let mut context = Context::default();
        let files = [(place, source.as_str())];
        context.find_sources(("k.ptx", &reports), &["nowhere".into(), "here/".into()], reader(&files));
        assert_eq!(context.sources.len(), 1, "{place}");
        context.fact("command", "cutec run k.ptx --grid 1");
        let page = page(&context);
        tags(&page);
        for part in [
            "<tr id=\"S1L5\" class=\"hit\"><td class=\"l\">5</td><td class=\"code\">source line 5</td>",
            "<a href=\"#S1L5\">k.cu:5:5 (k.ptx:16)</a> <a href=\"#L16\">line 16</a>",
            "<h2>The text that was run: k.ptx</h2>\n<details><summary>19 lines</summary>",
            "<tr><th scope=\"row\">command</th><td class=\"fact\">cutec run k.ptx --grid 1</td></tr>",
        ] {
            assert!(page.contains(part), "{part}\n{page}");
        }
    }
    // The same input gives the same bytes, and without a source the text that was run is shown.
    assert_eq!(page(&Context::default()), page(&Context::default()));
    assert!(page(&Context::default()).contains("<h2>Source: k.ptx</h2>\n<div"));
}

/// A text names files that are nobody's business; only names of sources are read.
#[test]
fn files_that_are_not_sources_are_not_read() {
    for name in ["/etc/shadow", "/home/a/.ssh/id_rsa", "../secrets.json", "k.ptx"] {
        let text = APART.replace("/src/a/k.cu", name);
        let (reports, _) = run("k.ptx", &text, None, 64, &["i32[1024]"]);
        let mut context = Context::default();
        context.find_sources(("k.ptx", &reports), &[".".into()], |path| panic!("{path} is read"));
        assert!(context.sources.is_empty());
    }
}
