import CoreDataFoundation

/// The input bytes of version hashes.
///
/// Source: the recipe was found by comparing hashes in files that Apple's framework wrote from 2009 to 2023. Texts are
/// hashed as UTF-8 without a terminator, integers as little-endian; digests are SHA-256.
struct VersionHashInput {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ text: String?) { bytes += Array((text ?? "").utf8) }
    mutating func append(_ digest: [UInt8]) { bytes += digest }
    mutating func append(_ flag: UInt8) { bytes.append(flag) }
    mutating func append(_ number: UInt16) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
    mutating func append(_ number: UInt32) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }

    var digest: [UInt8] { SHA2.sha256(bytes) }
}

/// The recipe by which version hashes are computed.
enum VersionHashRecipe {
    /// The recipe of Apple's framework.
    case current
    /// The recipe of release 0.1.0 of this library, which differs for composite attributes and for relationships that
    /// are their own inverses. Stores of that release have such hashes.
    case firstRelease
}

extension NSPropertyDescription {
    /// The 32-byte hash that changes when the property's stored form does.
    ///
    /// It depends on name, optionality, transience, type, destination, inverse, counts, order and hash modifier; it
    /// does not depend on defaults, validation, class names, user info, indexes and delete rules. Takes time linear in
    /// the size of the description.
    ///
    /// The recipe is that of files that Apple's framework wrote. No file contains the following cases, whose recipes
    /// are assumed:
    ///
    /// | case | assumed |
    /// |---|---|
    /// | composite attribute within another | its hash stands for it like that of any other element |
    /// | composite attribute with a modifier | it does not count |
    /// | external storage and preservation after deletion together | one mark for each, in this order |
    /// | encryption in a cloud | no mark |
    /// | derivation other than `now()`, `canonical:(x)` and a count | the text of the compiled expression |
    /// | derived attribute with a modifier or a filtering predicate | neither counts |
    public var versionHash: Data { Data(versionHashBytes(.current)) }

    /// The hash by the kind of the property; an expression description has only the part that all kinds share.
    final func versionHashBytes(_ recipe: VersionHashRecipe) -> [UInt8] {
        switch self {
        case let derived as NSDerivedAttributeDescription: derived.derivedHash
        case let composite as NSCompositeAttributeDescription: composite.compositeHash(recipe)
        case let attribute as NSAttributeDescription: attribute.attributeHash()
        case let relationship as NSRelationshipDescription: relationship.relationshipHash(recipe)
        default: baseHash
        }
    }

    /// The hash of what all kinds of properties have.
    fileprivate final var baseHash: [UInt8] {
        var flags: UInt16 = 0
        if isOptional { flags |= 1 }
        if isTransient { flags |= 2 }
        if self is NSFetchedPropertyDescription { flags |= 4 }
        var input = VersionHashInput()
        input.append(name)
        input.append(flags)
        input.append(versionHashModifier)
        return input.digest
    }
}

extension NSAttributeDescription {
    /// The hash of an attribute alone; further hashes may be appended to its input.
    fileprivate final func attributeHash(followedBy further: [[UInt8]] = []) -> [UInt8] {
        var input = VersionHashInput()
        input.append(baseHash)
        input.append(UInt32(attributeType.rawValue))
        if allowsExternalBinaryDataStorage { input.append(UInt8(1)) }
        if preservesValueInHistoryOnDeletion { input.append(UInt8(1)) }
        for hash in further { input.append(hash) }
        return input.digest
    }
}

extension NSCompositeAttributeDescription {
    /// The hash of the elements alone, sorted by name: it does not depend on the composite's name and optionality.
    fileprivate final func compositeHash(_ recipe: VersionHashRecipe, depth: Int = 0) -> [UInt8] {
        guard depth < NSEntityDescription.greatestDepth else { return [] }
        let hashes = elements.sorted { $0.name.precedesInBytes($1.name) }.map { element in
            (element as? NSCompositeAttributeDescription)?.compositeHash(recipe, depth: depth + 1)
                ?? element.versionHashBytes(recipe)
        }
        switch recipe {
        case .current:
            var input = VersionHashInput()
            for hash in hashes { input.append(hash) }
            return input.digest
        case .firstRelease: return attributeHash(followedBy: hashes)
        }
    }
}

extension NSDerivedAttributeDescription {
    /// The hash of the derivation alone: two attributes with the same derivation have the same hash.
    fileprivate final var derivedHash: [UInt8] {
        var input = VersionHashInput()
        input.append(derivationText.map(DerivationText.canonical))
        return input.digest
    }
}

extension NSRelationshipDescription {
    fileprivate final func relationshipHash(_ recipe: VersionHashRecipe) -> [UInt8] {
        var input = VersionHashInput()
        input.append(baseHash)
        input.append(destinationEntity?.name)
        // A relationship that is its own inverse is hashed without the inverse's name, as in stores of Apple's Photos.
        let isItsOwn = inverseRelationship === self && recipe != .firstRelease
        input.append(isItsOwn ? nil : inverseRelationship?.name)
        input.append(UInt32(truncatingIfNeeded: maxCount))
        input.append(UInt32(truncatingIfNeeded: minCount))
        if isOrdered { input.append(UInt16(1)) }
        return input.digest
    }
}

extension NSEntityDescription {
    /// The 32-byte hash that changes when the stored form of the entity or of one of its ancestors does.
    ///
    /// Takes time linear in the number of properties. Besides the assumed cases of properties (see
    /// `NSPropertyDescription.versionHash`) two cases of entities are assumed: several uniqueness constraints (each
    /// joined by dots, sorted by bytes) and a hash modifier together with constraints (the modifier first). A store
    /// whose hashes differ from a model's only in such entities can be opened if it has the tables of the model.
    public var versionHash: Data {
        var known: [ObjectIdentifier: [UInt8]] = [:]
        return Data(lineage.reduce(nil) { $1.versionHashBytes(below: $0, known: &known) } ?? [])
    }

    /// The hash, from that of the superentity; `known` has the hashes of properties, to which new ones are added.
    func versionHashBytes(
        below parent: [UInt8]?, known: inout [ObjectIdentifier: [UInt8]], _ recipe: VersionHashRecipe = .current
    ) -> [UInt8] {
        var input = VersionHashInput()
        input.append(name)
        input.append(UInt8(isAbstract ? 1 : 0))
        if let parent { input.append(parent) }
        let stored = properties.filter { !$0.isTransient && !($0 is NSFetchedPropertyDescription) }
        for property in stored.sorted(by: { $0.name.precedesInBytes($1.name) }) {
            let hash = known[ObjectIdentifier(property)] ?? property.versionHashBytes(recipe)
            known[ObjectIdentifier(property)] = hash
            input.append(hash)
        }
        input.append(versionHashModifier)
        for constraint in uniquenessConstraintNames.map({ $0.joined(separator: ".") }).sorted(by: {
            $0.precedesInBytes($1)
        }) {
            input.append(constraint)
        }
        return input.digest
    }
}
