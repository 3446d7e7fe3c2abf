import CoreDataFoundation
import Synchronization

extension NSManagedObjectModel {
    /// The version hash of every entity, by the entity's name.
    ///
    /// Takes time linear in the size of the model: the hash of an entity is computed once and used for its subentities.
    public var entityVersionHashesByName: [String: Data] {
        guard isFrozen else { return versionHashes(.current) }
        if let known = frozenVersionHashes.withLock({ $0 }) { return known }
        let hashes = versionHashes(.current)
        frozenVersionHashes.withLock { $0 = hashes }
        return hashes
    }

    /// The version hashes of all entities by a recipe, by entity name.
    func versionHashes(_ recipe: VersionHashRecipe) -> [String: Data] {
        var hashes: [ObjectIdentifier: [UInt8]] = [:]
        var properties: [ObjectIdentifier: [UInt8]] = [:]
        var byName: [String: Data] = [:]
        for entity in Self.numbered(entities) {
            let parent = entity.superentity.map { hashes[ObjectIdentifier($0)] ?? [UInt8]($0.versionHash) }
            let hash = entity.versionHashBytes(below: parent, known: &properties, recipe)
            hashes[ObjectIdentifier(entity)] = hash
            if let name = entity.name { byName[name] = Data(hash) }
        }
        return byName
    }

    /// A text of 44 characters that identifies the version of the model: Base64 of the SHA-256 digest of all entities'
    /// hashes.
    ///
    /// Stores contain it as `NSStoreModelVersionChecksumKey`, compiled models in their `VersionInfo.plist`.
    public var versionChecksum: String {
        Data(SHA2.sha256(hashesInOrder.flatMap { [UInt8]($0.hash) })).base64EncodedString()
    }

    /// Base64 of the SHA-512 digest of the entities' names and hashes, in metadata of stores
    /// `NSStoreModelVersionHashesDigest`.
    package var versionHashesDigest: String {
        Data(SHA2.sha512(hashesInOrder.flatMap { Array($0.name.utf8) + [UInt8]($0.hash) })).base64EncodedString()
    }

    private var hashesInOrder: [(name: String, hash: Data)] {
        entityVersionHashesByName.sorted { $0.key.precedesInBytes($1.key) }.map { (name: $0.key, hash: $0.value) }
    }

    /// Whether a store with the given metadata can be opened with a configuration of the model (nil: with all of it).
    ///
    /// True if the store's version hashes are those of the configuration's entities. False for metadata without version
    /// hashes and for an unknown configuration. If only entities with assumed recipes differ (see
    /// `NSEntityDescription.versionHash`), the result is true: opening the store also compares its tables.
    public func isConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool {
        guard entities(forConfigurationName: configuration) != nil,
            let stored = metadata["NSStoreModelVersionHashes"] as? [String: Data]
        else { return false }
        return agreement(with: stored, configuration: configuration).differing.isEmpty
    }

    /// Like `isConfiguration`, but if the hashes do not decide, compares with the model in the store, as opening does.
    ///
    /// Hashes do not decide for assumed recipes and for derived attributes, whose names are not hashed.
    package func isVersion(
        ofStoreWith metadata: [String: Any], _ configuration: String?, keptModel: () -> NSManagedObjectModel?
    ) -> Bool {
        guard isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata) else { return false }
        let stored = metadata["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
        let agreement = agreement(with: stored, configuration: configuration)
        let open = entitiesLeftOpen(by: agreement, configuration: configuration)
        guard !open.isEmpty, let kept = keptModel() else { return true }
        return entities(open, definedOtherwiseIn: kept).isEmpty
    }

    /// The entities whose hashes in a store differ from those of a configuration of the model, sorted by name.
    package func entitiesDiffering(
        from stored: [String: Data], configuration: String? = nil
    ) -> [(entity: String, difference: VersionDifference)] {
        let names = Set((entities(forConfigurationName: configuration) ?? []).compactMap(\.name))
        let own = entityVersionHashesByName.filter { names.contains($0.key) }
        return Set(own.keys).union(stored.keys).sorted().compactMap { name in
            switch (own[name], stored[name]) {
            case (nil, _): (name, .missingInModel)
            case (_, nil): (name, .missingInStore)
            case (let mine, let theirs): mine == theirs ? nil : (name, .changed)
            }
        }
    }
}

/// How an entity differs between a model and a store.
package enum VersionDifference: Hashable, Sendable {
    case changed
    case missingInStore
    case missingInModel
}
