import CoreDataFoundation

/// Whether two values are both nil, or equal as objects: `1` equals `NSNumber(value: 1)`, also inside dictionaries and
/// arrays.
func haveSameContent(_ one: Any?, _ other: Any?) -> Bool {
    switch (one, other) {
    case (nil, nil): true
    case (let one?, let other?): ((one as AnyObject) as? NSObject)?.isEqual(other as AnyObject) ?? false
    default: false
    }
}

// Each comparison covers what a description itself declares, and compares related descriptions by name only. So
// comparing models takes time proportional to their size, and cycles are harmless.
extension NSEntityDescription {
    func hasSameContent(as other: NSEntityDescription) -> Bool {
        name == other.name && managedObjectClassName == other.managedObjectClassName && isAbstract == other.isAbstract
            && versionHashModifier == other.versionHashModifier && renamingIdentifier == other.renamingIdentifier
            && superentity?.name == other.superentity?.name
            && Set(subentities.map(\.name)) == Set(other.subentities.map(\.name))
            && uniquenessConstraintNames == other.uniquenessConstraintNames
            && compoundIndexNames == other.compoundIndexNames
            && coreSpotlightDisplayNameExpression?.formatString
                == other.coreSpotlightDisplayNameExpression?.formatString
            && haveSameContent(userInfo ?? [:], other.userInfo ?? [:])
            && named(ownProperties) == named(other.ownProperties) && indexes == other.indexes
    }
}

extension NSManagedObjectModel {
    func hasSameContent(as other: NSManagedObjectModel) -> Bool {
        versionIdentifiers == other.versionIdentifiers
            && entityNamesByConfiguration.mapValues(Set.init) == other.entityNamesByConfiguration.mapValues(Set.init)
            && templatesByName == other.templatesByName
            && (localizationDictionary ?? [:]) == (other.localizationDictionary ?? [:])
            && entitiesByName == other.entitiesByName
    }
}
