import CoreData
import CoreDataTracing
import CoreDataWorkbench

/// Traces whose events are made by hand.
enum MadeTrace {
    /// A trace of records with the given texts.
    static func trace(
        _ records: [TraceRecord], _ texts: [String] = [], process: String = #"{"pid":7,"name":"tool"}"#
    ) throws -> Trace {
        var bytes = TraceFormat.header
        var list: [UInt8] = []
        for text in texts {
            list.append(number: UInt32(text.utf8.count))
            list += Array(text.utf8)
        }
        bytes += TraceFormat.block(.process, Array(process.utf8))
        bytes += TraceFormat.block(.texts, list)
        for start in stride(from: 0, to: records.count, by: 10_000) {
            var events: [UInt8] = []
            for record in records[start..<min(start + 10_000, records.count)] { record.append(to: &events) }
            bytes += TraceFormat.block(.events, events)
        }
        bytes += TraceFormat.block(.end, [])
        return try bytes.withUnsafeBytes { try TraceReader.trace(in: $0, of: "made") }
    }

    static func record(
        _ kind: InstrumentEvent.Kind, _ start: UInt64, _ duration: UInt64, thread: UInt32 = 1, context: UInt32 = 0,
        detail: UInt32 = 0, rows: UInt32 = 0
    ) -> TraceRecord {
        var record = TraceRecord()
        record.kind = kind.rawValue
        (record.start, record.duration, record.thread) = (start, duration, thread)
        (record.context, record.detail, record.rows) = (context, detail, rows)
        return record
    }
}
