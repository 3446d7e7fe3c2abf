import CoreDataStore

/// A model with the schema that a file has for it.
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

    /// Returns the entity and its subentities, as far as the store has them.
    func family(of mapping: EntityMapping) -> [EntityMapping] {
        mapping.familyNumbers.compactMap(schema.entity(number:))
    }
}

/// An entity that both models have, so that its rows can be kept.
struct EntityPair {
    let old: NSEntityDescription
    let new: NSEntityDescription
    let before: EntityMapping
    let after: EntityMapping
    /// The old properties, by the names of their new counterparts.
    let origins: [String: NSPropertyDescription]
}

/// Which stored entities and properties of the old model correspond to which of the new model.
struct StoredCorrespondence {
    let old: SchemaSide
    let new: SchemaSide
    let dialect: any MigrationDialect
    /// By the name of the new entity; includes abstract entities, whose properties subentities inherit.
    private let pairsByName: [String: EntityPair]
    /// The entities whose rows are kept, in the order of their old numbers.
    let kept: [EntityPair]
    /// The new numbers of the kept entities, by their old numbers.
    let numbers: [Int: Int]
    /// The old entities whose rows are dropped, in the order of their numbers.
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

    /// Whether the entity number of any kept row changes.
    var movesNumbers: Bool { numbers.contains { $0 != $1 } }

    /// Returns the pairs of a new entity and its subentities; entities without an old counterpart have none.
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

    /// Returns the pairs whose rows move into a table of the new schema.
    func kept(in table: String) -> [EntityPair] { kept.filter { $0.after.table == table } }
}
