import CoreDataStore

/// The tables of a model's store, as in Apple's stores: a value type.
///
/// Invariants:
/// 1. `entities` is in ascending order of distinct numbers, from 1 without gaps unless a store has recorded others.
/// 2. `tables` and `indexes` contain every table, column and index that a mapping names.
package struct StoreSchema: Sendable, Equatable {
    /// The entities in the order of their numbers.
    package internal(set) var entities: [EntityMapping]
    /// The entities' tables by number, each followed by the join tables with the numbers of its entities.
    package internal(set) var tables: [TableDefinition]
    package internal(set) var joinTables: [JoinTable]
    package internal(set) var indexes: [IndexDefinition]
    package internal(set) var triggers: [TriggerDefinition]
    package internal(set) var spatialIndexes: [SpatialIndex]
    private let indexesByName: [String: Int]
    private let indexesByNumber: [Int: Int]

    /// Builds the schema for the entities of a configuration, or for the complete model if the name is nil or unknown.
    ///
    /// Relationships to entities outside the configuration are left out, as they cannot be stored. The running time is
    /// proportional to the number of properties of all entities.
    ///
    /// `recordedNumbers` are names and numbers from an existing store's `Z_PRIMARYKEY`; they are used if every entity
    /// has one.
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

    /// Returns the mapping of the entity with this number; nil for an unknown number, which no row should have.
    package func entity(number: Int) -> EntityMapping? {
        indexesByNumber[number].map { entities[$0] }
    }

    package func entity(named name: String) -> EntityMapping? {
        indexesByName[name].map { entities[$0] }
    }

    /// Returns those of a database's triggers, given as the SQL that created them, that this schema would not create.
    ///
    /// A trigger of an untrusted file may do anything when a row is written, so only known triggers may run.
    package func unknownTriggers(among statements: [String]) -> [String] {
        let known = Set(triggers.map(\.sql))
        // The triggers of an R-tree write to its table, so they are trusted only if that table is the R-tree.
        let ofTrees = spatialIndexes.filter(\.hasTree).flatMap(\.triggerStatements)
        return statements.filter { statement in
            !known.contains(statement) && !ofTrees.contains { SpatialIndex.areAlike($0, statement) }
        }
    }
}
