import CoreDataFoundation

/// The bytes of which version hashes are made.
///
/// Source: the recipe was found by comparing hashes in files that Apple's framework wrote; it holds from 2009 to 2023.
/// Texts are UTF-8 without an end mark, integers little-endian, digests SHA-256.
struct VersionHashInput {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ text: String?) { bytes += Array((text ?? "").utf8) }
    mutating func append(_ digest: [UInt8]) { bytes += digest }
    mutating func append(_ flag: UInt8) { bytes.append(flag) }
    mutating func append(_ number: UInt16) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
    mutating func append(_ number: UInt32) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }

    var digest: [UInt8] { SHA2.sha256(bytes) }
}

/// How version hashes are made.
enum VersionHashRecipe {
    /// As Apple's framework makes them.
    case current
    /// As release 0.1.0 of this library did before the recipe was known for composite attributes and for relationships that
    /// are their own inverses. Stores of that release have such hashes.
    case firstRelease
}

extension NSPropertyDescription {
    /// The 32-byte hash that changes when the property's stored form does.
    ///
    /// Name, optionality, transience, type, destination, inverse, counts, order and hash modifier count; defaults,
    /// validation, class names, user info, indexes and delete rules do not. Linear in the size of the description.
    ///
    /// The recipe is that of files that Apple's framework wrote. No file shows these cases, whose hashes are assumed:
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

    /// Dispatches on the kinds of property, since an expression description does not have its own kind of hash.
    final func versionHashBytes(_ recipe: VersionHashRecipe) -> [UInt8] {
        switch self {
        case let derived as NSDerivedAttributeDescription: derived.derivedHash
        case let composite as NSCompositeAttributeDescription: composite.compositeHash(recipe)
        case let attribute as NSAttributeDescription: attribute.attributeHash()
        case let relationship as NSRelationshipDescription: relationship.relationshipHash(recipe)
        default: baseHash
        }
    }

    /// The part that all kinds share.
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
    /// Only the elements count, by name in order: composites of one shape have one hash under any name, optional or not.
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
    /// Only the derivation counts: two attributes with the same one have the same hash.
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
        // The inverse's name is left out of a relationship that is its own: so have it the stores of Photos.
        let isItsOwn = inverseRelationship === self && recipe != .firstRelease
        input.append(isItsOwn ? nil : inverseRelationship?.name)
        input.append(UInt32(truncatingIfNeeded: maxCount))
        input.append(UInt32(truncatingIfNeeded: minCount))
        if isOrdered { input.append(UInt16(1)) }
        return input.digest
    }
}

extension NSEntityDescription {
    /// The 32-byte hash that changes when the stored form of the entity or of one above it does.
    ///
    /// Linear in the properties of the entity and of those above it. Besides the assumed cases of its properties (see
    /// `NSPropertyDescription.versionHash`) two of its own are shown by no file: several uniqueness constraints (each
    /// joined by dots, in order of bytes) and a hash modifier together with constraints (the modifier first). A store
    /// whose hashes differ from a model's in such entities alone can be opened if it has the tables of the model.
    public var versionHash: Data {
        var known: [ObjectIdentifier: [UInt8]] = [:]
        return Data(lineage.reduce(nil) { $1.versionHashBytes(below: $0, known: &known) } ?? [])
    }

    /// The hash, given that of the superentity and those of properties that are known; it adds to the latter.
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
