import CoreData

/// Compares two recordings: the number and time of events by kind, and the statements whose times differ most.
package struct TraceComparison: Sendable {
    package typealias Sum = TraceTotals.Sum

    package struct Line: Sendable {
        package let name: String
        package let former: Sum
        package let latter: Sum

        /// The time of the latter recording minus that of the former, in nanoseconds.
        package var difference: Int64 { Int64(clamping: latter.time) &- Int64(clamping: former.time) }
    }

    package let kinds: [Line]
    package let statements: [Line]

    /// Compares selections of two traces; `statements` lists at most `most` statements.
    package init(
        _ former: (trace: Trace, selection: [Int32]), _ latter: (trace: Trace, selection: [Int32]), most: Int = 20
    ) {
        let first = TraceTotals(former.trace, former.selection)
        let second = TraceTotals(latter.trace, latter.selection)
        kinds = InstrumentEvent.Kind.allCases.compactMap { kind in
            guard first.kinds[kind] != nil || second.kinds[kind] != nil else { return nil }
            return Line(
                name: kind.name, former: first.kinds[kind] ?? Sum(), latter: second.kinds[kind] ?? Sum())
        }
        let (one, other) = (first.statements(of: former.trace), second.statements(of: latter.trace))
        let lines = Set(one.keys).union(other.keys).map {
            Line(name: $0, former: one[$0] ?? Sum(), latter: other[$0] ?? Sum())
        }
        statements = Array(
            lines.sorted {
                ($0.difference.magnitude, $1.name) > ($1.difference.magnitude, $0.name)
            }.prefix(most))
    }
}
