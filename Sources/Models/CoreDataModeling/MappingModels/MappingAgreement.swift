import CoreDataFoundation

/// Tests whether a mapping model fits two models.
struct MappingAgreement {
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel

    /// The entities for which a mapping model does not fit the models; empty if it fits.
    ///
    /// Entities with assumed hashes (`hasAssumedHash`) are ignored if no others differ.
    func differing(_ mappings: [NSEntityMapping]) -> [String] {
        Self.differing(mappings.map { ($0.sourceEntityName, $0.sourceEntityVersionHash) }, in: source)
            + Self.differing(
                mappings.map { ($0.destinationEntityName, $0.destinationEntityVersionHash) }, in: destination)
    }

    private static func differing(_ sides: [(name: String?, hash: Data?)], in model: NSManagedObjectModel) -> [String] {
        let own = model.entityVersionHashesByName
        var stored = own
        for (name, hash) in sides {
            guard let name else { continue }
            guard own[name] != nil else { return [name] }
            if let hash { stored[name] = hash }
        }
        return model.agreement(with: stored).differing.map(\.entity)
    }

    /// Whether each mapped entity has the same property names in the models and in the copies of them in a mapping's
    /// source.
    ///
    /// The editor's copies may be older than the models and lack settings, so their hashes may differ.
    func resembles(_ mapping: MappingSource, beside file: URL) -> Bool {
        Self.resembles(
            mapping.entities.compactMap(\.sourceName), copy: mapping.sourceModel.read(beside: file), model: source)
            && Self.resembles(
                mapping.entities.compactMap(\.destinationName), copy: mapping.destinationModel.read(beside: file),
                model: destination
            )
    }

    private static func resembles(
        _ names: [String], copy: NSManagedObjectModel?, model: NSManagedObjectModel
    ) -> Bool {
        guard let copy else { return false }
        return names.allSatisfy { name in
            guard let one = copy.entitiesByName[name], let other = model.entitiesByName[name] else { return false }
            return Set(one.propertiesByName.keys) == Set(other.propertiesByName.keys)
        }
    }
}
