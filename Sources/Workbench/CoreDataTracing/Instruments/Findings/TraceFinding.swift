import CoreData

/// Something in a recording that costs more than it must, with what cures it.
package struct TraceFinding: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// One question an object, where one question would do for all.
        case repeatedFaults
        /// A fetch that scans a complete table for few of its rows.
        case fullScan
        /// Assignments of the value that a property already had.
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
    /// How many events it is about.
    package let count: Int
    /// Nanoseconds of these.
    package let time: UInt64
    /// One of the events.
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
