import CoreData

/// Values as they are compared and shown while they are staged.
enum StagedValue {
    private static let (longestText, shownMembers) = (300, 100)

    /// Whether two values of an attribute are the same.
    static func isSame(_ one: Any?, other: Any?, attribute: NSAttributeDescription) -> Bool {
        if let one = one as? Data, let other = other as? Data { return one == other }
        let kind = AttributeKind(attribute)
        return JSONWriter.line(ValueCoding.json(one, kind)) == JSONWriter.line(ValueCoding.json(other, kind))
    }

    /// The objects of a to-many relationship's value.
    static func members(_ value: Any?) -> [NSManagedObject] {
        switch value {
        case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }

    /// A value of a property as answers show it: data by its size, long texts and lists cut.
    static func json(
        _ value: Any?, property: NSPropertyDescription, name: (NSManagedObject) -> String
    ) -> JSONValue {
        guard let value, !(value is NSNull) else { return .null }
        switch (property, value) {
        case (let attribute as NSAttributeDescription, _):
            if let data = value as? Data, attribute.attributeType == .binaryDataAttributeType {
                return .object([("bytes", .count(data.count))])
            }
            let json = ValueCoding.json(value, AttributeKind(attribute))
            guard case .string(let text) = json, text.utf8.count > longestText else { return json }
            return .string(String(text.unicodeScalars.prefix(longestText)))
        case (let relationship as NSRelationshipDescription, _) where relationship.isToMany:
            let names = members(value).map(name)
            let shown = relationship.isOrdered ? names : names.sorted { $0.compare($1, options: .numeric).rawValue < 0 }
            return .array(shown.prefix(shownMembers).map { .string($0) })
        case (_, let object as NSManagedObject): return .string(name(object))
        default: return .null
        }
    }
}
