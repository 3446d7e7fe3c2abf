import CoreDataStore

/// Why the records of a file are invalid, and where the fault was found.
package struct LoadFailure: Error, Sendable {
    package let reason: String
    /// The line or the number of the record, from 1, as the format counts; nil if no single place is at fault.
    package let place: Int?

    package init(_ reason: String, at place: Int?) {
        self.reason = reason
        self.place = place
    }
}
