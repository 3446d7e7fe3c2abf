import CoreData

/// A trace in the form that OpenTelemetry's collectors read: OTLP in JSON, a request for `/v1/traces` in each line.
///
/// Source: OTLP specification 1.7, "JSON Protobuf Encoding": keys in lowerCamelCase, numbers of 64 bits as texts,
/// enumerations as numbers, identifiers of traces and spans in hexadecimal. The lines are those of its file exporter.
/// Each event that is not nested in another event begins a trace. Identifiers are computed from the process and start
/// time of the recording and from the event's index, so that each export of the same file has the same identifiers.
package struct OTLPExport {
    /// The most spans in one line: a line is one request, and collectors accept requests of a few megabytes only.
    static let spansInLine = 5_000

    private let trace: Trace
    private let seed: UInt64
    /// When the recording began, in nanoseconds since 1970; 0 if the file has no valid start.
    private let base: UInt64

    package init(_ trace: Trace) {
        self.trace = trace
        let started = trace.process.started.timeIntervalSince1970
        // The start in a damaged file may not be a valid time.
        base = started > 0 && started < 10_000_000_000 ? UInt64(started * 1_000_000_000) : 0
        let process = UInt64(bitPattern: Int64(trace.process.number))
        seed = Self.mixed(Self.mixed(process) ^ Self.mixed(base) ^ trace.process.clock)
    }

    /// Calls `body` with each piece of the lines in order; does not call it if the selection is empty.
    package func write(_ selection: [Int32], _ body: (String) throws -> Void) rethrows {
        let selected = Set(selection)
        let head =
            "{\"resourceSpans\":[{\"resource\":\(JSONWriter.line(resource)),\"scopeSpans\":[{\"scope\":"
            + "{\"name\":\"OpenCoreData\"},\"spans\":["
        let end =
            "],\"schemaUrl\":\"\(SpanDescription.schema)\"}],\"schemaUrl\":\"\(SpanDescription.schema)\"}]}\n"
        for first in stride(from: 0, to: selection.count, by: Self.spansInLine) {
            try body(head)
            for place in first..<min(first + Self.spansInLine, selection.count) {
                let span = JSONWriter.line(span(Int(selection[place]), selected))
                try body(place == first ? span : "," + span)
            }
            try body(end)
        }
    }

    private var resource: JSONValue {
        let name = trace.process.name.isEmpty ? "unknown_service" : trace.process.name
        var attributes = [Self.attribute("service.name", .string(name))]
        if trace.process.number > 0 { attributes.append(Self.attribute("process.pid", .integer(trace.process.number))) }
        if trace.dropped > 0 {
            attributes.append(Self.attribute("coredata.events.dropped", .integer(trace.dropped)))
        }
        return .object([("attributes", .array(attributes))])
    }

    private func span(_ index: Int, _ selected: Set<Int32>) -> JSONValue {
        let record = trace.records[index]
        let description = SpanDescription(event(record))
        var members: [(String, JSONValue)] = [
            ("traceId", .string(traceIdentifier(of: index))), ("spanId", .string(spanIdentifier(of: index))),
        ]
        if let parent = parent(of: index, selected) {
            members.append(("parentSpanId", .string(spanIdentifier(of: parent))))
        }
        members += [
            ("name", .string(description.name)), ("kind", .integer(description.isClient ? 3 : 1)),
            ("startTimeUnixNano", .string(String(time(record.start)))),
            ("endTimeUnixNano", .string(String(max(time(record.start), time(record.end))))),
            (
                "attributes",
                .array(
                    description.attributes.map { Self.attribute($0.key, $0.value) }
                        + [Self.attribute("thread.id", .integer(Int(record.thread)))])
            ),
        ]
        return .object(members)
    }

    private func event(_ record: TraceRecord) -> InstrumentEvent {
        var event = InstrumentEvent(trace.kind(of: record) ?? .statement, since: record.start)
        event.flags = InstrumentEvent.Flags(rawValue: record.flags)
        event.queue = trace.text(record.queue)
        event.context = record.context
        event.contextName = trace.text(record.contextName)
        event.store = trace.text(record.store)
        event.entity = trace.text(record.entity)
        event.detail = trace.text(record.detail)
        event.rows = Int(record.rows)
        event.scanned = Int(record.scanned)
        (event.inserted, event.updated) = (Int(record.inserted), Int(record.updated))
        (event.deleted, event.unchanged) = (Int(record.deleted), Int(record.unchanged))
        return event
    }

    /// The innermost event that encloses an event and is exported too; nil if there is none.
    private func parent(of index: Int, _ selected: Set<Int32>) -> Int? {
        var place = Int(trace.parents[index])
        while place >= 0, !selected.contains(Int32(place)) { place = Int(trace.parents[place]) }
        return place < 0 ? nil : place
    }

    /// Converts a time of the process's clock to nanoseconds since 1970; clamps times of a damaged file to the range.
    private func time(_ moment: UInt64) -> UInt64 {
        let clock = trace.process.clock
        guard moment >= clock else { return base > clock - moment ? base - (clock - moment) : 0 }
        let (time, overflows) = base.addingReportingOverflow(moment - clock)
        return overflows ? .max : time
    }

    private static func attribute(_ key: String, _ value: CoreDataInstruments.Span.Value) -> JSONValue {
        let json: (String, JSONValue) =
            switch value {
            case .string(let text): ("stringValue", .string(text))
            case .integer(let number): ("intValue", .string(String(number)))
            }
        return .object([("key", .string(key)), ("value", .object([json]))])
    }
}

extension OTLPExport {
    private func traceIdentifier(of index: Int) -> String {
        let root = UInt64(trace.root(of: index))
        return Self.hexadecimal(Self.mixed(seed &+ root &* 3)) + Self.hexadecimal(Self.mixed(seed &+ root &* 3 &+ 1))
    }

    private func spanIdentifier(of index: Int) -> String {
        Self.hexadecimal(Self.mixed(seed &+ UInt64(index) &* 3 &+ 2))
    }

    /// Returns 16 hexadecimal digits; 1 for the number 0, since OTLP refuses an identifier of zeros.
    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(max(number, 1), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Spreads a number over all bits; different numbers stay different. Source: the finalizer of SplitMix64.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
