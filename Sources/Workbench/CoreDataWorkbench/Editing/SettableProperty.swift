import CoreData

/// Which properties can be given a value: those that are stored and not made from others.
package enum SettableProperty {
    /// The property of a key.
    ///
    /// - Throws: `InspectionError` of code `unknownKey` with the nearest key, or `badValue` for what cannot be set.
    package static func named(_ key: String, of entity: NSEntityDescription) throws -> NSPropertyDescription {
        guard let property = entity.propertiesByName[key] else {
            throw KeyRoute.unknown(key, of: entity, path: key)
        }
        try require(property)
        return property
    }

    /// - Throws: `InspectionError` of code `badValue` for a property that cannot be set.
    package static func require(_ property: NSPropertyDescription) throws {
        guard let kind = unsettableKind(property) else { return }
        throw InspectionError(
            .badValue, subject: property.name, cause: "the property is \(kind) and cannot be set",
            hint: "leave it out")
    }

    package static func isSettable(_ property: NSPropertyDescription) -> Bool { unsettableKind(property) == nil }

    /// What keeps a property from being set, in a word or two; nil for one that can be set.
    private static func unsettableKind(_ property: NSPropertyDescription) -> String? {
        switch property {
        case is NSDerivedAttributeDescription: "derived"
        case is NSFetchedPropertyDescription: "a fetched one"
        default: property.isTransient ? "not stored" : nil
        }
    }
}
