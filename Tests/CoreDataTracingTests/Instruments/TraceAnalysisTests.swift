import CoreData
import CoreDataTracing
import StoreContract
import TestBasics
import Testing

/// What is worked out of traces whose events are made by hand.
@Suite struct TraceAnalysisTests {
    private func trace(_ records: [TraceRecord], _ texts: [String] = []) throws -> Trace {
        try MadeTrace.trace(records, texts)
    }

    private func record(
        _ kind: InstrumentEvent.Kind, _ start: UInt64, _ duration: UInt64, thread: UInt32 = 1, context: UInt32 = 0,
        detail: UInt32 = 0, rows: UInt32 = 0
    ) -> TraceRecord {
        MadeTrace.record(kind, start, duration, thread: thread, context: context, detail: detail, rows: rows)
    }

    @Test("an event is part of the one of its thread that encloses it (BRW-42)")
    func eventsAreNested() throws {
        let trace = try trace([
            record(.statement, 110, 20), record(.statement, 115, 5, thread: 2), record(.statement, 140, 10),
            record(.fetch, 100, 100, context: 3), record(.statement, 300, 10),
        ])
        #expect(trace.parents == [3, -1, 3, -1, -1])
        #expect(trace.order == [3, 0, 1, 2, 4])
        #expect(trace.owner(of: 0) == 3 && trace.owner(of: 1) == 1)
        var filter = TraceFilter()
        filter.context = "3"
        #expect(filter.selection(in: trace) == [3, 0, 2])
        let totals = TraceTotals(trace, filter.selection(in: trace))
        #expect(totals.busy == 100 && totals.kinds[.statement]?.count == 2 && totals.kinds[.statement]?.time == 30)
        filter = TraceFilter()
        filter.from = 60
        #expect(filter.selection(in: trace) == [3, 4])
        filter.kind = .statement
        #expect(filter.selection(in: trace) == [4])
    }

    @Test("a timeline has each event in the part where it began, and its time where it went on (BRW-42)")
    func timelineIsExact() throws {
        let trace = try trace([record(.fetch, 1_000, 100), record(.save, 1_150, 50), record(.fetch, 1_200, 200)])
        let timeline = TraceTimeline(trace, trace.order, count: 4)
        #expect(timeline.from == 0 && timeline.to == 400)
        #expect(timeline.buckets.map { $0.counts[0] } == [1, 0, 1, 0])
        #expect(timeline.buckets.map { $0.times[0] } == [100, 0, 100, 100])
        #expect(timeline.buckets.map { $0.times[1] } == [0, 50, 0, 0])
        let part = TraceTimeline(trace, trace.order, from: 200, to: 400, count: 2)
        #expect(part.buckets.map { $0.times[0] } == [100, 100])
    }

    @Test("two recordings are compared by kinds and statements (BRW-42)")
    func recordingsAreCompared() throws {
        let former = try trace([record(.statement, 0, 10, detail: 1)], ["SELECT 1"])
        let latter = try trace(
            [record(.statement, 0, 30, detail: 1), record(.statement, 50, 5, detail: 2)], ["SELECT 1", "SELECT 2"])
        let comparison = TraceComparison((former, former.order), (latter, latter.order))
        #expect(comparison.kinds.map(\.difference) == [25])
        #expect(comparison.statements.map(\.name) == ["SELECT 1", "SELECT 2"])
        #expect(comparison.statements.map(\.difference) == [20, 5])
        #expect(comparison.statements[1].former.count == 0)
    }

    @Test("what is exported for Chrome and Perfetto has each field of the format (TOOL-20)")
    func exportHasAllFields() throws {
        let trace = try trace(
            [record(.statement, 2_000_111, 1_500, detail: 1), record(.fetch, 2_000_000, 9_001, context: 3, rows: 4)],
            ["SELECT \"x\""])
        var text = ""
        TraceEventExport(trace).write(trace.order) { text += $0 }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["displayTimeUnit"] as? String == "ms")
        #expect((object["otherData"] as? [String: Any])?["dropped"] as? Int == 0)
        let events = try #require(object["traceEvents"] as? [[String: Any]])
        #expect(events.count == 4)
        #expect(events[0]["ph"] as? String == "M" && events[0]["name"] as? String == "process_name")
        #expect((events[0]["args"] as? [String: Any])?["name"] as? String == "tool")
        #expect(events[1]["name"] as? String == "thread_name" && events[1]["tid"] as? Int == 1)
        let fetch = events[2]
        #expect(Set(fetch.keys) == ["name", "cat", "ph", "ts", "dur", "pid", "tid", "args"])
        #expect(fetch["name"] as? String == "fetch" && fetch["cat"] as? String == "fetch")
        #expect(fetch["ph"] as? String == "X" && fetch["ts"] as? Double == 0 && fetch["dur"] as? Double == 9.001)
        #expect(fetch["pid"] as? Int == 7 && fetch["tid"] as? Int == 1)
        #expect((fetch["args"] as? [String: Any])?["rows"] as? Int == 4)
        #expect(events[3]["ts"] as? Double == 0.111 && events[3]["dur"] as? Double == 1.5)
        #expect((events[3]["args"] as? [String: Any])?["sql"] as? String == "SELECT \"x\"")
    }

    @Test("a trace of a million events has them all, nested and in order (BRW-42)")
    func millionEventsAreRead() throws {
        var records: [TraceRecord] = []
        records.reserveCapacity(1_000_000)
        for number in 0..<UInt64(500_000) {
            let thread = UInt32(number % 8)
            records.append(record(.statement, number * 10 + 2, 3, thread: thread, detail: 1, rows: 1))
            records.append(record(.fetch, number * 10, 8, thread: thread, context: 1, rows: 1))
        }
        let trace = try trace(records, ["SELECT 1"])
        #expect(trace.records.count == 1_000_000)
        #expect(trace.parents.count { $0 >= 0 } == 500_000)
        let timeline = TraceTimeline(trace, trace.order, count: 1_000)
        #expect(timeline.buckets.reduce(0) { $0 + $1.counts[0] } == 500_000)
        #expect(timeline.buckets.reduce(0) { $0 + $1.counts[7] } == 500_000)
    }

    @Test("a call tree adds up what is part of no other event, from the outermost function inwards (BRW-42)")
    func callTreeAddsUp() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.trace")
        try CoreDataInstruments.startRecording(to: file)
        defer { CoreDataInstruments.stopRecording() }
        let stack = try Stack(RecordedProgram.model)
        for _ in 0..<3 { _ = try stack.context.found("Book") }
        CoreDataInstruments.stopRecording()
        let report = TraceReport(try TraceReader.trace(at: file))
        let tree = report.callTree
        let roots = report.selection.filter { report.trace.parents[Int($0)] < 0 }
        #expect(tree.nodes[0].count == roots.count && tree.nodes[0].time == report.totals.busy)
        #expect(tree.nodes[0].children.reduce(0) { $0 + tree.nodes[$1].count } == roots.count)
    }

    @Test("the bytes of many events are those of each, and are read as they were (BRW-42)")
    func bytesOfEvents() throws {
        let records = (1...3).map { number in
            var record = record(.save, UInt64(number) << 40, 7, thread: 9, context: 2, detail: 5, rows: 11)
            (record.flags, record.model, record.stack) = (3, 0x0102, UInt32(number))
            (record.queue, record.contextName, record.store, record.entity) = (21, 22, 23, 24)
            (record.shape, record.values, record.registered, record.scanned) = (25, 26, 27, 28)
            (record.inserted, record.updated, record.deleted, record.unchanged) = (29, 30, 31, 32)
            return record
        }
        var each: [UInt8] = []
        for record in records { record.append(to: &each) }
        let bytes = TraceRecord.bytes(of: records)
        #expect(bytes == each && bytes.count == 3 * TraceRecord.size)
        let read = bytes.withUnsafeBytes { bytes in
            (0..<3).map { TraceRecord(bytes, at: $0 * TraceRecord.size) }
        }
        #expect(read == records)
    }
}
