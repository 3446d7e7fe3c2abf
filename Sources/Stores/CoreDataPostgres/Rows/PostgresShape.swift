import CoreDataRecordStores
import CoreDataSQL

/// What an open store's tables are for the entities of a model: the same for all connections, on whichever thread.
final class PostgresShape: @unchecked Sendable {
    let location: PostgresLocation
    let schema: PostgresSchema
    let layouts: ModelLayout
    unowned let store: any BackendDelegate
    let evaluations = EvaluationCount()
    let texts = StatementTexts()
    /// The derived attributes that a save computes; nil if the model has no such attributes.
    let derivedColumns: DerivedColumns?
    let derivationPlan: DerivationPlan
    /// By the number that the database gives to an entity.
    private let tables: [Int: RowTable]
    /// What is selected of an entity's rows, and of its descendants' as well, by the number that the database gives to the entity.
    private let selections: [Int: (own: PostgresRowSelection, family: PostgresRowSelection)]
    /// Whether there are values that must be unique.
    let hasConstraints: Bool
    /// The numbers that the database gives to the entities of the model, -1 to those that it does not keep.
    private let entityNumbers: [Int]

    init(_ location: PostgresLocation, schema: PostgresSchema, layouts: ModelLayout, store: any BackendDelegate) {
        self.location = location
        self.schema = schema
        self.layouts = layouts
        self.store = store
        derivedColumns = DerivedColumns(schema: schema.store, model: layouts, dialect: schema.dialect)
        derivationPlan = DerivationPlan(model: layouts)
        entityNumbers = layouts.entities.map { schema.store.entity(named: $0.entity.name ?? "")?.number ?? -1 }
        var tables: [Int: RowTable] = [:]
        for mapping in schema.store.entities {
            guard let layout = layouts.layout(named: mapping.name) else { continue }
            tables[mapping.number] = RowTable(
                mapping: mapping, layout: layout, binding: store.binding(for: layout), schema)
        }
        self.tables = tables
        selections = Dictionary(
            uniqueKeysWithValues: schema.store.entities.map { mapping in
                let family = mapping.familyNumbers.compactMap { tables[$0] }
                return (
                    mapping.number,
                    (PostgresRowSelection([tables[mapping.number]].compactMap { $0 }), PostgresRowSelection(family))
                )
            })
        hasConstraints = layouts.entities.contains { !$0.entity.uniquenessConstraintNames.isEmpty }
    }

    /// The table for rows that bear an entity number; nil for a number that no row should bear.
    func table(number: Int64) -> RowTable? { Int(exactly: number).flatMap { tables[$0] } }

    /// The table of an entity's rows.
    ///
    /// - Throws: `NSCoreDataError` for an entity that the store does not keep.
    func table(of layout: EntityLayout) throws -> RowTable {
        guard let table = tables[entityNumber(ofLayout: layout.number)] else {
            throw CoreDataError.make(
                NSCoreDataError, "The store does not keep entity '\(layout.entity.name ?? "")'.",
                hint: "Its configuration leaves the entity out.")
        }
        return table
    }

    /// What is selected of the rows of an entity and its descendants, as far as the store keeps them.
    func selection(of mapping: EntityMapping, withDescendants: Bool) -> PostgresRowSelection {
        guard let selections = selections[mapping.number] else { return PostgresRowSelection([]) }
        return withDescendants ? selections.family : selections.own
    }

    /// The number that the database gives to an entity of the model; -1 for one that it does not keep.
    func entityNumber(ofLayout number: Int) -> Int {
        entityNumbers.indices.contains(number) ? entityNumbers[number] : -1
    }

    /// The entity at the top of a hierarchy, by the number of its layout; nil for one that the store does not keep.
    func rootMapping(_ root: Int) -> EntityMapping? {
        layouts.entities.first { $0.root == root }
            .flatMap { schema.store.entity(named: $0.entity.name ?? "") }
            .flatMap { schema.store.entity(number: $0.rootNumber) }
    }

    /// A query as SQL.
    ///
    /// - Throws: `NSCoreDataError` saying what in the predicate or sort a store cannot carry out.
    func compiled<Compiled>(_ compile: (QueryCompiler) throws -> Compiled) throws -> Compiled {
        let compiler = QueryCompiler(
            schema: schema.store, model: layouts, storeIdentifier: store.identifier,
            collations: Set(SQLFunctionLibrary.registeredCollations.map(\.name)), dialect: schema.dialect)
        return try Self.reporting { try compile(compiler) }
    }

    /// Runs what may refuse a predicate or fail to evaluate it.
    static func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as QueryError {
            throw CoreDataError.make(
                NSCoreDataError, error.description, hint: error.suggestion?.sentence,
                underlying: error)
        } catch let error as ExpressionError {
            throw QueryRefusal.make(error)
        }
    }
}
