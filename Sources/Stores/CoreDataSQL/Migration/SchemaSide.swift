import CoreDataStore

/// A model with the tables that a file has for it.
package struct SchemaSide {
    package let model: NSManagedObjectModel
    package let schema: StoreSchema
    let entities: [String: NSEntityDescription]

    package init(model: NSManagedObjectModel, schema: StoreSchema) {
        self.model = model
        self.schema = schema
        entities = model.entitiesByName
    }

    func mapping(_ entity: NSEntityDescription?) -> EntityMapping? {
        entity?.name.flatMap(schema.entity(named:))
    }

    /// The entities below an entity, itself included, that the store keeps.
    func family(of mapping: EntityMapping) -> [EntityMapping] {
        mapping.familyNumbers.compactMap(schema.entity(number:))
    }
}

/// An entity that both models have, with former rows that remain.
struct EntityPair {
    let old: NSEntityDescription
    let new: NSEntityDescription
    let before: EntityMapping
    let after: EntityMapping
    /// The properties of before, by the names of those that they have become.
    let origins: [String: NSPropertyDescription]
}

/// Which entities and properties of one model are which of another, as far as a store keeps them.
struct StoredCorrespondence {
    let old: SchemaSide
    let new: SchemaSide
    let dialect: any MigrationDialect
    /// By the name of the new entity; abstract entities are among them, whose properties others inherit.
    private let pairsByName: [String: EntityPair]
    /// The entities whose rows remain, in the order of their former numbers.
    let kept: [EntityPair]
    /// The numbers of the remaining entities, by their former numbers.
    let numbers: [Int: Int]
    /// The entities of before whose rows are dropped, in the order of their numbers.
    let dropped: [EntityMapping]

    init(old: SchemaSide, new: SchemaSide, _ dialect: any MigrationDialect) {
        self.old = old
        self.new = new
        self.dialect = dialect
        let matching = ModelMatching(old.model, new.model)
        let pairs = matching.entities.compactMap { pair -> EntityPair? in
            guard let before = old.mapping(pair.old), let after = new.mapping(pair.new) else { return nil }
            let properties = ModelMatching.properties(pair.old, pair.new)
            return EntityPair(
                old: pair.old, new: pair.new, before: before, after: after,
                origins: Dictionary(properties.map { ($0.new.name, $0.old) }, uniquingKeysWith: { first, _ in first }))
        }
        pairsByName = Dictionary(pairs.map { ($0.after.name, $0) }, uniquingKeysWith: { first, _ in first })
        kept = pairs.filter { !$0.before.isAbstract && !$0.after.isAbstract }
            .sorted { $0.before.number < $1.before.number }
        numbers = Dictionary(
            kept.map { ($0.before.number, $0.after.number) }, uniquingKeysWith: { first, _ in first })
        let numbers = numbers
        dropped = old.schema.entities.filter { !$0.isAbstract && numbers[$0.number] == nil }
    }

    /// Whether the entity number of any remaining row changes.
    var movesNumbers: Bool { numbers.contains { $0 != $1 } }

    /// The pairs of a new entity and of those below it, that have something of before.
    func pairs(of entity: NSEntityDescription) -> [EntityPair] {
        var pairs: [EntityPair] = []
        var seen = Set<ObjectIdentifier>()
        var open = [entity]
        while let next = open.popLast() {
            guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
            if let pair = next.name.flatMap({ pairsByName[$0] }) { pairs.append(pair) }
            open += next.subentities
        }
        return pairs.sorted { $0.before.number < $1.before.number }
    }

    /// The pairs whose rows come to a table.
    func kept(in table: String) -> [EntityPair] { kept.filter { $0.after.table == table } }
}
