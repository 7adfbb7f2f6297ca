//! The text of a page. Whatever comes from outside is escaped here.

use std::fmt::{Display, Write};

/// A page that is written.
#[derive(Debug, Default)]
pub(super) struct Html(pub(super) String);

/// The text of something, which cannot be taken for markup, in elements and in attributes.
pub(super) fn escaped(text: &impl Display) -> String {
    cute_text::markup(&text.to_string())
}

impl Html {
    /// Markup of this program, with nothing from outside in it.
    pub(super) fn raw(&mut self, markup: &str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Characters from anywhere, escaped.
    pub(super) fn text(&mut self, text: impl Display) -> &mut Self {
        self.0.push_str(&escaped(&text));
        self
    }

    /// An element with a text. `tag` may have attributes.
    pub(super) fn element(&mut self, tag: &str, text: impl Display) -> &mut Self {
        let name = tag.split(' ').next().unwrap_or(tag);
        let text = escaped(&text);
        let _ = write!(self.0, "<{tag}>{text}</{name}>");
        self
    }

    /// An attribute's value, in quotes.
    pub(super) fn quoted(&mut self, text: impl Display) -> &mut Self {
        let text = escaped(&text);
        let _ = write!(self.0, "\"{text}\"");
        self
    }

    /// Begins a table of a class, which may be wider than the page, with its caption.
    pub(super) fn open_table(&mut self, class: &str, caption: &str) -> &mut Self {
        self.raw("<div class=\"scroll\" tabindex=\"0\"><table");
        if !class.is_empty() {
            self.raw(" class=\"").raw(class).raw("\"");
        }
        self.raw(">").element("caption", caption).raw("\n")
    }

    /// Ends it.
    pub(super) fn close_table(&mut self) -> &mut Self {
        self.raw("</table></div>\n")
    }

    /// A cell with a number.
    pub(super) fn number(&mut self, number: u64) -> &mut Self {
        self.element("td class=\"n\"", number)
    }

    /// The heads of columns.
    pub(super) fn heads(&mut self, names: &[&str]) -> &mut Self {
        self.raw("<tr>");
        names.iter().for_each(|name| {
            self.element("th scope=\"col\"", name);
        });
        self.raw("</tr>\n")
    }
}
