"""Reads traces of Perfetto with its own description of them, checks their rules, and asks questions in SQL.

python traces.py FILE..: fails at the first broken rule. It prints a line for each file. Where trace_processor_shell is
installed, it asks it the queries of docs/seeing.md, too.
"""

import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "seeing.md"


def read(file):
    """The tracks, slices, flows and counters of a trace."""
    trace = Trace()
    trace.ParseFromString(pathlib.Path(file).read_bytes())
    assert trace.packet, "the trace has packets"
    tracks, slices, counters, open_slices = {}, [], {}, {}
    begun, ended = {}, {}
    events = sorted((p for p in trace.packet if p.HasField("track_event")), key=lambda p: p.timestamp)
    for packet in trace.packet:
        if not packet.HasField("track_descriptor"):
            continue
        own = packet.track_descriptor
        assert own.uuid and own.uuid not in tracks, f"the id {own.uuid} is not new"
        assert not own.parent_uuid or own.parent_uuid in tracks, f"{own.name}: the parent does not precede it"
        name = own.process.process_name if own.HasField("process") else own.name
        assert name, "each track has a name"
        tracks[own.uuid] = (name, own.parent_uuid or None, own.HasField("counter"))
    for packet in events:
        event, at = packet.track_event, packet.timestamp
        assert event.track_uuid in tracks, "an event has a track"
        stack = open_slices.setdefault(event.track_uuid, [])
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            args = {a.name: a.string_value or a.uint_value for a in event.debug_annotations}
            stack.append([len(slices), at])
            slices.append([event.track_uuid, at, None, event.name, event.categories[0], args])
        elif event.type == TrackEvent.TYPE_SLICE_END:
            assert stack, "a slice that ends has begun"
            number, begin = stack.pop()
            assert begin < at, "a slice takes time"
            slices[number][2] = at - begin
            for flow in event.flow_ids:
                assert flow not in begun, "a flow begins once"
                begun[flow] = (number, at)
            for flow in event.terminating_flow_ids:
                assert flow not in ended, "a flow ends once"
                ended[flow] = (number, at)
        elif event.type == TrackEvent.TYPE_COUNTER:
            assert tracks[event.track_uuid][2], "a count belongs to a counter"
            assert event.counter_value >= 0, "a counter is not negative"
            counters.setdefault(event.track_uuid, []).append((at, event.counter_value))
    assert not any(open_slices.values()), "all slices end"
    assert begun.keys() == ended.keys(), "each flow has both ends"
    for flow, (source, at) in begun.items():
        target, end = ended[flow]
        assert at <= end, "an arrival precedes the end of the wait"
        assert slices[target][4] == "wait", "a flow ends a wait"
        assert slices[source][4] in ("arrive", "copy", "wait"), slices[source]
    last = {track: max(points) for track, points in counters.items()}
    assert all(value == 0 for _, value in last.values()), "counters end at 0"
    return tracks, slices, begun, ended, counters


def tables(tracks, slices, begun, ended):
    """The tables that trace_processor has, as far as the queries need them."""
    base = sqlite3.connect(":memory:")
    base.execute("create table track(id integer primary key, name text, parent_id integer)")
    base.execute("create table slice(id integer primary key, track_id integer, ts integer, dur integer, name text, category text)")
    base.execute("create table flow(id integer, slice_out integer, slice_in integer)")
    base.executemany("insert into track values (?, ?, ?)", [(i, name, parent) for i, (name, parent, _) in tracks.items()])
    rows = [(i, *one[:5]) for i, one in enumerate(slices)]
    base.executemany("insert into slice values (?, ?, ?, ?, ?, ?)", rows)
    base.executemany("insert into flow values (?, ?, ?)", [(f, begun[f][0], ended[f][0]) for f in begun])
    return base


def queries():
    """The queries of the page."""
    return re.findall(r"```sql\n(.*?)```", PAGE.read_text(), re.DOTALL)


def most_at_once(slices):
    """The most copies in flight at once, counted in another way than the query counts."""
    steps = [(s[1], 1) for s in slices if s[4] == "copy"] + [(s[1] + s[2], -1) for s in slices if s[4] == "copy"]
    most = now = 0
    for _, change in sorted(steps):
        now += change
        most = max(most, now)
    return most


def check(file):
    """Checks a trace, and prints what it shows."""
    tracks, slices, begun, ended, counters = read(file)
    assert any("order, not time" in name for name, _, _ in tracks.values())
    base = tables(tracks, slices, begun, ended)
    longest, at_once = (base.execute(query).fetchall() for query in queries())
    durations = [one[2] for one in longest]
    assert durations == sorted(durations, reverse=True)
    waits = sorted((s[2] // 1000 for s in slices if s[4] == "wait"), reverse=True)
    assert durations == waits[: len(durations)], (durations[:3], waits[:3])
    assert (at_once[0][0] or 0) == most_at_once(slices)
    shell = shutil.which("trace_processor_shell")
    if shell:
        for query, own in zip(queries(), (longest, at_once)):
            said = subprocess.run([shell, "query", file, query], check=True, capture_output=True, text=True).stdout
            assert len(said.splitlines()) > len(own), said
    kinds = {kind: sum(s[4] == kind for s in slices) for kind in ("wait", "arrive", "copy", "mma", "phase")}
    counts = ", ".join(f"{n} {kind}" for kind, n in kinds.items())
    print(f"{file}: {counts}, {len(begun)} flows, {len(counters)} counters, {most_at_once(slices)} copies at once")
    return kinds, begun, counters


if __name__ == "__main__":
    for name in sys.argv[1:]:
        check(name)
