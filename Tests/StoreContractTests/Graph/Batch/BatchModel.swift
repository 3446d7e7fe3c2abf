import CoreData
import StoreContract

/// Lists with items, labels and notes: every rule of deletion, inheritance, a unique value, a derived one, defaults.
enum BatchModel {
    static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("List", ["name": .stringAttributeType])
        builder.entity(
            "Item",
            [
                "name": .stringAttributeType, "code": .stringAttributeType, "count": .integer32AttributeType,
                "price": .doubleAttributeType, "due": .dateAttributeType, "done": .booleanAttributeType,
                "exact": .decimalAttributeType, "link": .URIAttributeType, "mark": .UUIDAttributeType,
                "picture": .binaryDataAttributeType, "archived": .transformableAttributeType,
            ])
        builder.entity("Special", in: "Item", ["level": .integer16AttributeType])
        builder.entity("Part", ["name": .stringAttributeType])
        builder.entity("Label", ["name": .stringAttributeType])
        builder.entity("Receipt", ["name": .stringAttributeType])
        builder.entity("Cover", ["name": .stringAttributeType])
        builder.relationships("List.items*", "Item.list")
        builder.relationships("Item.parts*!", "Part.item", .cascadeDeleteRule)
        builder.relationships("Item.labels*", "Label.items*")
        builder.relationships("Item.receipts*", "Receipt.item", .denyDeleteRule)
        builder.relationships("Item.cover", "Cover.item")
        builder.derived("List.size", .integer64AttributeType, "items.@count")
        builder.derived("Item.upper", .stringAttributeType, "uppercase:(name)")
        builder.attribute("Item.count").defaultValue = 7
        builder.attribute("Item.picture").allowsExternalBinaryDataStorage = true
        builder["Item"].uniquenessConstraints = [["code"]]
        return builder.model
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
