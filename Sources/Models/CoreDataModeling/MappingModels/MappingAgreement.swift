import CoreDataFoundation

/// Whether a mapping model is for two models.
struct MappingAgreement {
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel

    /// The entities that keep a mapping model from being used with the models; none if it is for them.
    ///
    /// A hash that differs and rests on an assumed recipe does not count where no other differs.
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

    /// Whether the models say of each mapped entity what the copies in a mapping's source say: the same names of properties.
    ///
    /// The editor's copies lag behind the models and lack what their form cannot say, so their hashes may differ.
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
