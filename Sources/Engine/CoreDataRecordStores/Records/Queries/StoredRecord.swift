import CoreDataStore

/// A record for the evaluation of predicates and sort descriptors: reads its row's values, and related records by key.
///
/// It is not a managed object, so that a query runs no code of the program's classes. In comparisons it equals every
/// object and object identifier of its record.
package final class StoredRecord: KeyValueCoding, StoredRecordReference {
    let source: any RecordFinding
    package let binding: EntityBinding
    package let key: Int64
    /// Nil if the record has been deleted: its values are then nil, but the record itself is not nil in comparisons.
    private let row: RowSnapshot?

    package init(_ row: RowSnapshot, of source: any RecordFinding) {
        self.source = source
        self.row = row
        binding = row.slab.binding
        key = row.key
    }

    /// Makes the record to which a reference leads, whether or not it exists.
    init(root: Int, key: Int64, entity: Int, of source: any RecordFinding) {
        self.source = source
        self.key = key
        row = source.row(root: root, key: key)
        binding = row?.slab.binding ?? source.binding(ofEntity: entity)
    }

    private var layout: EntityLayout { binding.layout }

    private lazy var identifier = binding.storeReference?.identifier(of: binding, key: key)

    package var recordIdentity: AnyHashable {
        (identifier as? any RecordReference)?.recordIdentity ?? AnyHashable(RowKey(table: binding.table, key: key))
    }

    package var codedKeys: [String] { Array(layout.places.keys) }

    package func codedValue(forKey key: String) throws -> Any? {
        switch layout.places[key] {
        case .attribute(let slot): return try attribute(slot, key)
        case .toOne(let slot): return target(slot)
        case .toMany(let number): return RecordList(of: layout.toMany[number], owner: self.key, source)
        case .fetched: throw unknownKey(key)
        case nil: break
        }
        if let name = SubentityStep.entityName(in: key) {
            return row != nil && SubentityStep.isKind(layout.entity, of: name) ? self : nil
        }
        switch key {
        case "objectID": return identifier
        case "entity": return row == nil ? nil : layout.entity
        default: throw UnknownKeyError(key: key, owner: "the entity \(layout.entity.name ?? "")", knownKeys: codedKeys)
        }
    }

    private func attribute(_ slot: Int, _ key: String) throws -> Any? {
        guard slot < layout.storedCount, case .attribute(let attribute, let kind) = layout.slots[slot].content else {
            throw unknownKey(key)
        }
        guard let row else { return nil }
        guard kind == .transformable else {
            return try SlotCoding.value(row.slab, index: row.index, slot: slot, kind: kind, attribute: attribute)
        }
        if row.slab.tag(row.index, slot) == RowTag.null { return nil }
        // A value that the transformer cannot decode exists nevertheless: it is not nil, and equals no other value.
        return (try? SlotCoding.value(row.slab, index: row.index, slot: slot, kind: kind, attribute: attribute))
            ?? UnreadableValue()
    }

    private func target(_ slot: Int) -> StoredRecord? {
        guard slot < layout.storedCount, let row, let reference = row.slab.reference(row.index, slot),
            case .toOne(let relationship) = layout.slots[slot].content,
            let destination = relationship.destinationEntity.flatMap(source.model.layout(of:))
        else { return nil }
        return StoredRecord(root: destination.root, key: reference.key, entity: destination.number, of: source)
    }
}

extension StoredRecord: AttributeHolder {
    package func isAttribute(_ key: String) -> Bool {
        if case .attribute? = layout.places[key] { true } else { false }
    }
}

/// Represents a stored value that the value transformer cannot decode.
struct UnreadableValue {}
