import CoreDataStore

/// Why the records of a file are not a consistent graph, and where that was found.
package struct LoadFailure: Error, Sendable {
    package let reason: String
    /// What the format counts places by: lines or records, from 1; nil where no single place is meant.
    package let place: Int?

    package init(_ reason: String, at place: Int?) {
        self.reason = reason
        self.place = place
    }
}
