//! Bank conflicts at the shell: what accesses of a tile in shared memory cost, and the layout on which they cost least.

use std::fmt::Write;

use clap::{Args, ValueEnum};
use cute_algebra::AnyLayout;
use cute_arch::banks::{Access, Choice, Conflicts, Form, Forms, Traffic, choose};

use crate::{
    error::{Error, Result, at},
    eval::Session,
    registry::Arg,
    syntax,
};

/// The options of `banks`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of banks")]
pub struct Question {
    /// An access of the tile: a layout of (threads, values) to its elements; after @, the values of one instruction
    #[arg(long = "access", value_name = "NAME=LAYOUT[@N]")]
    accesses: Vec<String>,
    /// Search a layout of the form on which no access has a conflict
    #[arg(long, value_enum, value_name = "FORM")]
    choose: Option<Wanted>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Wanted {
    Swizzle,
    Padding,
    Both,
}

impl Question {
    /// That none is given: other commands have none of them.
    pub fn none(&self) -> Result<()> {
        let given = [(!self.accesses.is_empty()).then_some("--access"), self.choose.map(|_| "--choose")];
        match given.into_iter().flatten().next() {
            Some(option) => Err(Error::Request(format!("{option} is an option of banks"))),
            None => Ok(()),
        }
    }
}

/// The answer as text, and whether no access has a conflict or none was asked to have none.
pub fn answer(
    session: &Session,
    tile: &str,
    bits: Option<i64>,
    question: &Question,
) -> Result<(String, bool)> {
    let bits = bits.ok_or_else(|| Error::Request("banks needs the bits of an element, --bits N".into()))?;
    let node = syntax::expression(tile)?;
    let arg = Arg { what: "the tile".into(), column: node.column, value: session.node(&node)? };
    let column = arg.column;
    let layout = arg.layout()?.to_const().ok_or_else(|| arg.not("a static layout"))?;
    let accesses: Vec<Access> =
        question.accesses.iter().map(|text| access(session, text)).collect::<Result<_>>()?;
    if accesses.is_empty() {
        return Err(Error::Request("banks needs an access, --access NAME=LAYOUT[@N]".into()));
    }
    let mut text = format!("{layout}, {bits}-bit elements\n");
    let costs: Vec<Conflicts> = accesses
        .iter()
        .map(|access| Ok(Traffic::behind(access, &layout, bits)?.conflicts(|offset| offset)))
        .collect::<cute_algebra::error::Result<_>>()
        .or_else(|error| at(column, Err(error)))?;
    write_costs(&mut text, &accesses, &costs);
    let Some(wanted) = question.choose else { return Ok((text, true)) };
    let (forms, form) = match wanted {
        Wanted::Swizzle => (Forms::Swizzles, "swizzle"),
        Wanted::Padding => (Forms::Paddings, "padding"),
        Wanted::Both => (Forms::Both, "swizzle or padding"),
    };
    let plain = match &layout {
        AnyLayout::Plain(plain) => plain,
        AnyLayout::Composed(composed) => composed.outer(),
    };
    let choice = at(column, choose(plain, bits, &accesses, forms))?;
    text.push_str(&verdict(&choice, form));
    write_costs(&mut text, &accesses, &choice.best.conflicts);
    Ok((text, choice.is_free()))
}

fn verdict(choice: &Choice, form: &str) -> String {
    let Choice { best, tried } = choice;
    let how = match best.form {
        Form::Swizzle(swizzle) if swizzle.is_identity() => "as it is".to_string(),
        form => form.to_string(),
    };
    if choice.is_free() {
        format!("\nno conflicts {how}, the first of {tried} looked at:\n{}\n", best.layout)
    } else {
        format!(
            "\nno {form} is free of conflicts, all {tried} were looked at; the fewest passes {how}:\n{}\n",
            best.layout
        )
    }
}

fn write_costs(text: &mut String, accesses: &[Access], costs: &[Conflicts]) {
    for (access, cost) in accesses.iter().zip(costs) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {}: {cost}", access.name);
    }
}

/// `NAME=LAYOUT` or `NAME=LAYOUT@N`
fn access(session: &Session, text: &str) -> Result<Access> {
    let named = |error| Error::Named { name: "--access".into(), error: Box::new(error) };
    let bad = || named(Error::Request(format!("expected NAME=LAYOUT or NAME=LAYOUT@N, found '{text}'")));
    let (name, rest) = text.split_once('=').ok_or_else(bad)?;
    let (layout, vector) = match rest.rsplit_once('@') {
        Some((layout, vector)) => (layout, Some(vector.trim().parse().map_err(|_| bad())?)),
        None => (rest, None),
    };
    let layout = || {
        let node = syntax::expression(layout)?;
        Arg { what: "the access".into(), column: node.column, value: session.node(&node)? }.constant()
    };
    Ok(Access { name: name.trim().into(), layout: layout().map_err(named)?, vector })
}
