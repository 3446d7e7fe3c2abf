import CoreDataStore

/// The known records of a custom store: their entities, nodes and versions.
///
/// Records without an object in any context are forgotten when there are many of them.
struct KnownRecords {
    struct Record {
        let binding: EntityBinding
        /// Nil until the store gave the values, and after another context saved.
        var node: NSIncrementalStoreNode?
        /// The version of the values that were last given or saved; nil while none is known.
        var version: Int64?
        /// Whether the record was deleted through this store.
        var isGone = false
    }

    private static let leastLimit = 4_096

    private let registrations: StoreRegistrations
    private var records: [RowKey: Record] = [:]
    private var limit = leastLimit

    init(_ registrations: StoreRegistrations) { self.registrations = registrations }

    subscript(binding: EntityBinding, key: Int64) -> Record? { records[RowKey(table: binding.table, key: key)] }

    /// Notes the entity of a record, unless it is known.
    mutating func note(_ binding: EntityBinding, key: Int64) {
        if self[binding, key] == nil { set(Record(binding: binding), key) }
    }

    /// Notes what the store gave or was given.
    mutating func note(_ node: NSIncrementalStoreNode?, version: Int64, _ binding: EntityBinding, key: Int64) {
        set(Record(binding: binding, node: node, version: version), key)
    }

    /// Notes that a record was deleted.
    mutating func noteDeletion(_ binding: EntityBinding, key: Int64) {
        set(Record(binding: binding, isGone: true), key)
    }

    /// Forgets the relationships to many that nodes have: a save may have changed those of any record.
    mutating func forgetNodes() {
        for key in records.keys { records[key]?.node = nil }
    }

    /// Whether a record is known to have another version than expected, or none any more.
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
