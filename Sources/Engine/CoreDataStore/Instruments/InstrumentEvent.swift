import CoreDataModeling

/// An operation of the library, as it is reported to recordings, metrics and spans. Contains no attribute values,
/// except `values` if the recording includes bound values.
package struct InstrumentEvent {
    /// The kind of operation; the raw values are the numbers in trace files.
    package enum Kind: UInt8, CaseIterable, Sendable {
        /// A fetch of objects, identifiers or dictionaries, or a count; `rows` is the number of results.
        case fetch = 1
        /// A save to a store or a parent context, with the numbers of inserted, updated, deleted and unchanged objects.
        case save = 2
        /// Fulfilling a fault whose row had to be read from the store: a cache miss.
        case fault = 3
        /// Reading a to-many relationship of one object; `rows` is the number of members, `detail` the relationship's
        /// name.
        case members = 4
        /// Reading a relationship for many objects at once.
        case prefetch = 5
        /// Merging changes that another context or process saved.
        case merge = 6
        /// A thread that waited for a reader of a store.
        case wait = 7
        /// An execution of a statement of SQL.
        case statement = 8

        /// The name of the kind in lists, filters and JSON.
        package var name: String { String(describing: self) }
    }

    /// Details of an event, as bits.
    package struct Flags: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The same read returned the rows of other faults that came from the same fetch or relationship.
        package static let readAhead = Flags(rawValue: 1)
        /// SQLite used a temporary B-tree for the sort order.
        package static let sorted = Flags(rawValue: 2)
        /// The fetch only counted the rows.
        package static let counted = Flags(rawValue: 4)
        /// The statement was sent to a PostgreSQL server.
        package static let postgreSQL = Flags(rawValue: 8)
        /// The save went to a parent context, not to a store.
        package static let toParent = Flags(rawValue: 16)
    }

    package var kind: Kind
    package var flags: Flags = []
    /// When the operation began: the value of `coredata_instruments_start`.
    package var start: UInt64
    package var queue = ""
    /// The number of the context, which no other context of the process has; 0 without a context.
    package var context: UInt32 = 0
    package var contextName = ""
    package var store = ""
    package var entity = ""
    /// The predicate without its values, the name of the relationship, or the SQL statement.
    package var detail = ""
    /// The lines of a statement's query plan; for a fetch, its result type, sort keys, limit, batch size and prefetched
    /// relationships (`FetchShape`).
    package var shape = ""
    package var rows = 0
    /// The number of rows that a statement returned; 0 for a statement that changes rows. Not part of recordings.
    package var found = 0
    /// The host of the server, or the folder of its socket; empty for a store in a file. Not part of recordings.
    package var serverAddress = ""
    /// The port of the server; 0 without a server. Not part of recordings.
    package var serverPort = 0
    /// The SQLSTATE, or SQLite's name of the result code, of a failed statement; empty if it succeeded. Not part of
    /// recordings.
    package var errorType = ""
    /// The number of objects that are registered with the context.
    package var registered = 0
    /// The number of rows that a statement visited in full scans of tables and indexes.
    package var scanned = 0
    package var inserted = 0
    package var updated = 0
    package var deleted = 0
    /// The number of objects whose changed values all equal the values in the store.
    package var unchanged = 0
    /// The values bound to the statement, if the recording includes them.
    package var values = ""
    package var model: NSManagedObjectModel?

    /// The database system to which a statement was sent, as OpenTelemetry names it.
    package var system: String { flags.contains(.postgreSQL) ? "postgresql" : "sqlite" }

    package init(_ kind: Kind, since start: UInt64) {
        self.kind = kind
        self.start = start
    }
}
