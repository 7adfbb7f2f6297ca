//! Traces as protobuf of Perfetto: packets of `TrackDescriptor` and `TrackEvent`.
//!
//! The numbers of fields are those of `perfetto/trace/trace_packet.proto` and the files that it
//! imports. A flow begins at the end of an arrival, and ends at the end of the wait, because an
//! arrival comes after the beginning of the wait.

use super::proto::Message;
use super::{Arg, Linked, Mark, Sheet, TrackId, Unit};

/// Nanoseconds of a step, which is shown as a microsecond.
const STEP: u64 = 1000;

/// The only sequence of packets.
const SEQUENCE: u64 = 1;

/// `CounterDescriptor.Unit.UNIT_COUNT` and `UNIT_SIZE_BYTES`, and
/// `TrackDescriptor.ChildTracksOrdering.EXPLICIT`.
const COUNT: u64 = 2;
const BYTES: u64 = 3;
const EXPLICIT: u64 = 3;

/// `TrackEvent.Type`.
const BEGIN: u64 = 1;
const END: u64 = 2;
const INSTANT: u64 = 3;
const COUNTER: u64 = 4;

/// Packets.
#[derive(Debug, Default)]
pub(super) struct Packets(Vec<u8>);

impl Packets {
    fn packet(&mut self, packet: Message) {
        let mut packet = packet.number(10, SEQUENCE);
        if self.0.is_empty() {
            // SEQ_INCREMENTAL_STATE_CLEARED: the first packet of the sequence.
            packet = packet.number(13, 1);
        }
        self.0.extend(Message::default().message(1, &packet).0);
    }

    fn describe(&mut self, descriptor: &Message) {
        self.packet(Message::default().message(60, descriptor));
    }

    fn event(&mut self, step: u64, event: &Message) {
        self.packet(Message::default().number(8, step * STEP).message(11, event));
    }
}

/// The id of a process as a track. Those of its tracks are odd.
fn process_id(process: u64) -> u64 {
    process * 2
}

fn track_id(track: TrackId) -> u64 {
    track.number * 2 + 1
}

fn child(track: TrackId, name: &str, order: u64) -> Message {
    let own = Message::default().number(1, track_id(track)).text(2, name);
    own.number(5, process_id(track.process)).number(12, order)
}

fn of(kind: u64, track: TrackId) -> Message {
    Message::default().number(9, kind).number(11, track_id(track))
}

impl Sheet for Packets {
    fn process(&mut self, process: u64, name: &str) {
        let own = Message::default().number(1, process).text(6, name);
        let descriptor = Message::default().number(1, process_id(process)).message(3, &own);
        self.describe(&descriptor.number(11, EXPLICIT));
    }

    fn track(&mut self, track: TrackId, name: &str, order: u64) {
        self.describe(&child(track, name, order));
    }

    fn counter(&mut self, track: TrackId, name: &str, unit: Unit, order: u64) {
        let unit = match unit {
            Unit::Bytes => BYTES,
            Unit::Columns | Unit::Loads | Unit::Full => COUNT,
        };
        let own = Message::default().number(3, unit);
        self.describe(&child(track, name, order).message(8, &own));
    }

    fn count(&mut self, track: TrackId, _: &str, step: u64, number: u64) {
        self.event(step, &of(COUNTER, track).number(30, number));
    }

    fn begin(&mut self, slice: &Linked<'_>) {
        let Linked { track, piece, .. } = slice;
        let mut event = of(BEGIN, *track).text(22, piece.category).text(23, piece.name);
        for (name, arg) in piece.args {
            let annotation = Message::default().text(10, name);
            let annotation = match arg {
                Arg::Number(number) => annotation.number(3, *number),
                Arg::Text(text) => annotation.text(6, text),
                Arg::Owned(text) => annotation.text(6, text),
                Arg::Place(place) => annotation.text(6, &place.to_string()),
            };
            event = event.message(4, &annotation);
        }
        self.event(piece.from, &event);
    }

    fn end(&mut self, slice: &Linked<'_>) {
        let event = slice.begins.iter().fold(of(END, slice.track), |event, flow| event.fixed(47, *flow));
        let event = slice.ends.iter().fold(event, |event, flow| event.fixed(48, *flow));
        self.event(slice.piece.to, &event);
    }

    fn instant(&mut self, track: TrackId, name: &str, step: u64) {
        self.event(step, &of(INSTANT, track).text(22, "run").text(23, name));
    }

    fn mark(&self) -> Mark {
        Mark { bytes: self.0.len(), items: 0 }
    }

    fn back(&mut self, mark: Mark) {
        self.0.truncate(mark.bytes);
    }

    fn finish(&mut self, _: &str, _: Option<&str>, _: Option<&str>) -> Vec<u8> {
        std::mem::take(&mut self.0)
    }
}
