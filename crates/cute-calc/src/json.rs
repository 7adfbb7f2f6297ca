//! Requests of programs: `{"op","args"}` in, one line `{"result"}` or `{"error"}` out. Arguments are a list, or have names.

use std::io::{BufRead, Read, Write};

use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use crate::{
    error::{Error, Result},
    eval::Session,
    placements, syntax, tilings,
    value::{Value, show_layout, show_tuple},
};

/// Longest line that is read.
const MAX_LINE: u64 = 1 << 26;

#[derive(Debug, Deserialize)]
struct Request {
    op: String,
    #[serde(default)]
    args: Arguments,
    /// An operand of its own, and what goes with it.
    #[serde(flatten)]
    rest: Map<String, Json>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Arguments {
    /// In the order of the parameters.
    List(Vec<Json>),
    /// By their names.
    Named(Map<String, Json>),
}

impl Default for Arguments {
    fn default() -> Self {
        Self::List(Vec::new())
    }
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
        Ok(value) => json!({ "result": value }),
        Err(error) => failure(&error),
    }
}

fn failure(error: &Error) -> Json {
    json!({ "error": error.to_string() })
}

fn evaluate(session: &Session, request: &Request) -> Result<Json> {
    let (none, op) = (Map::new(), &request.op);
    let named = match &request.args {
        Arguments::Named(named) => named,
        Arguments::List(_) => request.rest.get("kwargs").and_then(Json::as_object).unwrap_or(&none),
    };
    if let Some(answer) = placements::answer(op, &request.rest, named) {
        return answer;
    }
    if let (true, Some(call)) = (op == "construct", request.rest.get("call")) {
        return placements::called(call);
    }
    let list = if let Arguments::List(list) = &request.args { list.as_slice() } else { &[] };
    if let Some(made) = placements::construct(op, list, named) {
        return made;
    }
    let args = match &request.args {
        Arguments::List(args) => args,
        Arguments::Named(args) => return tilings::json::answer(session, &request.op, args),
    };
    let args = args.iter().enumerate().map(|(i, arg)| {
        let value = argument(session, arg);
        Ok((1, value.map_err(|error| Error::Argument { index: i + 1, error: Box::new(error) })?))
    });
    Ok(result(&session.call(1, &request.op, args.collect::<Result<_>>()?)?))
}

/// The value of an argument.
pub fn argument(session: &Session, arg: &Json) -> Result<Value> {
    match arg {
        Json::String(text) => session.node(&syntax::expression(text)?),
        Json::Number(number) => {
            let integer = number.as_i64().map(Value::integer);
            integer.ok_or_else(|| Error::Request(format!("{number} is no integer of 64 bits")))
        }
        other => Err(Error::Request(format!("{other} is neither text nor an integer"))),
    }
}

/// A value as an answer.
pub fn result(value: &Value) -> Json {
    match value {
        Value::Truth(truth) => Json::from(*truth),
        Value::Part { offset, layout } => {
            json!({ "offset": show_tuple(offset), "layout": show_layout(layout) })
        }
        other => Json::from(other.to_string()),
    }
}
