//! Locations of MLIR as data.

use melior::ir::Location;

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePoint {
    /// The name, as the location has it.
    pub file: String,
    /// The line, from 1 on.
    pub line: usize,
    /// The column, from 1 on.
    pub column: usize,
}

/// The points that a location names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LocationPoints {
    /// The own one first, then others of a `fused` location.
    pub own: Vec<FilePoint>,
    /// The calls of a `callsite`, innermost first, each with one point at least.
    pub calls: Vec<Vec<FilePoint>>,
    /// Whether the location is a line of a file, and nothing else.
    pub is_plain: bool,
}

impl LocationPoints {
    /// The points of a location.
    pub fn of(l: Location<'_>) -> Self {
        let mut all = Self::default();
        if l.is_file_line_col_range() {
            let file = l.file_line_col_range_filename();
            let file = file.as_string_ref().as_str().unwrap_or_default().to_owned();
            let (line, column) = (l.file_line_col_range_start_line(), l.file_line_col_range_start_column());
            let end = (l.file_line_col_range_end_line(), l.file_line_col_range_end_column());
            all.is_plain = end == (line, column);
            all.own.push(FilePoint { file, line, column });
        } else if l.is_name() {
            all = Self { is_plain: false, ..Self::of(l.name_child_location()) };
        } else if l.is_call_site() {
            let (callee, caller) = (Self::of(l.call_site_callee()), Self::of(l.call_site_caller()));
            all.own = callee.own;
            let call = Some(caller.own).filter(|points| !points.is_empty());
            all.calls = callee.calls.into_iter().chain(call).chain(caller.calls).collect();
        } else if l.is_fused() {
            for i in 0..l.fused_num_locations() {
                let Self { own, calls, .. } = Self::of(l.fused_location(i));
                match all.own.is_empty() {
                    true => (all.own, all.calls) = (own, calls),
                    false => all.own.extend(own.into_iter().chain(calls.into_iter().flatten())),
                }
            }
        }
        all
    }
}

/// File, line and column of the first place that a location names.
pub fn place(l: Location<'_>) -> Option<(String, usize, usize)> {
    let FilePoint { file, line, column } = LocationPoints::of(l).own.into_iter().next()?;
    Some((file, line, column))
}

/// Tells a location from all others while its context is alive.
pub fn location_identity(l: Location<'_>) -> usize {
    l.to_raw().ptr as usize
}
