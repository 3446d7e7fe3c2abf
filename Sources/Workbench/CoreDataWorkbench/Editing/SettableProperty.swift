import CoreData

/// Determines which properties can be set: those that are stored and not computed from others.
package enum SettableProperty {
    /// The property of a key.
    ///
    /// - Throws: `InspectionError` of code `unknownKey` with the nearest key, or `badValue` for a property that cannot
    ///   be set.
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

    /// Why a property cannot be set, in a word or two; nil for one that can be set.
    private static func unsettableKind(_ property: NSPropertyDescription) -> String? {
        switch property {
        case is NSDerivedAttributeDescription: "derived"
        case is NSFetchedPropertyDescription: "a fetched one"
        default: property.isTransient ? "not stored" : nil
        }
    }
}
