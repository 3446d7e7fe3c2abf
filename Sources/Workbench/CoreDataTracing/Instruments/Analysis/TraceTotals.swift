import CoreData

/// The totals of a selection of events: by kind, by statement and by entity.
package struct TraceTotals: Sendable {
    /// Number, time and rows of events of one kind, or with one text.
    package struct Sum: Sendable, Equatable {
        package var count = 0
        /// The sum of durations in nanoseconds; events nested in other events are added too.
        package var time: UInt64 = 0
        package var longest: UInt64 = 0
        package var rows = 0
        package var scanned = 0

        mutating func add(_ record: TraceRecord) {
            count += 1
            let (sum, overflows) = time.addingReportingOverflow(record.duration)
            time = overflows ? .max : sum
            longest = max(longest, record.duration)
            rows += Int(record.rows)
            scanned += Int(record.scanned)
        }
    }

    package private(set) var kinds: [InstrumentEvent.Kind: Sum] = [:]
    /// The sums of SQL statements; a key is the number of the statement's text in the trace.
    private var statements: [UInt32: Sum] = [:]
    private var entities: [UInt32: Sum] = [:]
    /// The number of objects that all selected saves inserted.
    package private(set) var inserted = 0
    /// The number of objects that all selected saves updated.
    package private(set) var updated = 0
    /// The number of objects that all selected saves deleted.
    package private(set) var deleted = 0
    /// The number of objects that counted as changed in the selected saves though no value differed from the stored
    /// one.
    package private(set) var unchanged = 0
    /// The sum of durations, in nanoseconds, of the events that are not nested in another event.
    package private(set) var busy: UInt64 = 0

    package init(_ trace: Trace, _ selection: [Int32]) {
        for index in selection {
            let record = trace.records[Int(index)]
            guard let kind = trace.kind(of: record) else { continue }
            kinds[kind, default: Sum()].add(record)
            if kind == .statement { statements[record.detail, default: Sum()].add(record) }
            if record.entity != 0 { entities[record.entity, default: Sum()].add(record) }
            if trace.parents[Int(index)] < 0 {
                let (sum, overflows) = busy.addingReportingOverflow(record.duration)
                busy = overflows ? .max : sum
            }
            guard kind == .save else { continue }
            inserted += Int(record.inserted)
            updated += Int(record.updated)
            deleted += Int(record.deleted)
            unchanged += Int(record.unchanged)
        }
    }

    /// The statements with the longest total time, longest first; at most `most`.
    package func slowestStatements(of trace: Trace, _ most: Int) -> [(sql: String, sum: Sum)] {
        Self.longest(statements, most).map { (trace.text($0), $1) }
    }

    /// The sums of events by entity, those with the longest total time first; at most `most`.
    package func entities(of trace: Trace, _ most: Int) -> [(name: String, sum: Sum)] {
        Self.longest(entities, most).map { (trace.text($0), $1) }
    }

    /// The sums of all statements, by SQL text.
    func statements(of trace: Trace) -> [String: Sum] {
        Dictionary(statements.map { (trace.text($0), $1) }, uniquingKeysWith: { first, _ in first })
    }

    private static func longest(_ sums: [UInt32: Sum], _ most: Int) -> [(UInt32, Sum)] {
        Array(
            sums.sorted { $0.value.time == $1.value.time ? $0.key < $1.key : $0.value.time > $1.value.time }.prefix(
                most)
        )
        .map { ($0.key, $0.value) }
    }
}
