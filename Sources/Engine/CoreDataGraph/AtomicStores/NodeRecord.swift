import CoreDataStore

/// The record of a node, for evaluating predicates and sort descriptors: reads only the values that these name.
final class NodeRecord: KeyValueCoding, StoredRecordReference {
    let identifier: NSManagedObjectID
    /// Nil if the store has no node with the identifier.
    private let node: NSAtomicStoreCacheNode?
    private let store: NSAtomicStore

    init(_ identifier: NSManagedObjectID, _ store: NSAtomicStore) {
        node = store.cacheNode(for: identifier)
        self.identifier = node?.objectID ?? identifier
        self.store = store
    }

    var recordIdentity: AnyHashable { identifier }

    var codedKeys: [String] { identifier.entity.propertiesByName.keys.sorted() }

    func codedValue(forKey key: String) throws -> Any? {
        let property = identifier.entity.propertiesByName[key]
        switch property {
        case is NSAttributeDescription where property?.isTransient == false:
            let value = node?.value(forKey: key)
            return value is NSNull ? nil : value
        case let relationship as NSRelationshipDescription where !relationship.isTransient:
            let records = try AtomicValues.identifiers(node?.value(forKey: key), of: relationship, in: store)
                .map { NodeRecord($0, store) }
            guard relationship.isToMany else { return records.first }
            return records.filter { $0.node != nil }
        default: break
        }
        switch key {
        case "objectID": return identifier
        case "entity": return identifier.entity
        default:
            throw UnknownKeyError(key: key, owner: "the entity \(identifier.entity.name ?? "")", knownKeys: codedKeys)
        }
    }
}

extension NodeRecord: AttributeHolder {
    func isAttribute(_ key: String) -> Bool { identifier.entity.attributesByName[key] != nil }
}

/// Reads the relationships of nodes.
enum AtomicValues {
    /// The identifiers of the objects that a relationship's value contains.
    ///
    /// - Throws: `NSPersistentStoreOperationError` for a value other than nodes or identifiers.
    static func identifiers(
        _ value: Any?, of relationship: NSRelationshipDescription, in store: NSAtomicStore
    ) throws -> [NSManagedObjectID] {
        guard let value, !(value is NSNull) else { return [] }
        let elements = IncrementalRecords.list(value) ?? [value]
        return try elements.map { element in
            switch element {
            case let node as NSAtomicStoreCacheNode: return node.objectID
            case let identifier as NSManagedObjectID: return identifier
            default:
                throw StoreMistake.answer(
                    to: "the question where '\(relationship.name)' leads", element, of: store,
                    wanted: "nodes or identifiers from value(forKey:) of a node")
            }
        }
    }
}
