import CoreDataStore

/// The entities, nodes and versions of the known records of a custom store.
///
/// When there are many records, drops those without an object in any context.
struct KnownRecords {
    struct Record {
        let binding: EntityBinding
        /// Nil until the store class has returned the values, and after a save.
        var node: NSIncrementalStoreNode?
        /// The version of the values last read or saved; nil if none is known.
        var version: Int64?
        /// Whether the record was deleted in a save of this store.
        var isGone = false
    }

    private static let leastLimit = 4_096

    private let registrations: StoreRegistrations
    private var records: [RowKey: Record] = [:]
    private var limit = leastLimit

    init(_ registrations: StoreRegistrations) { self.registrations = registrations }

    subscript(binding: EntityBinding, key: Int64) -> Record? { records[RowKey(table: binding.table, key: key)] }

    /// Records the entity of a record, unless the record is known.
    mutating func note(_ binding: EntityBinding, key: Int64) {
        if self[binding, key] == nil { set(Record(binding: binding), key) }
    }

    /// Records the node and version that the store class returned or saved.
    mutating func note(_ node: NSIncrementalStoreNode?, version: Int64, _ binding: EntityBinding, key: Int64) {
        set(Record(binding: binding, node: node, version: version), key)
    }

    /// Records that a record was deleted.
    mutating func noteDeletion(_ binding: EntityBinding, key: Int64) {
        set(Record(binding: binding, isGone: true), key)
    }

    /// Drops all nodes, since a save may have changed the to-many relationships of any record.
    mutating func forgetNodes() {
        for key in records.keys { records[key]?.node = nil }
    }

    /// Whether a record is known to have another version than expected, or to have been deleted.
    func differs(from expected: Int64, _ binding: EntityBinding, key: Int64) -> Bool {
        guard let record = self[binding, key] else { return false }
        return record.isGone || record.version.map { $0 != expected } ?? false
    }

    private mutating func set(_ record: Record, _ key: Int64) {
        records[RowKey(table: record.binding.table, key: key)] = record
        guard records.count > limit else { return }
        records = records.filter { registrations.isRegistered(table: $0.key.table, key: $0.key.key) }
        limit = max(Self.leastLimit, records.count * 2)
    }
}
