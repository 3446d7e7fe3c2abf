import CoreDataStore

/// Builds the schema of a model: the columns of tables first, then join tables, then indexes and triggers.
///
/// Source of all rules: stores that Apple's framework wrote between 2009 and 2023.
struct SchemaBuilder {
    let numbering: EntityNumbering

    /// The mappings, by the property that declares them; a composite attribute has several.
    var attributes: [ObjectIdentifier: [AttributeMapping]] = [:]
    var toOnes: [ObjectIdentifier: ToOneMapping] = [:]
    var foreignKeys: [ObjectIdentifier: ForeignKeyMapping] = [:]
    var joins: [ObjectIdentifier: ToManyMapping.Join] = [:]
    /// The ends of many-to-many relationships after which join tables are named.
    var namesakes = Set<ObjectIdentifier>()

    /// The tables of entities, and the join tables, each after the table of the entity whose number is in its name.
    var tables: [TableDefinition] = []
    var joinTables: [JoinTable] = []
    var indexes: [IndexDefinition] = []
    var triggers: [TriggerDefinition] = []
    var spatialIndexes: [SpatialIndex] = []

    /// The to-many relationships without inverse, by destination entity.
    let inverselessToManys: [ObjectIdentifier: [NSRelationshipDescription]]

    var indexNames = Set<String>()
    var tableNames = NameAllocator(reserved: ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"])
    var joinColumnNames: [Int: NameAllocator] = [:]
    var tableNamesByRoot: [ObjectIdentifier: String] = [:]

    init(_ entities: [NSEntityDescription], recorded: [String: Int]) {
        numbering = EntityNumbering(entities, recorded: recorded)
        let lonely = numbering.entities.flatMap(\.storedRelationships).filter { relationship in
            relationship.isToMany && relationship.inverseRelationship == nil && relationship.destinationEntity != nil
        }
        inverselessToManys = Dictionary(
            grouping: lonely
        ) { $0.destinationEntity.map(ObjectIdentifier.init) ?? ObjectIdentifier($0) }
    }

    mutating func build() {
        for root in roots { tableNamesByRoot[ObjectIdentifier(root)] = tableNames.take("Z" + Self.upper(root.name)) }
        let trees = trees
        let columns = roots.map { layOutColumns(of: trees[ObjectIdentifier($0)] ?? []) }
        for (root, columns) in zip(roots, columns) {
            tables.append(TableDefinition(name: table(of: root), columns: columns))
            for entity in trees[ObjectIdentifier(root)] ?? [] { addJoinTables(numberedBy: entity) }
        }
        for root in roots { addIndexes(of: root, tree: trees[ObjectIdentifier(root)] ?? []) }
        for entity in numbering.entities { addTriggers(of: entity) }
    }

    /// The root entities, whose tables also contain the rows of their descendants.
    var roots: [NSEntityDescription] { numbering.entities.filter { numbering.root(of: $0) === $0 } }

    /// The entities of each root's table, in the order of their numbers.
    private var trees: [ObjectIdentifier: [NSEntityDescription]] {
        Dictionary(grouping: numbering.entities) { ObjectIdentifier(numbering.root(of: $0)) }
    }

    func table(of entity: NSEntityDescription) -> String {
        tableNamesByRoot[ObjectIdentifier(numbering.root(of: entity))] ?? ""
    }

    static func upper(_ name: String?) -> String { (name ?? "").uppercased() }

    /// Byte order, in which Apple's stores sort properties: `allowStories` before `allowsToBe`.
    static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}

extension NSEntityDescription {
    /// The attributes that the entity itself declares and that are stored, by name in byte order.
    var storedAttributes: [NSAttributeDescription] {
        ownProperties.compactMap { $0 as? NSAttributeDescription }.filter { !$0.isTransient }
            .sorted { SchemaBuilder.precedes($0.name, $1.name) }
    }

    /// The relationships that the entity itself declares and that are stored, by name in byte order.
    var storedRelationships: [NSRelationshipDescription] {
        ownProperties.compactMap { $0 as? NSRelationshipDescription }.filter { !$0.isTransient }
            .sorted { SchemaBuilder.precedes($0.name, $1.name) }
    }
}
