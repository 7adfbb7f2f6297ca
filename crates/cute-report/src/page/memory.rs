//! The memory that a kernel takes, and the cost of its accesses. The numbers are those of the
//! report.

use super::html::Html;
use super::source::Source;
use crate::timeline::{Timeline, Unit};
use cute_launch::Shape;
use cute_sim::{BankCount, BufferCount, Report, SiteCount, Traffic};

/// Registers, shared and tensor memory.
pub(super) fn taken(
    html: &mut Html,
    shape: &Shape,
    report: &Report,
    timeline: Option<&Timeline>,
    registers: &[String],
) {
    html.element("h3", "Memory in use").raw("\n<table>");
    html.heads(&["memory", "in use"]);
    let mut row = |what: &str, text: String| {
        html.raw("<tr>").element("td", what).element("td", text).raw("</tr>\n");
    };
    let own = registers.iter().filter(|line| line.starts_with(&format!("{}:", shape.kernel)));
    let own: Vec<&str> = own.map(String::as_str).collect();
    row(
        "registers",
        match own.as_slice() {
            [] => {
                "not known: the simulator does not allocate registers, and ptxas did not compile this kernel"
                    .into()
            }
            lines => lines.join("\n"),
        },
    );
    for BufferCount { name, location, bytes, .. } in &report.buffers {
        row(&format!("shared memory, {name}"), format!("{bytes} bytes, allocated at {location}"));
    }
    if report.buffers.is_empty() {
        row("dynamic shared memory", format!("{} bytes", shape.shared_memory));
    }
    let counters =
        || timeline.into_iter().flat_map(|all| &all.clusters).flat_map(|cluster| &cluster.counters);
    let columns = counters().filter(|counter| counter.unit == Unit::Columns);
    let most = columns.flat_map(|counter| &counter.points).map(|(_, now)| *now).max();
    if let Some(most) = most {
        row("tensor memory", format!("at most {most} of 512 columns of a block at once"));
    }
    html.raw("</table>\n");
}

/// A class for a share, from 0 to 8.
fn heat(part: u64, all: u64) -> String {
    format!("h{}", (part * 8).div_ceil(all.max(1)).min(8))
}

/// A class for the words of a bank, of which some are the second or a later one for lanes that
/// could be served at once: 0 for none, 1 for one word at once, and above that two more for each
/// factor of 2. Executions count each, because conflicts may move from bank to bank.
fn load(words: u64, conflicts: u64) -> String {
    let times = words.div_ceil((words - conflicts).max(1));
    let level = match times {
        0 | 1 => times,
        _ => 1 + 2 * u64::from(times.next_power_of_two().ilog2()),
    };
    format!("h{}", level.min(8))
}

/// For each buffer, the wavefronts of each access, and the words of each bank.
pub(super) fn banks(html: &mut Html, source: &Source<'_>, report: &Report) {
    if report.buffers.is_empty() {
        return;
    }
    html.element("h3", "Shared memory by bank").raw("\n");
    html.element(
        "p",
        "A row is an access, and its 32 fields are its banks, each with the words that it delivered. A wavefront takes one word of each \
         bank. A bank from which lanes need several words at once is dark: that is a bank conflict, and the fullest bank decides the \
         number of wavefronts.",
    );
    for BufferCount { name, bytes, accesses, .. } in &report.buffers {
        html.element("h3", format!("{name}, {bytes} bytes"));
        html.raw("\n<div class=\"scroll\"><table class=\"heat\">\n<tr>");
        for head in ["access", "bytes from", "to", "warps", "wavefronts", "least", "conflicts"] {
            html.element("th scope=\"col\" class=\"w\"", head);
        }
        let banks = accesses.iter().map(|access| access.words.len()).max().unwrap_or(0);
        (0..banks).for_each(|bank| {
            html.element("th scope=\"col\"", bank);
        });
        html.raw("</tr>\n");
        for BankCount { count, words, conflicts, first, end } in accesses {
            html.raw("<tr><td class=\"w\">").text(&count.op).raw("<br>");
            source.link(html, &count.location);
            html.raw("</td>");
            let excess = count.excess();
            for number in [*first, *end, count.warps, count.passes, count.ideal] {
                html.element("td class=\"w n\"", number);
            }
            html.raw("<td class=\"w n ")
                .raw(&heat(excess, count.passes))
                .raw("\">")
                .text(excess)
                .raw("</td>");
            for (bank, (words, conflicts)) in words.iter().zip(conflicts).enumerate() {
                let title = match conflicts {
                    0 => format!("bank {bank}: {words} words"),
                    _ => format!("bank {bank}: {words} words, {conflicts} of them behind another"),
                };
                html.raw("<td class=\"").raw(&load(*words, *conflicts)).raw("\" title=");
                html.quoted(title).raw(">").text(words).raw("</td>");
            }
            html.raw("</tr>\n");
        }
        html.raw("</table></div>\n");
    }
}

/// Sectors of each access to global memory.
pub(super) fn sectors(html: &mut Html, source: &Source<'_>, report: &Report) {
    let global: Vec<&SiteCount> =
        report.sites.iter().filter(|site| site.traffic == Traffic::Global).collect();
    if global.is_empty() {
        return;
    }
    html.element("h3", "Sectors of global memory").raw("\n<div class=\"scroll\"><table>");
    html.heads(&["access", "place", "warps", "bytes", "sectors", "least", "more than needed"]);
    for site in global {
        html.raw("<tr>").element("td", &site.op).raw("<td>");
        source.link(html, &site.location);
        html.raw("</td>");
        for number in [site.warps, site.bytes, site.passes, site.ideal] {
            html.number(number);
        }
        let excess = site.excess();
        html.raw("<td class=\"n ")
            .raw(&heat(excess, site.passes))
            .raw("\">")
            .text(excess)
            .raw("</td></tr>\n");
    }
    html.raw("</table></div>\n");
}
