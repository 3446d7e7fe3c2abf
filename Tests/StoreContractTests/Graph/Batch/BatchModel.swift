import CoreData
import StoreContract

/// Lists with items, labels and notes: every rule of deletion, inheritance, a unique value, a derived one, defaults.
enum BatchModel {
    static func make() -> NSManagedObjectModel {
        let draft = ModelDraft()
        draft.entity("List", ["name": .stringAttributeType])
        draft.entity(
            "Item",
            [
                "name": .stringAttributeType, "code": .stringAttributeType, "count": .integer32AttributeType,
                "price": .doubleAttributeType, "due": .dateAttributeType, "done": .booleanAttributeType,
                "exact": .decimalAttributeType, "link": .URIAttributeType, "mark": .UUIDAttributeType,
                "picture": .binaryDataAttributeType, "archived": .transformableAttributeType,
            ])
        draft.entity("Special", in: "Item", ["level": .integer16AttributeType])
        draft.entity("Part", ["name": .stringAttributeType])
        draft.entity("Label", ["name": .stringAttributeType])
        draft.entity("Receipt", ["name": .stringAttributeType])
        draft.entity("Cover", ["name": .stringAttributeType])
        draft.relationships("List.items*", "Item.list")
        draft.relationships("Item.parts*!", "Part.item", .cascadeDeleteRule)
        draft.relationships("Item.labels*", "Label.items*")
        draft.relationships("Item.receipts*", "Receipt.item", .denyDeleteRule)
        draft.relationships("Item.cover", "Cover.item")
        draft.derived("List.size", .integer64AttributeType, "items.@count")
        draft.derived("Item.upper", .stringAttributeType, "uppercase:(name)")
        draft.attribute("Item.count").defaultValue = 7
        draft.attribute("Item.picture").allowsExternalBinaryDataStorage = true
        draft["Item"].uniquenessConstraints = [["code"]]
        return draft.model
    }
}

extension Stack {
    /// Executes a batch update and gives its result.
    func update(
        _ entity: String, _ values: [AnyHashable: Any], where predicate: NSPredicate? = nil,
        _ type: NSBatchUpdateRequestResultType = .updatedObjectsCountResultType
    ) throws -> Any? {
        let request = NSBatchUpdateRequest(entityName: entity)
        request.propertiesToUpdate = values
        request.predicate = predicate
        request.resultType = type
        return (try context.execute(request) as? NSBatchUpdateResult)?.result
    }

    /// Executes a batch deletion and gives its result.
    func delete(
        _ entity: String, where predicate: NSPredicate? = nil,
        _ type: NSBatchDeleteRequestResultType = .resultTypeCount
    ) throws -> Any? {
        let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: entity)
        fetch.predicate = predicate
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = type
        return (try context.execute(request) as? NSBatchDeleteResult)?.result
    }

    /// Executes a batch insertion of dictionaries and gives its result.
    func insert(
        _ entity: String, _ objects: [[String: Any]], _ type: NSBatchInsertRequestResultType = .count
    ) throws -> Any? {
        let request = NSBatchInsertRequest(entityName: entity, objects: objects)
        request.resultType = type
        return (try context.execute(request) as? NSBatchInsertResult)?.result
    }

    /// The values of a property in the store, by another property, for a context that knows nothing yet.
    func stored(_ key: String, of entity: String, sortedBy order: String = "name") throws -> [String] {
        let context = newContext()
        return try context.all(entity, sortedBy: order).map { object in
            switch object.value(forKey: key) {
            case nil: "nil"
            case let other as NSManagedObject: other.value(forKey: "name") as? String ?? "?"
            case let others as NSSet:
                others.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }.sorted()
                    .joined(separator: "+")
            case let value?: "\(value)"
            }
        }
    }
}

/// The code of the Cocoa error that a block throws.
func failureCode(_ body: () throws -> Void) -> Int? {
    do { try body() } catch { return (error as NSError).code }
    return nil
}
