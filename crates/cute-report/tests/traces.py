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


def process_of(tracks, track):
    """The process that a track is of."""
    while tracks[track][1] is not None:
        track = tracks[track][1]
    return track


def tables(tracks, slices, begun, ended):
    """The tables that trace_processor has, as far as the queries need them."""
    base = sqlite3.connect(":memory:")
    base.execute("create table track(id integer primary key, name text, parent_id integer)")
    # Of a process, and of the tracks in it.
    base.execute("create table process(upid integer primary key, name text)")
    base.execute("create table process_track(id integer primary key, name text, parent_id integer, upid integer)")
    base.execute("create table slice(id integer primary key, track_id integer, ts integer, dur integer, name text, category text)")
    base.execute("create table flow(id integer, slice_out integer, slice_in integer)")
    base.executemany("insert into track values (?, ?, ?)", [(i, name, parent) for i, (name, parent, _) in tracks.items()])
    base.executemany("insert into process values (?, ?)", [(i, name) for i, (name, parent, _) in tracks.items() if parent is None])
    rows = [(i, name, parent, process_of(tracks, i)) for i, (name, parent, _) in tracks.items()]
    base.executemany("insert into process_track values (?, ?, ?, ?)", rows)
    rows = [(i, *one[:5]) for i, one in enumerate(slices)]
    base.executemany("insert into slice values (?, ?, ?, ?, ?, ?)", rows)
    base.executemany("insert into flow values (?, ?, ?)", [(f, begun[f][0], ended[f][0]) for f in begun])
    return base


def queries():
    """The queries of the page."""
    return re.findall(r"```sql\n(.*?)```", PAGE.read_text(), re.DOTALL)


def most_at_once(tracks, slices):
    """The most copies of each process in flight at once, counted in another way than the query counts."""
    most = {}
    copies = [(process_of(tracks, s[0]), s[1], s[1] + s[2]) for s in slices if s[4] == "copy"]
    for process, begin, _ in copies:
        # Another copy may begin when one ends.
        now = sum(own == process and first <= begin < end for own, first, end in copies)
        most[process] = max(most.get(process, 0), now)
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
    most = most_at_once(tracks, slices)
    assert at_once == [(tracks[process][0], copies) for process, copies in sorted(most.items())], (at_once, most)
    depths = set(most.values())
    stem = pathlib.Path(file).stem
    if stem == "serial":
        assert len(most) == 16 and depths == {1}, f"each load waits for the one before: {most}"
    if stem.startswith("gemm") and stem.endswith("lazy"):
        assert min(depths) > 2, f"stages have two loads, and there are several of them: {most}"
    shell = shutil.which("trace_processor_shell")
    if shell:
        for query, own in zip(queries(), (longest, at_once)):
            said = subprocess.run([shell, "query", file, query], check=True, capture_output=True, text=True).stdout
            assert len(said.splitlines()) > len(own), said
    kinds = {kind: sum(s[4] == kind for s in slices) for kind in ("wait", "arrive", "copy", "mma", "phase")}
    counts = ", ".join(f"{n} {kind}" for kind, n in kinds.items())
    print(f"{file}: {counts}, {len(begun)} flows, {len(counters)} counters, copies of a block at once: {max(depths, default=0)}")
    return kinds, begun, counters


if __name__ == "__main__":
    for name in sys.argv[1:]:
        check(name)
