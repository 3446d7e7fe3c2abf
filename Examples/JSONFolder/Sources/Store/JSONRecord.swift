import CoreData

/// One record as JSON has it: attributes as people read them, related records by their names.
///
/// Names are `Entity/file`, so that a reference says where to look.
struct JSONRecord {
    let entity: NSEntityDescription
    /// What the file has, by the names of properties.
    let fields: [String: Any]

    init(entity: NSEntityDescription, fields: [String: Any]) {
        self.entity = entity
        self.fields = fields
    }

    /// What an object is to have in its file; `name` gives the names of related objects.
    init(_ object: NSManagedObject, name: (NSManagedObjectID) -> String) {
        entity = object.entity
        var fields: [String: Any] = [:]
        for attribute in object.entity.attributesByName.values where !attribute.isTransient {
            fields[attribute.name] = object.primitiveValue(forKey: attribute.name).flatMap {
                JSONValues.json($0, attribute)
            }
        }
        for relationship in object.entity.relationshipsByName.values where !relationship.isTransient {
            let related = JSONRecord.objects(object.value(forKey: relationship.name))
            // One that was taken back before it was saved has no name.
            let names = related.filter { !$0.objectID.isTemporaryID }.map { name($0.objectID) }
            if relationship.isOrdered {
                fields[relationship.name] = names
            } else if relationship.isToMany {
                if !JSONRecord.isSaidByMembers(relationship) { fields[relationship.name] = names.sorted() }
            } else {
                fields[relationship.name] = names.first
            }
        }
        self.fields = fields
    }

    /// Whether the files of the members say whose they are, so that one's own need not.
    static func isSaidByMembers(_ relationship: NSRelationshipDescription) -> Bool {
        relationship.isToMany && relationship.inverseRelationship?.isToMany == false && !relationship.isOrdered
    }

    private static func objects(_ value: Any?) -> [NSManagedObject] {
        switch value {
        case let object as NSManagedObject: [object]
        case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }

    /// The names under a relationship, as far as they are names.
    func names(_ relationship: String) -> [String] {
        (fields[relationship] as? [Any])?.compactMap { $0 as? String }
            ?? [fields[relationship] as? String].compactMap { $0 }
    }

    /// The values of the attributes.
    ///
    /// - Throws: `JSONProblem` naming the first field that is none of its attribute's.
    func values() throws -> [String: Any] {
        try entity.attributesByName.reduce(into: [String: Any]()) { values, entry in
            guard !entry.value.isTransient, let json = fields[entry.key], !(json is NSNull) else { return }
            guard let value = JSONValues.value(json, entry.value) else {
                throw JSONProblem(
                    reason: "the field '\(entry.key)' is not what '\(entry.key)' of '\(entity.name ?? "")' takes")
            }
            values[entry.key] = value
        }
    }
}

/// What is wrong with a record, without any value.
struct JSONProblem: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
}

extension NSEntityDescription {
    /// The topmost ancestor.
    var root: NSEntityDescription { superentity?.root ?? self }
}
