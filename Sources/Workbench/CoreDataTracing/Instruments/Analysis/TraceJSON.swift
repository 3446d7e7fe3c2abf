import CoreData

/// Encodes the events of a trace, and the totals, findings and comparisons computed from them, as JSON.
package struct TraceJSON {
    private let trace: Trace

    package init(_ trace: Trace) { self.trace = trace }

    /// The recorded process, the start and length of the recording, and how complete it is.
    package var header: JSONValue {
        .object([
            ("process", .string(trace.process.name)), ("pid", .count(trace.process.number)),
            ("started", .string(ISODate.text(trace.process.started))), ("events", .count(trace.records.count)),
            ("length", .integer(Int64(clamping: trace.end - trace.begin))), ("dropped", .count(trace.dropped)),
            ("cachedFaults", .count(trace.cachedFaults)), ("complete", .bool(trace.isComplete)),
            ("values", .bool(trace.process.hasValues)), ("notes", .array(trace.notes.map { .string($0) })),
        ])
    }

    /// Encodes an event; its start is in nanoseconds since the first event of the trace.
    package func event(_ index: Int, _ symbols: TraceSymbols) -> JSONValue {
        let record = trace.records[index]
        return .object([
            ("number", .count(index)), ("kind", .text(trace.kind(of: record)?.name)),
            ("start", .integer(Int64(clamping: record.start &- min(trace.begin, record.start)))),
            ("duration", .integer(Int64(clamping: record.duration))),
            ("parent", trace.parents[index] < 0 ? .null : .integer(Int64(trace.parents[index]))),
            ("thread", .integer(Int64(record.thread))), ("site", .text(symbols.site(of: trace.stack(record.stack)))),
            ("facts", facts(of: record)),
        ])
    }

    /// Encodes the properties of an event except its times; omits those that are empty or 0.
    package func facts(of record: TraceRecord) -> JSONValue {
        var members: [(String, JSONValue)] = []
        func add(_ name: String, _ text: UInt32) {
            let text = trace.text(text)
            if !text.isEmpty { members.append((name, .string(text))) }
        }
        func add(_ name: String, count: UInt32) { if count > 0 { members.append((name, .integer(Int64(count)))) } }
        add("queue", record.queue)
        add("context", count: record.context)
        add("contextName", record.contextName)
        add("store", record.store)
        add("entity", record.entity)
        switch trace.kind(of: record) {
        case .statement:
            add("sql", record.detail)
            let plan = trace.text(record.shape)
            if !plan.isEmpty {
                members.append(("plan", .array(plan.split(separator: "\n").map { .string(String($0)) })))
            }
            add("values", record.values)
        case .fetch:
            add("predicate", record.detail)
            add("shape", record.shape)
        case .members, .prefetch: add("relationship", record.detail)
        default: add("detail", record.detail)
        }
        for (name, count) in [
            ("rows", record.rows), ("registered", record.registered), ("scanned", record.scanned),
            ("inserted", record.inserted), ("updated", record.updated), ("deleted", record.deleted),
            ("unchanged", record.unchanged),
        ] { add(name, count: count) }
        return .object(members)
    }

    package func totals(_ totals: TraceTotals, statements: Int = 20) -> JSONValue {
        let kinds = InstrumentEvent.Kind.allCases.compactMap { kind in
            totals.kinds[kind].map { sum in (kind.name, Self.json(sum)) }
        }
        return .object([
            ("busy", .integer(Int64(clamping: totals.busy))), ("kinds", .object(kinds)),
            ("inserted", .count(totals.inserted)), ("updated", .count(totals.updated)),
            ("deleted", .count(totals.deleted)), ("unchanged", .count(totals.unchanged)),
            (
                "statements",
                .array(
                    totals.slowestStatements(of: trace, statements).map {
                        .object([("sql", .string($0.sql)), ("sum", Self.json($0.sum))])
                    })
            ),
            (
                "entities",
                .array(
                    totals.entities(of: trace, statements).map {
                        .object([("entity", .string($0.name)), ("sum", Self.json($0.sum))])
                    })
            ),
        ])
    }

    private static func json(_ sum: TraceTotals.Sum) -> JSONValue {
        .object([
            ("count", .count(sum.count)), ("time", .integer(Int64(clamping: sum.time))),
            ("longest", .integer(Int64(clamping: sum.longest))), ("rows", .count(sum.rows)),
            ("scanned", .count(sum.scanned)),
        ])
    }

    package func timeline(_ timeline: TraceTimeline) -> JSONValue {
        let kinds = InstrumentEvent.Kind.allCases.enumerated().map { index, kind in
            (
                kind.name,
                JSONValue.object([
                    ("counts", .array(timeline.buckets.map { .count($0.counts[index]) })),
                    ("times", .array(timeline.buckets.map { .integer(Int64(clamping: $0.times[index])) })),
                ])
            )
        }
        return .object([
            ("from", .integer(Int64(clamping: timeline.from))), ("to", .integer(Int64(clamping: timeline.to))),
            ("buckets", .count(timeline.buckets.count)), ("kinds", .object(kinds)),
        ])
    }

    /// Encodes the nodes that took at least the fraction `least` of the total time, down to the depth `deepest`; at
    /// most 50 children of each node.
    package func callTree(_ tree: CallTree, deepest: Int = 64, least: Double = 0.005) -> JSONValue {
        let smallest = UInt64(Double(tree.nodes[0].time) * least)
        func json(_ number: Int, _ depth: Int) -> JSONValue {
            let node = tree.nodes[number]
            let children =
                depth < deepest ? node.children.filter { tree.nodes[$0].time >= smallest }.prefix(50) : []
            return .object([
                ("name", .string(node.name)), ("count", .count(node.count)),
                ("time", .integer(Int64(clamping: node.time))),
                ("children", .array(children.map { json($0, depth + 1) })),
            ])
        }
        return json(0, 0)
    }

    package func findings(_ findings: [TraceFinding], _ symbols: TraceSymbols) -> JSONValue {
        .array(
            findings.map { finding in
                .object([
                    ("kind", .string(finding.kind.rawValue)), ("text", .string(finding.text)),
                    ("cure", .string(finding.cure)), ("code", .text(finding.code)), ("entity", .string(finding.entity)),
                    ("key", .text(finding.key)), ("context", .integer(Int64(finding.context))),
                    ("count", .count(finding.count)), ("time", .integer(Int64(clamping: finding.time))),
                    ("event", .count(finding.event)), ("site", .text(symbols.site(of: trace.stack(finding.stack)))),
                ])
            })
    }

    package static func comparison(_ comparison: TraceComparison) -> JSONValue {
        func lines(_ lines: [TraceComparison.Line]) -> JSONValue {
            .array(
                lines.map {
                    .object([
                        ("name", .string($0.name)), ("former", json($0.former)), ("latter", json($0.latter)),
                        ("difference", .integer($0.difference)),
                    ])
                })
        }
        return .object([("kinds", lines(comparison.kinds)), ("statements", lines(comparison.statements))])
    }
}
