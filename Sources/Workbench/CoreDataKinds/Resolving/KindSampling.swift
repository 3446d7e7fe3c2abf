import CoreData

extension NSManagedObjectContext {
    /// The kinds of an entity's attributes, guessed by the first objects that the store has.
    ///
    /// - Throws: Errors of the store.
    package func kinds(
        of entity: NSEntityDescription, in store: NSPersistentStore, choices: [String: String] = [:]
    ) throws -> EntityKinds {
        let attributes = KeyedAttribute.all(of: entity)
        let (light, heavy) = (
            attributes.filter { KindSampling.isLight($0) }.map(\.key),
            attributes.filter { KindSampling.isWorthBytes($0) }.map(\.key)
        )
        let samples = try KindSampling.values(light, of: entity, KindSampling.count, in: store, self)
            .merging(KindSampling.values(heavy, of: entity, KindSampling.heavyCount, in: store, self)) { first, _ in
                first
            }
        return EntityKinds(entity, EntitySamples(entity, samples), choices: choices)
    }
}

extension OpenStore {
    /// The kinds of an entity's attributes.
    ///
    /// - Throws: `InspectionError` if the store cannot be read.
    package func kinds(of entity: NSEntityDescription) throws -> EntityKinds {
        try context.performAndWait { try namingFile { try context.kinds(of: entity, in: store) } }
    }
}

private enum KindSampling {
    /// How many objects are looked at; of attributes whose values may be large, fewer.
    static let (count, heavyCount) = (200, 5)

    /// Values of these types are small, but for texts, which are read anyway to be shown.
    static func isLight(_ attribute: KeyedAttribute) -> Bool {
        ![.binary, .transformable, .composite, .undefined, .objectID].contains(AttributeKind(attribute.description))
    }

    /// Whether a kind guesses by the attribute's data.
    static func isWorthBytes(_ attribute: KeyedAttribute) -> Bool {
        let kind = AttributeKind(attribute.description)
        guard kind == .binary || kind == .transformable, !attribute.key.contains(".") else { return false }
        return KindRegistry.all.contains { $0.types.contains(kind) && $0.guessesByData(of: attribute) }
    }

    /// The values of a use in the first object that has one; nil without such an object.
    static func first(
        _ use: KindUse, of entity: NSEntityDescription, in store: NSPersistentStore, _ context: NSManagedObjectContext
    ) throws -> KindValues? {
        let request = request(use.keys, of: entity, 1, in: store)
        request.predicate = NSPredicate(format: "%K != nil", use.key)
        return try context.fetch(request).first.map { row in
            KindValues(
                Dictionary(
                    uniqueKeysWithValues: use.keys.compactMap { key in
                        row[key].flatMap { $0 is NSNull ? nil : (key, $0) }
                    }))
        }
    }

    private static func request(
        _ keys: [String], of entity: NSEntityDescription, _ limit: Int, in store: NSPersistentStore
    ) -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: entity.name ?? "")
        request.affectedStores = [store]
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = keys
        request.fetchLimit = limit
        return request
    }

    static func values(
        _ keys: [String], of entity: NSEntityDescription, _ limit: Int, in store: NSPersistentStore,
        _ context: NSManagedObjectContext
    ) throws -> [String: [Any]] {
        guard !keys.isEmpty else { return [:] }
        let request = request(keys, of: entity, limit, in: store)
        var values: [String: [Any]] = [:]
        for row in try context.fetch(request) {
            for key in keys {
                guard let value = row[key], !(value is NSNull), value as? String != "" else { continue }
                values[key, default: []].append(value)
            }
        }
        return values
    }
}

extension OpenStore {
    /// What the first values of an entity's attributes with kinds say, by their keys.
    ///
    /// - Throws: `InspectionError` if the store cannot be read.
    package func examples(of kinds: EntityKinds, _ entity: NSEntityDescription) throws -> [String: KindReading] {
        try context.performAndWait {
            try namingFile {
                var found: [String: KindReading] = [:]
                for use in kinds.uses {
                    let first = try KindSampling.first(use, of: entity, in: store, context)
                    found[use.key] = first.flatMap { values in KindRegistry.kind(use.kind)?.reading(values, use) }
                }
                return found
            }
        }
    }
}
