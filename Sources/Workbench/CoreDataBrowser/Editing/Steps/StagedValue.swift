import CoreData

/// Converts the values of staged changes to the JSON of answers.
enum StagedValue {
    private static let (longestText, shownMembers) = (300, 100)

    /// A value of a property as JSON: data as its size, long texts and lists cut.
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
            let names = PropertyEditor.members(value).map(name)
            let shown = relationship.isOrdered ? names : names.sorted { $0.compare($1, options: .numeric).rawValue < 0 }
            return .array(shown.prefix(shownMembers).map { .string($0) })
        case (_, let object as NSManagedObject): return .string(name(object))
        default: return .null
        }
    }
}
