import CoreDataStore
import Synchronization

/// Converts the nodes of a store class of the program into rows.
struct NodePacker {
    private static let reported = Mutex<Set<String>>([])

    private let records: IncrementalRecords
    private var open: [Int: RowSlab] = [:]
    private var rows: [RowSnapshot] = []
    /// Whether the last node had the members of a to-many relationship.
    private(set) var hasMembers = false

    init(_ records: IncrementalRecords) { self.records = records }

    /// The rows in the order of their nodes.
    var runs: [RowRun] { rows.map { RowRun(slab: $0.slab, range: $0.index..<$0.index + 1) } }

    /// Appends the row of a node.
    ///
    /// - Throws: `NSPersistentStoreOperationError` for values of another type than their properties', and what reading
    ///   a relationship throws.
    mutating func pack(
        _ node: NSIncrementalStoreNode, key: Int64, in context: NSManagedObjectContext
    ) throws -> RowSnapshot {
        let layout = records.model.layout(of: node.objectID.entity) ?? node.objectID.binding.layout
        let slab = slab(of: layout)
        let row = slab.appendRow(key: key, version: Self.version(of: node))
        do {
            for slot in 0..<layout.storedCount { try fill(slot, of: node, slab: slab, row: row, context: context) }
        } catch {
            slab.removeLastRow()
            throw error
        }
        hasMembers = layout.toMany.contains { node.value(for: $0) != nil }
        reportStrangers(in: node, layout)
        let packed = RowSnapshot(slab: slab, index: slab.count - 1)
        rows.append(packed)
        return packed
    }

    /// The node's version as a row's version; 0, which in rows means that the record does not exist, becomes another
    /// number.
    static func version(of node: NSIncrementalStoreNode) -> Int64 {
        node.version == 0 ? .min : Int64(bitPattern: node.version)
    }

    private mutating func slab(of layout: EntityLayout) -> RowSlab {
        if let slab = open[layout.number], !slab.isFull { return slab }
        let slab = RowSlab(binding: records.store.binding(for: layout), capacity: 1)
        open[layout.number] = slab
        return slab
    }

    // MARK: Slots

    private func fill(
        _ slot: Int, of node: NSIncrementalStoreNode, slab: RowSlab, row: UnsafeMutableRawPointer,
        context: NSManagedObjectContext
    ) throws {
        switch slab.layout.slots[slot].content {
        case .attribute(let attribute, let kind):
            do {
                try Self.set(
                    node.value(for: attribute), attribute: attribute, kind: kind, slab: slab, row: row, slot: slot)
            } catch {
                throw CoreDataError.make(
                    NSPersistentStoreOperationError,
                    "The store class '\(type(of: records.store))' gave a value that cannot be that of "
                        + "'\(attribute.name)' of entity '\(attribute.entity?.name ?? "")'.",
                    reason: "\(error)", hint: "Give a node values of the attributes' types.", underlying: error)
            }
        case .toOne(let relationship):
            guard let target = try target(relationship, of: node, context) else { return }
            slab.set(RowTag.integer, UInt64(bitPattern: target.key), row: row, slot: slot)
            slab.set(RowTag.integer, UInt64(target.entity), row: row, slot: slot + 1)
        case .targetNumber: return
        }
    }

    private static func set(
        _ value: Any?, attribute: NSAttributeDescription, kind: AttributeKind, slab: RowSlab,
        row: UnsafeMutableRawPointer, slot: Int
    ) throws {
        switch try SlotCoding.accept(value, for: attribute, kind) {
        case .null: return
        case .integer(let integer): slab.set(RowTag.integer, UInt64(bitPattern: integer), row: row, slot: slot)
        case .real(let real): slab.set(RowTag.real, real.bitPattern, row: row, slot: slot)
        case .reference(let reference):
            try SlotCoding.encode(reference, kind: kind, attribute: attribute) { tag, bytes in
                slab.set(tag, slab.append(bytes), row: row, slot: slot)
            }
        }
    }

    private func target(
        _ relationship: NSRelationshipDescription, of node: NSIncrementalStoreNode, _ context: NSManagedObjectContext
    ) throws -> (key: Int64, entity: Int)? {
        let value =
            try node.value(for: relationship)
            ?? records.store.newValue(forRelationship: relationship, forObjectWith: node.objectID, with: context)
        if value is NSNull { return nil }
        guard let identifier = value as? NSManagedObjectID ?? (value as? NSManagedObject)?.objectID else {
            throw StoreMistake.answer(
                to: "the question where '\(relationship.name)' leads", value, of: records.store,
                wanted: "an NSManagedObjectID, or NSNull where it leads nowhere")
        }
        guard let destination = relationship.destinationEntity else { return nil }
        try records.check(identifier, in: "as the value of '\(relationship.name)'", of: destination)
        let binding = records.known[identifier.binding, identifier.key]?.binding ?? identifier.binding
        return (identifier.key, binding.layout.number)
    }

    /// Logs a warning, once for each entity and key, for a value whose key is not a property.
    private func reportStrangers(in node: NSIncrementalStoreNode, _ layout: EntityLayout) {
        for key in node.keys where layout.places[key] == nil {
            let name = "\(layout.entity.name ?? "").\(key)"
            guard Self.reported.withLock({ $0.insert("\(type(of: records.store)) \(name)").inserted }) else { continue }
            let near = NameSuggestion(for: key, in: layout.places.keys).map { " " + $0.sentence } ?? ""
            CoreDataLogging.report(
                .warning,
                "the store class '\(type(of: records.store))' gave a value for '\(name)', "
                    + "which the model does not have; it is left out.\(near)",
                metadata: [CoreDataLogging.MetadataKey.entity: layout.entity.name ?? ""])
        }
    }
}
