import CoreDataFoundation

// The recipes of version hashes were found by comparing files that Apple's framework wrote. Cases that no such file
// contains are hashed by analogy; the code below identifies them, so that a store can be opened if hashes differ in
// such cases only.

extension NSPropertyDescription {
    /// Whether the property is hashed by analogy, since no file of Apple's framework confirms the recipe.
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
    /// Whether the composite contains another composite or an element with an assumed hash, or has a hash modifier.
    fileprivate final var hasAssumedRecipe: Bool {
        versionHashModifier != nil || elements.contains { $0 is NSCompositeAttributeDescription || $0.hasAssumedHash }
    }
}

extension NSDerivedAttributeDescription {
    /// Whether no file confirms the recipe for this kind of derivation, or for the attribute's modifier or filtering
    /// predicate.
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
    /// Whether the entity or one of its properties is hashed by an assumed recipe, inherited ones included.
    package final var hasAssumedHash: Bool {
        lineage.contains { entity in
            let constraints = entity.uniquenessConstraints.count
            return constraints > 1 || (constraints == 1 && entity.versionHashModifier != nil)
                || entity.ownProperties.contains { !$0.isTransient && $0.hasAssumedHash }
        }
    }
}
