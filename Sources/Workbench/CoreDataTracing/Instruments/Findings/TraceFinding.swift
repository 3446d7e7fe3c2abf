import CoreData

/// A pattern in a recording that costs more time than needed, with the remedy.
package struct TraceFinding: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// One query for each object, where a prefetch would need one query for all objects.
        case repeatedFaults
        /// A fetch that steps through many more rows than it returns.
        case fullScan
        /// Saves of objects that count as changed only because properties were set to the values that they already had.
        case unchangedSaves
        /// A context with so many objects that each of its saves and merges gets slower.
        case crowdedContext
    }

    package let kind: Kind
    package let text: String
    package let cure: String
    /// The remedy as a line of code or of a model; nil if it is neither.
    package var code: String?
    package let entity: String
    /// The key path to prefetch, or the keys of the index.
    package var key: String?
    package let context: UInt32
    /// How often the pattern occurred: the number of events or, for `unchangedSaves`, of unchanged objects.
    package let count: Int
    /// The total duration of the events, in nanoseconds.
    package let time: UInt64
    /// The index in the trace of one of the events.
    package let event: Int
    /// The call site's number in the trace.
    package let stack: UInt32

    /// All findings in a selection of events, those that took longest first.
    package static func all(in trace: Trace, _ selection: [Int32]) -> [TraceFinding] {
        let found =
            RepeatedFaults.findings(in: trace, selection) + FullScans.findings(in: trace, selection)
            + UnchangedSaves.findings(in: trace, selection) + CrowdedContexts.findings(in: trace, selection)
        return found.sorted { $0.time == $1.time ? $0.event < $1.event : $0.time > $1.time }
    }
}
