import CoreData

/// Exports a trace as JSON that Chrome and Perfetto read.
///
/// Source: the document "Trace Event Format": an object whose `traceEvents` are complete events (`ph` is `X`) with
/// times in microseconds, and metadata (`ph` is `M`) that names process and threads.
package struct TraceEventExport {
    private let trace: Trace

    package init(_ trace: Trace) { self.trace = trace }

    /// Calls `body` with each piece of the JSON object in order.
    package func write(_ selection: [Int32], _ body: (String) throws -> Void) rethrows {
        try body("{\"displayTimeUnit\":\"ms\",\"otherData\":\(JSONWriter.line(facts)),\"traceEvents\":[\n")
        try body(JSONWriter.line(metadata("process_name", thread: 0, trace.process.name)))
        for (thread, queue) in threads(selection) {
            try body(",\n" + JSONWriter.line(metadata("thread_name", thread: thread, queue)))
        }
        for index in selection { try body(",\n" + JSONWriter.line(event(trace.records[Int(index)], Int(index)))) }
        try body("\n]}\n")
    }

    private var facts: JSONValue {
        .object([
            ("dropped", .count(trace.dropped)), ("cachedFaults", .count(trace.cachedFaults)),
            ("complete", .bool(trace.isComplete)),
        ])
    }

    /// The threads of the selected events, each with the name of the queue of its first event that has one.
    private func threads(_ selection: [Int32]) -> [(UInt32, String)] {
        var names: [UInt32: String] = [:]
        for index in selection {
            let record = trace.records[Int(index)]
            if names[record.thread]?.isEmpty ?? true { names[record.thread] = trace.text(record.queue) }
        }
        return names.sorted { $0.key < $1.key }.map { ($0.key, $0.value.isEmpty ? "thread \($0.key)" : $0.value) }
    }

    private func metadata(_ name: String, thread: UInt32, _ value: String) -> JSONValue {
        .object([
            ("name", .string(name)), ("ph", .string("M")), ("pid", .count(trace.process.number)),
            ("tid", .integer(Int64(thread))), ("args", .object([("name", .string(value))])),
        ])
    }

    private func event(_ record: TraceRecord, _ index: Int) -> JSONValue {
        let kind = trace.kind(of: record)?.name ?? "event"
        let entity = trace.text(record.entity)
        return .object([
            ("name", .string(entity.isEmpty ? kind : "\(kind) \(entity)")), ("cat", .string(kind)),
            ("ph", .string("X")), ("ts", Self.microseconds(record.start &- min(trace.begin, record.start))),
            ("dur", Self.microseconds(record.duration)), ("pid", .count(trace.process.number)),
            ("tid", .integer(Int64(record.thread))), ("args", TraceJSON(trace).facts(of: record)),
        ])
    }

    /// Microseconds with three decimals: no nanosecond is lost.
    static func microseconds(_ nanoseconds: UInt64) -> JSONValue {
        let rest = String(nanoseconds % 1_000)
        return .number("\(nanoseconds / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest)
    }
}
