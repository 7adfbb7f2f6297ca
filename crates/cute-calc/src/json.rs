//! Requests from programs on a stream: an array of them, or one per line. Each is answered by one
//! line.

use std::io::{BufRead, Read, Write};

use cute_eval::{
    eval::Session,
    request::{answer as answer_request, answer_array, failure},
};

use crate::{error::Result, output::print};

/// The maximum length of a line.
const MAX_LINE: u64 = 1 << 26;

/// Answers every request of `source`: a JSON array, or one object per line.
pub fn answer(session: &Session, mut source: impl BufRead, out: &mut impl Write) -> Result<()> {
    let mut line = Vec::new();
    let mut first = true;
    loop {
        line.clear();
        if source.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        if line.trim_ascii_start().starts_with(b"[") {
            match answer_array(session, &line) {
                // If the first line opens an array and does not close it, the whole file is the
                // array.
                Err(_) if first => {
                    source.read_to_end(&mut line)?;
                    return write_all(answer_array(session, &line)?, out);
                }
                Err(error) => write_all([failure(&error)], out)?,
                Ok(answers) => write_all(answers, out)?,
            }
        } else {
            write_all([answer_request(session, &line)], out)?;
        }
        first = false;
        // The other program may wait for the answer before it sends the next request.
        out.flush()?;
    }
}

fn write_all(answers: impl IntoIterator<Item = impl std::fmt::Display>, out: &mut impl Write) -> Result<()> {
    for answer in answers {
        print(out, format_args!("{answer}\n"))?;
    }
    Ok(())
}
