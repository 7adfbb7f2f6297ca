//! Traces as JSON of Chrome's trace viewer. A flow begins in the last half of an arrival's last
//! step, because the viewer binds it to the slice around it, and ends in the same way.

use super::{Arg, Linked, Mark, Sheet, TrackId, Unit};
use serde_json::{Map, Value, json};

/// Events, one per line.
#[derive(Debug, Default)]
pub(super) struct Events {
    text: String,
    count: usize,
}

impl Events {
    fn event(&mut self, event: &Value) {
        self.text.push_str(if self.count == 0 { "\n" } else { ",\n" });
        self.text.push_str(&event.to_string());
        self.count += 1;
    }

    fn about(&mut self, what: &str, process: u64, thread: u64, args: &Value) {
        self.event(&json!({"ph": "M", "name": what, "pid": process, "tid": thread, "args": args}));
    }
}

impl Sheet for Events {
    fn process(&mut self, process: u64, name: &str) {
        self.about("process_name", process, 0, &json!({ "name": name }));
        self.about("process_sort_index", process, 0, &json!({ "sort_index": process }));
    }

    fn track(&mut self, track: TrackId, name: &str, order: u64) {
        self.about("thread_name", track.process, track.number, &json!({ "name": name }));
        self.about("thread_sort_index", track.process, track.number, &json!({ "sort_index": order }));
    }

    fn counter(&mut self, _: TrackId, _: &str, _: Unit, _: u64) {}

    fn count(&mut self, track: TrackId, name: &str, step: u64, number: u64) {
        let args = json!({ "now": number });
        self.event(&json!({"ph": "C", "name": name, "pid": track.process, "ts": step, "args": args}));
    }

    fn begin(&mut self, slice: &Linked<'_>) {
        let Linked { track: TrackId { process, number }, piece, .. } = slice;
        let args: Map<String, Value> = piece
            .args
            .iter()
            .map(|(name, arg)| {
                let value = match arg {
                    Arg::Number(number) => json!(number),
                    Arg::Text(text) => json!(text),
                    Arg::Owned(text) => json!(text),
                    Arg::Place(place) => json!(place),
                };
                ((*name).to_owned(), value)
            })
            .collect();
        self.event(&json!({
            "ph": "X", "name": piece.name, "cat": piece.category, "pid": process, "tid": number,
            "ts": piece.from, "dur": piece.to - piece.from, "args": args,
        }));
    }

    fn end(&mut self, slice: &Linked<'_>) {
        let Linked { track: TrackId { process, number }, piece, begins, ends } = slice;
        let at = piece.to as f64;
        let flow = |phase: &str, id: u64, ts: f64| {
            json!({
                "ph": phase, "bp": "e", "name": "ends", "cat": "flow", "id": id, "pid": process, "tid": number, "ts": ts,
            })
        };
        for id in *begins {
            self.event(&flow("s", *id, at - 0.5));
        }
        if let Some(id) = ends {
            self.event(&flow("f", *id, at - 0.25));
        }
    }

    fn instant(&mut self, track: TrackId, name: &str, step: u64) {
        let TrackId { process, number } = track;
        self.event(&json!({
            "ph": "i", "s": "g", "name": name, "cat": "run", "pid": process, "tid": number, "ts": step,
        }));
    }

    fn mark(&self) -> Mark {
        Mark { bytes: self.text.len(), items: self.count }
    }

    fn back(&mut self, mark: Mark) {
        self.text.truncate(mark.bytes);
        self.count = mark.items;
    }

    fn finish(&mut self, title: &str, interrupted: Option<&str>, stopped: Option<&str>) -> Vec<u8> {
        let other = json!({ "title": title, "interrupted": interrupted, "stopped": stopped });
        let text = std::mem::take(&mut self.text);
        format!("{{\"otherData\": {other}, \"traceEvents\": [{text}\n]}}\n").into_bytes()
    }
}
