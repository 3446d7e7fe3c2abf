import CoreDataStore

/// Reads the records of a store class of the program for expressions, each record once.
final class RecordReader {
    let records: IncrementalRecords
    private var known: [RowKey: ReadRecord?] = [:]

    init(_ records: IncrementalRecords) { self.records = records }

    /// A record; nil if it does not exist.
    ///
    /// - Throws: the error of a store that cannot be read.
    func record(_ binding: EntityBinding, _ key: Int64) throws -> ReadRecord? {
        let place = RowKey(table: binding.table, key: key)
        if let known = known[place] { return known }
        let run = try records.rows(of: binding, keys: [key]).first
        let record = run.map { ReadRecord(RowSnapshot(slab: $0.slab, index: $0.range.lowerBound), self) }
        known[place] = record
        return record
    }
}

/// A record for evaluating expressions: its row, and its relationships, which are read by key.
///
/// It is not a managed object and does not have a context's unsaved changes.
final class ReadRecord: KeyValueCoding, StoredRecordReference {
    private let row: RowSnapshot
    private let reader: RecordReader

    init(_ row: RowSnapshot, _ reader: RecordReader) {
        self.row = row
        self.reader = reader
    }

    var key: Int64 { row.key }

    private var layout: EntityLayout { row.slab.layout }

    private lazy var identifier = NSManagedObjectID(binding: row.slab.binding, key: key, isTemporary: false)

    var recordIdentity: AnyHashable { identifier }

    var codedKeys: [String] { Array(layout.places.keys) }

    func codedValue(forKey key: String) throws -> Any? {
        switch layout.places[key] {
        case .attribute(let slot):
            guard slot < layout.storedCount, case .attribute(let attribute, let kind) = layout.slots[slot].content
            else {
                throw unknownKey(key)
            }
            return try SlotCoding.value(row.slab, index: row.index, slot: slot, kind: kind, attribute: attribute)
        case .toOne(let slot): return try target(slot)
        case .toMany(let number):
            let members = try reader.records.members(
                of: layout.toMany[number], owner: row.slab.binding, key: self.key)
            return try members.compactMap { try reader.record($0.binding, $0.key) }
        case .fetched: throw unknownKey(key)
        case nil: break
        }
        switch key {
        case "objectID": return identifier
        case "entity": return layout.entity
        default: throw unknownKey(key)
        }
    }

    private func target(_ slot: Int) throws -> ReadRecord? {
        guard slot < layout.storedCount, let reference = row.slab.reference(row.index, slot),
            let number = reference.target, layout.model.entities.indices.contains(number)
        else { return nil }
        let binding = reader.records.store.binding(for: layout.model.entities[number])
        return try reader.record(binding, reference.key)
    }

    private func unknownKey(_ key: String) -> UnknownKeyError {
        UnknownKeyError(key: key, owner: "the entity \(layout.entity.name ?? "")", knownKeys: codedKeys)
    }
}

extension ReadRecord: AttributeHolder {
    func isAttribute(_ key: String) -> Bool {
        if case .attribute? = layout.places[key] { true } else { false }
    }
}
