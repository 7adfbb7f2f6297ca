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
    let heats =
        |text: &str, class: &str| text.matches(&format!("<td aria-hidden=\"true\" class=\"{class}\" title=\"bank ")).count();
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
