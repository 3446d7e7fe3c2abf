import CoreDataFoundation

// Every recipe of a version hash was found in files that Apple's framework wrote. Cases that no such file shows are
// hashed by analogy; this file identifies them, so that a difference in such a hash alone does not prevent opening a
// store.

extension NSPropertyDescription {
    /// Whether the property's hash rests on a recipe that no file of Apple's framework has confirmed.
    package final var hasAssumedHash: Bool {
        switch self {
        case let composite as NSCompositeAttributeDescription: composite.hasAssumedRecipe
        case let derived as NSDerivedAttributeDescription: derived.hasAssumedDerivation
        case let attribute as NSAttributeDescription:
            attribute.allowsCloudEncryption
                || (attribute.allowsExternalBinaryDataStorage && attribute.preservesValueInHistoryOnDeletion)
        default: false
        }
    }
}

extension NSCompositeAttributeDescription {
    /// Whether the composite has another in it, a modifier, or an element whose own hash is assumed.
    fileprivate final var hasAssumedRecipe: Bool {
        versionHashModifier != nil || elements.contains { $0 is NSCompositeAttributeDescription || $0.hasAssumedHash }
    }
}

extension NSDerivedAttributeDescription {
    /// Whether the derivation is of a kind that no file shows, or the attribute has what may be hashed with it.
    fileprivate final var hasAssumedDerivation: Bool {
        if versionHashModifier != nil || notes.contains(where: { $0.hasPrefix("filteringPredicate") }) { return true }
        switch Derivation(text: derivationText ?? "") {
        case .now, .count: return false
        case .function("canonical", let path): return path.count != 1
        default: return true
        }
    }
}

extension NSEntityDescription {
    /// Whether the entity's hash, or one that it contains, rests on an assumed recipe.
    package final var hasAssumedHash: Bool {
        lineage.contains { entity in
            let constraints = entity.uniquenessConstraints.count
            return constraints > 1 || (constraints == 1 && entity.versionHashModifier != nil)
                || entity.ownProperties.contains { !$0.isTransient && $0.hasAssumedHash }
        }
    }
}
