import CoreDataStore

/// How a model is laid out in tables: Apple's schema, as a plain value.
///
/// Invariants:
/// 1. `entities` is in the ascending order of distinct numbers, from 1 without gaps unless a store recorded others.
/// 2. Every table, column and index that a mapping names is in `tables` and `indexes`.
package struct StoreSchema: Sendable, Equatable {
    /// The entities in the order of their numbers.
    package internal(set) var entities: [EntityMapping]
    /// Entities' tables in the order of their numbers, each followed by the join tables numbered by its entities.
    package internal(set) var tables: [TableDefinition]
    package internal(set) var joinTables: [JoinTable]
    package internal(set) var indexes: [IndexDefinition]
    package internal(set) var triggers: [TriggerDefinition]
    package internal(set) var spatialIndexes: [SpatialIndex]
    private let indexesByName: [String: Int]
    private let indexesByNumber: [Int: Int]

    /// Lays out the entities of a configuration, or of the complete model for nil or an unknown name.
    ///
    /// Relationships to entities outside the configuration are left out: they cannot be stored.
    /// Proportional to the properties of all entities.
    ///
    /// `recordedNumbers` are the names and numbers in an existing store's `Z_PRIMARYKEY`; they hold if each entity has one.
    package init(model: NSManagedObjectModel, configuration: String? = nil, recordedNumbers: [String: Int] = [:]) {
        let listed = model.entities(forConfigurationName: configuration) ?? model.entities
        var builder = SchemaBuilder(listed, recorded: recordedNumbers)
        builder.build()
        entities = builder.numbering.entities.map(builder.mapping)
        tables = builder.tables
        joinTables = builder.joinTables
        indexes = builder.indexes
        triggers = builder.triggers
        spatialIndexes = builder.spatialIndexes
        indexesByName = Dictionary(
            entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        indexesByNumber = Dictionary(
            entities.enumerated().map { ($1.number, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The mapping of the entity with this number; nil for a number that a row should not hold.
    package func entity(number: Int) -> EntityMapping? {
        indexesByNumber[number].map { entities[$0] }
    }

    package func entity(named name: String) -> EntityMapping? {
        indexesByName[name].map { entities[$0] }
    }

    /// Those of a database's triggers, by the statements that created them, that this schema would not have made.
    ///
    /// A trigger of an untrusted file may do anything when a row is written, so only the known ones are let run.
    package func unknownTriggers(among statements: [String]) -> [String] {
        let known = Set(triggers.map(\.sql))
        // Those of a tree write to its table: only where that is the tree indeed.
        let ofTrees = spatialIndexes.filter(\.hasTree).flatMap(\.triggerStatements)
        return statements.filter { statement in
            !known.contains(statement) && !ofTrees.contains { SpatialIndex.areAlike($0, statement) }
        }
    }
}
