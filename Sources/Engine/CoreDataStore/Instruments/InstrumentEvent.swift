import CoreDataModeling

/// Something that the library did, as it is reported to recordings, metrics and spans. No values of attributes are in it.
package struct InstrumentEvent {
    /// What was done; the numbers are those of trace files.
    package enum Kind: UInt8, CaseIterable, Sendable {
        /// A fetch, a count, or the reading of dictionaries: `rows` results.
        case fetch = 1
        /// A save to a store or a parent, with the numbers of objects by what became of them.
        case save = 2
        /// A fault whose row had to be read from the store: a cache miss.
        case fault = 3
        /// The members of a to-many relationship of one object: `rows` members of the relationship `detail`.
        case members = 4
        /// A relationship read for many objects together.
        case prefetch = 5
        /// Changes from elsewhere taken over.
        case merge = 6
        /// A thread that waited for a connection to a store.
        case wait = 7
        /// An execution of a statement of SQL.
        case statement = 8

        /// The name in lists, filters and JSON.
        package var name: String { String(describing: self) }
    }

    /// More about an event, as bits.
    package struct Flags: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The faults that came together with the fault were read with it.
        package static let readAhead = Flags(rawValue: 1)
        /// The statement sorted in a temporary tree.
        package static let sorted = Flags(rawValue: 2)
        /// The rows are only counted.
        package static let counted = Flags(rawValue: 4)
        /// The statement was sent to a PostgreSQL server.
        package static let postgreSQL = Flags(rawValue: 8)
        /// The save went to a parent, and to no store.
        package static let toParent = Flags(rawValue: 16)
    }

    package var kind: Kind
    package var flags: Flags = []
    /// When it began, as `coredata_instruments_start` gave it.
    package var start: UInt64
    package var queue = ""
    /// A number that no other context of the process has; 0 for none.
    package var context: UInt32 = 0
    package var contextName = ""
    package var store = ""
    package var entity = ""
    /// The predicate without its values, the relationship, or the statement.
    package var detail = ""
    /// The lines of a statement's plan, or a fetch's order, window and prefetching, by names (`FetchShape`).
    package var shape = ""
    package var rows = 0
    /// The rows that a statement found; 0 for one that changes rows. Not part of recordings.
    package var found = 0
    /// The host of the server, or the folder of its socket; empty for a store in a file. Not part of recordings.
    package var serverAddress = ""
    /// 0 for none. Not part of recordings.
    package var serverPort = 0
    /// The SQLSTATE or SQLite's name of the code with which a statement failed; empty if it did not. Not part of recordings.
    package var errorType = ""
    /// The objects that the context has.
    package var registered = 0
    /// Rows visited in tables and complete indexes.
    package var scanned = 0
    package var inserted = 0
    package var updated = 0
    package var deleted = 0
    /// Objects whose assigned values all equal the stored row.
    package var unchanged = 0
    /// The bound values, if the recording includes them.
    package var values = ""
    package var model: NSManagedObjectModel?

    /// The database system to which a statement was sent, as OpenTelemetry names it.
    package var system: String { flags.contains(.postgreSQL) ? "postgresql" : "sqlite" }

    package init(_ kind: Kind, since start: UInt64) {
        self.kind = kind
        self.start = start
    }
}
