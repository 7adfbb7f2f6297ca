//! Requests of programs: `{"op","args"}` in, one line `{"result"}` or `{"error"}` out.

use std::io::{BufRead, Read, Write};

use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::{
    error::{Error, Result},
    eval::Session,
    syntax,
    value::{Value, show_layout, show_tuple},
};

/// Longest line that is read.
const MAX_LINE: u64 = 1 << 26;

#[derive(Debug, Deserialize)]
struct Request {
    op: String,
    #[serde(default)]
    args: Vec<Json>,
}

/// Answers every request of `source`: a JSON array, or one object a line.
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
        if first && line.trim_ascii_start().starts_with(b"[") {
            source.read_to_end(&mut line)?;
            return answer_array(session, &line, out);
        }
        first = false;
        let reply = match serde_json::from_slice(&line) {
            Ok(request) => reply(session, &request),
            Err(error) => failure(&Error::Request(format!("no request: {error}"))),
        };
        writeln!(out, "{reply}")?;
        // Another program may wait for the answer before it asks again.
        out.flush()?;
    }
}

fn answer_array(session: &Session, text: &[u8], out: &mut impl Write) -> Result<()> {
    let requests: Vec<Json> = serde_json::from_slice(text)
        .map_err(|error| Error::Request(format!("no array of requests: {error}")))?;
    for request in requests {
        let reply = match serde_json::from_value(request) {
            Ok(request) => reply(session, &request),
            Err(error) => failure(&Error::Request(format!("no request: {error}"))),
        };
        writeln!(out, "{reply}")?;
    }
    Ok(())
}

fn reply(session: &Session, request: &Request) -> Json {
    match evaluate(session, request) {
        Ok(value) => json!({ "result": result(&value) }),
        Err(error) => failure(&error),
    }
}

fn failure(error: &Error) -> Json {
    json!({ "error": error.to_string() })
}

fn evaluate(session: &Session, request: &Request) -> Result<Value> {
    let args = request.args.iter().enumerate().map(|(i, arg)| {
        let value = argument(session, arg);
        Ok((1, value.map_err(|error| Error::Argument { index: i + 1, error: Box::new(error) })?))
    });
    session.call(1, &request.op, args.collect::<Result<_>>()?)
}

fn argument(session: &Session, arg: &Json) -> Result<Value> {
    match arg {
        Json::String(text) => session.node(&syntax::expression(text)?),
        Json::Number(number) => {
            let integer = number.as_i64().map(Value::integer);
            integer.ok_or_else(|| Error::Request(format!("{number} is no integer of 64 bits")))
        }
        other => Err(Error::Request(format!("{other} is neither text nor an integer"))),
    }
}

fn result(value: &Value) -> Json {
    match value {
        Value::Truth(truth) => Json::from(*truth),
        Value::Part { offset, layout } => {
            json!({ "offset": show_tuple(offset), "layout": show_layout(layout) })
        }
        other => Json::from(other.to_string()),
    }
}
