//! The memory that a kernel takes, and the cost of its accesses. The numbers are those of the
//! report.

use super::html::Html;
use super::source::Sources;
use super::verdict::plural;
use crate::timeline::{Timeline, Unit};
use cute_arch::banks::crowded;
use cute_launch::Shape;
use cute_plan::lanes::{LaneAccess, remedy};
use cute_sim::{BankCount, BufferCount, Report, SiteCount, Traffic, WarpAccess};

/// Registers, shared and tensor memory.
pub(super) fn taken(
    html: &mut Html,
    source: &Sources<'_>,
    number: usize,
    shape: &Shape,
    report: &Report,
    timeline: Option<&Timeline>,
    registers: &[String],
) {
    html.element("h3", "Memory in use").raw("\n");
    html.open_table("", "Registers of a thread, and memory of a block.");
    html.heads(&["memory", "in use"]);
    let mut row = |what: &str, text: String| {
        html.raw("<tr>").element("td", what).element("td", text).raw("</tr>\n");
    };
    let own = registers.iter().filter(|line| line.starts_with(&format!("{}:", shape.kernel)));
    let own: Vec<&str> = own.map(String::as_str).collect();
    row(
        "registers",
        match own.as_slice() {
            [] => "not known: ptxas allocates them, and there is none, or it refuses this kernel".into(),
            lines => lines.join("\n"),
        },
    );
    for BufferCount { name, location, bytes, .. } in &report.buffers {
        row(
            &format!("shared memory, {name}"),
            source.names.short(&format!("{bytes} bytes, allocated at {location}")),
        );
    }
    if report.buffers.is_empty() {
        row("dynamic shared memory", format!("{} bytes", shape.shared_memory));
    }
    let counters =
        || timeline.into_iter().flat_map(|all| all.of(number)).flat_map(|cluster| &cluster.counters);
    let columns = counters().filter(|counter| counter.unit == Unit::Columns);
    let most = columns.flat_map(|counter| &counter.points).map(|(_, now)| *now).max();
    if let Some(most) = most {
        row("tensor memory", format!("at most {most} of 512 columns of a block at once"));
    }
    html.close_table();
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
pub(super) fn banks(html: &mut Html, source: &Sources<'_>, report: &Report) {
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
        html.element("h3", format!("{name}, {bytes} bytes")).raw("\n");
        html.open_table("heat", &format!("Accesses to {name}, and the words of each bank.")).raw("<tr>");
        for head in ["access", "bytes from", "to", "warps", "wavefronts", "least", "conflicts"] {
            html.element("th scope=\"col\" class=\"w\"", head);
        }
        let banks = accesses.iter().map(|access| access.words.len()).max().unwrap_or(0);
        (0..banks).for_each(|bank| {
            html.element("th scope=\"col\" aria-hidden=\"true\"", bank);
        });
        html.raw("</tr>\n");
        for BankCount { count, words, conflicts, first, end, .. } in accesses {
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
                    0 => format!("bank {bank}: {}", plural(*words as usize, "word")),
                    _ => format!(
                        "bank {bank}: {}, {conflicts} of them behind another",
                        plural(*words as usize, "word")
                    ),
                };
                html.raw("<td aria-hidden=\"true\" class=\"").raw(&load(*words, *conflicts)).raw("\" title=");
                html.quoted(title).raw(">").text(words).raw("</td>");
            }
            html.raw("</tr>\n");
        }
        html.close_table();
        meetings(html, source, accesses);
        advice(html, *bytes, accesses);
    }
}

/// Lanes that are named of a bank.
const MOST_LANES: usize = 8;

/// For each access with conflicts, the lanes of a warp that meet in a bank.
fn meetings(html: &mut Html, source: &Sources<'_>, accesses: &[BankCount]) {
    for access in accesses {
        let Some(worst) = access.worst.as_deref().filter(|worst| worst.passes > worst.ideal) else {
            continue;
        };
        let WarpAccess { passes, ideal, bytes, lanes, offsets } = worst;
        let Some((bank, meeting)) = crowded(offsets, *lanes, *bytes) else { continue };
        let some = meeting.iter().take(MOST_LANES);
        let some: Vec<String> = some.map(|(lane, byte)| format!("{lane} (byte {byte})")).collect();
        let more = meeting.len().saturating_sub(MOST_LANES);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        html.raw("<p><code>").text(&access.count.op).raw("</code> ");
        source.link(html, &access.count.location);
        html.text(format!(
            ": in its worst execution, {} need different words of bank {bank} at once: {}{more}. It takes {} there instead of \
             {ideal}.",
            plural(meeting.len(), "lane"),
            some.join(", "),
            plural(*passes as usize, "wavefront"),
        ));
        html.raw("</p>\n");
    }
}

/// A swizzle of the buffer that would help, if there is one: it is computed for the worst execution
/// of each access.
fn advice(html: &mut Html, size: u64, accesses: &[BankCount]) {
    if accesses.iter().all(|access| access.count.excess() == 0) {
        return;
    }
    let by_units = accesses.iter().any(|access| access.worst.is_none());
    let executed: Vec<LaneAccess> =
        accesses.iter().filter_map(|access| access.worst.as_deref()).map(of_lanes).collect();
    let known: Vec<u64> =
        accesses.iter().filter_map(|access| access.worst.as_deref()).map(|w| w.passes).collect();
    let found = remedy(&executed, size, by_units);
    // Lanes that take no part may decide how a warp's access is split.
    let found =
        found.filter(|found| found.wavefronts.iter().map(|(before, _)| *before).eq(known.iter().copied()));
    let text = match found {
        None if by_units => "None of the swizzles of the TMA and of MMAs (of 32, 64 and 128 bytes) would take fewer wavefronts for the \
             executions above: it takes padding, or another order of the accesses."
            .to_owned(),
        None => "No swizzle of this buffer would take fewer wavefronts for the worst executions of all its accesses together: it takes \
             padding, or another order of the accesses."
            .to_owned(),
        Some(found) => {
            let sum = |side: fn(&(u64, u64)) -> u64| found.wavefronts.iter().map(side).sum::<u64>();
            let of_unit = match (found.swizzle.base(), found.swizzle.shift()) {
                (4, 3) => format!(", which is the swizzle of {} bytes of tensor maps and MMAs", 16 << found.swizzle.bits()),
                _ => String::new(),
            };
            format!(
                "With the swizzle {} of byte addresses{of_unit}, the worst executions of all accesses to this buffer take {} instead of \
                 {}. This is computed from their addresses; the buffer must begin at a multiple of what the swizzle permutes.",
                found.swizzle,
                plural(sum(|(_, after)| *after) as usize, "wavefront"),
                sum(|(before, _)| *before),
            )
        }
    };
    html.element("p class=\"advice\"", text).raw("\n");
}

fn of_lanes(access: &WarpAccess) -> LaneAccess {
    let active = (0..32).filter(|lane| access.lanes >> lane & 1 != 0);
    LaneAccess { offsets: active.map(|lane| access.offsets[lane]).collect(), bytes: access.bytes }
}

/// Sectors of each access to global memory.
pub(super) fn sectors(html: &mut Html, source: &Sources<'_>, report: &Report) {
    let global: Vec<&SiteCount> =
        report.sites.iter().filter(|site| site.traffic == Traffic::Global).collect();
    if global.is_empty() {
        return;
    }
    html.element("h3", "Sectors of global memory").raw("\n");
    html.open_table("", "Accesses to global memory. A sector is 32 bytes.");
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
    html.close_table();
}
