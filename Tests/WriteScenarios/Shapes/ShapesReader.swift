import CoreData
import StoreContract

/// What a context shows, in the form of `Reference.lines`.
package enum ShapesReader {
    package static func lines(_ context: NSManagedObjectContext) throws -> [String] {
        var lines: [Int: String] = [:]
        var doubles: [String] = []
        for root in ShapesModel.roots {
            for object in try context.all(root) {
                let line = Reference.line(record(object), object.entity)
                if let known = lines.updateValue(line, forKey: number(object)) { doubles.append("twice: \(known)") }
            }
        }
        return lines.sorted { $0.key < $1.key }.map(\.value) + doubles
    }

    private static func record(_ object: NSManagedObject) -> Reference.Record {
        var record = Reference.Record(entity: object.entity.name ?? "")
        for (name, attribute) in object.entity.attributesByName {
            record.attributes[name] = ShapesValue.text(object.value(forKey: name), attribute)
        }
        for (name, relationship) in object.entity.relationshipsByName {
            record.members[name] = members(object, relationship)
        }
        return record
    }

    /// The numbers of members; one without a number has been deleted, and is not counted where nothing led back.
    private static func members(_ object: NSManagedObject, _ relationship: NSRelationshipDescription) -> [Int] {
        let value = object.value(forKey: relationship.name)
        let members: [Any] =
            switch value {
            case let ordered as NSOrderedSet: ordered.array
            case let set as NSSet: set.allObjects
            default: value.map { [$0] } ?? []
            }
        let objects = members.compactMap { $0 as? NSManagedObject }
        guard relationship.inverseRelationship == nil else { return objects.map(number) }
        return objects.filter { !$0.isDeleted && $0.managedObjectContext != nil }.map(number).filter { $0 > 0 }
    }

    private static func number(_ object: NSManagedObject) -> Int { object.value(forKey: "number") as? Int ?? -1 }
}
