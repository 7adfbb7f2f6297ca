//! Requests from programs: each `{"op","args"}` is answered by one line, `{"result"}` or
//! `{"error"}`. Arguments are a list, or have names. In addition to the text of a result there is
//! its `value`, as `structure` describes it.

use std::io::{BufRead, Read, Write};

use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use crate::{
    banks::{self, Question},
    command::{self, Extras},
    error::{Error, Result},
    eval::Session,
    placements, structure,
    svg::{self, Picture},
    syntax,
    table::Table,
    tilings, tma,
    value::{Value, show_layout, show_tuple},
};

/// The maximum length of a line.
const MAX_LINE: u64 = 1 << 26;

#[derive(Debug, Deserialize)]
struct Request {
    op: String,
    #[serde(default)]
    args: Arguments,
    /// A separate operand, and the fields that go with it.
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
            match serde_json::from_slice::<Vec<Json>>(&line) {
                // If the first line opens an array and does not close it, the whole file is the
                // array.
                Err(_) if first => {
                    source.read_to_end(&mut line)?;
                    return answer_array(session, &line, out);
                }
                Err(error) => writeln!(out, "{}", failure(&not_an_array(&error)))?,
                Ok(requests) => answer_each(session, requests, out)?,
            }
            first = false;
            out.flush()?;
            continue;
        }
        first = false;
        let reply = match serde_json::from_slice(&line) {
            Ok(request) => reply(session, &request),
            Err(error) => failure(&Error::Request(format!("not a request: {error}"))),
        };
        writeln!(out, "{reply}")?;
        // The other program may wait for the answer before it sends the next request.
        out.flush()?;
    }
}

fn answer_array(session: &Session, text: &[u8], out: &mut impl Write) -> Result<()> {
    answer_each(session, serde_json::from_slice(text).map_err(|error| not_an_array(&error))?, out)
}

fn not_an_array(error: &serde_json::Error) -> Error {
    Error::Request(format!("not an array of requests: {error}"))
}

fn answer_each(session: &Session, requests: Vec<Json>, out: &mut impl Write) -> Result<()> {
    for request in requests {
        let reply = match serde_json::from_value(request) {
            Ok(request) => reply(session, &request),
            Err(error) => failure(&Error::Request(format!("not a request: {error}"))),
        };
        writeln!(out, "{reply}")?;
    }
    Ok(())
}

/// The answer to a request.
pub struct Answer {
    /// Text, truth values, or an object of these.
    pub result: Json,
    /// The result as trees, if it is a value of the algebra.
    pub value: Option<Json>,
}

impl<T: Into<Json>> From<T> for Answer {
    fn from(result: T) -> Self {
        Self { result: result.into(), value: None }
    }
}

fn reply(session: &Session, request: &Request) -> Json {
    match evaluate(session, request) {
        Ok(Answer { result, value: None }) => json!({ "result": result }),
        Ok(Answer { result, value: Some(value) }) => json!({ "result": result, "value": value }),
        Err(error) => failure(&error),
    }
}

fn failure(error: &Error) -> Json {
    match error {
        Error::Rule { name, text } => json!({ "error": text, "rule": name }),
        other => json!({ "error": other.to_string() }),
    }
}

fn evaluate(session: &Session, request: &Request) -> Result<Answer> {
    let (none, op) = (Map::new(), &request.op);
    if let Some(inputs) = request.rest.get("inputs").and_then(Json::as_object)
        && let Some(answer) = tma::answer(op, inputs)
    {
        return answer.map(Answer::from);
    }
    let named = match &request.args {
        Arguments::Named(named) => named,
        Arguments::List(_) => request.rest.get("kwargs").and_then(Json::as_object).unwrap_or(&none),
    };
    if let Some(answer) = placements::answer(op, &request.rest, named) {
        return answer.map(Answer::from);
    }
    if let (true, Some(call)) = (op == "construct", request.rest.get("call")) {
        return placements::called(call).map(Answer::from);
    }
    let list = if let Arguments::List(list) = &request.args { list.as_slice() } else { &[] };
    if let Some(made) = placements::construct(op, list, named) {
        return made.map(Answer::from);
    }
    if command::exists(op) {
        return asked(session, op, list, &request.rest);
    }
    let args = match &request.args {
        Arguments::List(args) => args,
        Arguments::Named(args) => return tilings::json::answer(session, &request.op, args),
    };
    let args = args.iter().enumerate().map(|(i, arg)| {
        let value = argument(session, arg);
        Ok((1, value.map_err(|error| Error::Argument { index: i + 1, error: Box::new(error) })?))
    });
    let args: Vec<_> = args.collect::<Result<_>>()?;
    let value = match args.as_slice() {
        [(_, value)] if op == "evaluate" => value.clone(),
        _ => session.call(1, op, args)?,
    };
    Ok(Answer { result: result(&value), value: Some(structure::of(&value)) })
}

/// The answer of a command: the text that it prints. Tables and banks also have an object as their
/// value.
fn asked(session: &Session, op: &str, args: &[Json], rest: &Map<String, Json>) -> Result<Answer> {
    let word = |arg: &Json| match arg {
        Json::String(text) => Ok(text.clone()),
        Json::Number(number) => Ok(number.to_string()),
        other => Err(Error::Request(format!("{other} is neither text nor an integer"))),
    };
    let words = args.iter().map(word).collect::<Result<Vec<_>>>()?;
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let options = Json::Object(rest.clone());
    let bad = |error: serde_json::Error| Error::Request(format!("options of '{op}': {error}"));
    match (op, words.as_slice()) {
        ("svg", words) => {
            let picture: Picture = serde_json::from_value(options).map_err(bad)?;
            Ok(svg::picture(session, words, &picture)?.into())
        }
        ("banks", [tile]) => {
            let mut options = rest.clone();
            let bits = options.remove("bits").and_then(|bits| bits.as_i64());
            let question: Question = serde_json::from_value(Json::Object(options)).map_err(bad)?;
            let report = banks::report(session, tile, bits, &question)?;
            Ok(Answer { result: report.text().into(), value: Some(report.structure()) })
        }
        ("tma", [tensor, memory, tiler]) => {
            let options: tma::TmaOptions = serde_json::from_value(options).map_err(bad)?;
            Ok(tma::print(session, [tensor, memory, tiler], &options)?.into())
        }
        ("table", [text]) => {
            let table = Table::of(session, text)?;
            Ok(Answer { result: table.text().into(), value: Some(table.structure()) })
        }
        _ => {
            let words: Vec<_> = std::iter::once(op).chain(words).collect();
            let answer = command::run(session, &words, &Extras::default())?;
            let answer =
                answer.ok_or_else(|| Error::Request(format!("'{op}' does not take these arguments")))?;
            Ok(answer.text.into())
        }
    }
}

/// The value of an argument.
pub fn argument(session: &Session, arg: &Json) -> Result<Value> {
    match arg {
        Json::String(text) => session.node(&syntax::expression(text)?),
        Json::Number(number) => {
            let integer = number.as_i64().map(Value::integer);
            integer.ok_or_else(|| Error::Request(format!("{number} is not an integer of 64 bits")))
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
