import CoreDataFoundation
import CoreDataGraph

/// An object that predicates see in memory, beside the row that they see in the database.
final class Sample: KeyValueCoding, RecordReference, AttributeHolder {
    let identifier: NSManagedObjectID
    let entity: NSEntityDescription
    var values: [String: Any] = [:]

    init(_ identifier: NSManagedObjectID) {
        self.identifier = identifier
        entity = identifier.entity
    }

    var key: Int64 { identifier.key }
    var recordIdentity: AnyHashable { identifier }

    func codedValue(forKey key: String) throws -> Any? {
        if key == "objectID" { return identifier }
        if key == "entity" { return entity }
        guard let property = entity.propertiesByName[key] else { throw unknownKey(key) }
        if let relationship = property as? NSRelationshipDescription, relationship.isToMany {
            return values[key] ?? [Sample]()
        }
        return values[key]
    }

    func isAttribute(_ key: String) -> Bool { entity.attributesByName[key] != nil }

    func add(_ other: Sample, to key: String) {
        values[key] = (values[key] as? [Sample] ?? []) + [other]
    }
}
