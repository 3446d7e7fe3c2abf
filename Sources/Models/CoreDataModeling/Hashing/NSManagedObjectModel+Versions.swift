import CoreDataFoundation

extension NSManagedObjectModel {
    /// The version hash of every entity, by the entity's name.
    ///
    /// Linear in the size of the model: an entity's hash is computed once and used for those below it.
    public var entityVersionHashesByName: [String: Data] { versionHashes(.current) }

    /// The hashes of all entities, by name, by some recipe.
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

    /// A text of 44 characters that identifies the version of the model: base64 of one SHA-256 over the entities' hashes.
    ///
    /// Stores carry it as `NSStoreModelVersionChecksumKey`, compiled models in their `VersionInfo.plist`.
    public var versionChecksum: String {
        Data(SHA2.sha256(hashesInOrder.flatMap { [UInt8]($0.hash) })).base64EncodedString()
    }

    /// Base64 of a SHA-512 over the entities' names and hashes, which stores carry as `NSStoreModelVersionHashesDigest`.
    package var versionHashesDigest: String {
        Data(SHA2.sha512(hashesInOrder.flatMap { Array($0.name.utf8) + [UInt8]($0.hash) })).base64EncodedString()
    }

    private var hashesInOrder: [(name: String, hash: Data)] {
        entityVersionHashesByName.sorted { $0.key.precedesInBytes($1.key) }.map { (name: $0.key, hash: $0.value) }
    }

    /// Whether a store with the given metadata can be opened with a configuration of the model (nil: with all of it).
    ///
    /// True if the store's version hashes are those of the configuration's entities. False for metadata without
    /// version hashes and for an unknown configuration. Where no other entity differs, one whose hash rests on an assumed
    /// recipe (see `NSEntityDescription.versionHash`) does not count: opening the store looks at its tables as well.
    public func isConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool {
        guard entities(forConfigurationName: configuration) != nil,
            let stored = metadata["NSStoreModelVersionHashes"] as? [String: Data]
        else { return false }
        return agreement(with: stored, configuration: configuration).differing.isEmpty
    }

    /// The same, where the hashes leave it open, by the model that the store keeps of itself, as opening does.
    ///
    /// They leave it open where they rest on an assumed recipe, and for derived attributes, whose names they leave out.
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

    /// The entities, by name in order, whose hashes in a store differ from those of a configuration of the model.
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

/// How an entity of a model and of a store differ.
package enum VersionDifference: Hashable, Sendable {
    case changed
    case missingInStore
    case missingInModel
}
