import CoreDataRecordStores
import CoreDataSQL

/// How the entities of a model map to an open store's tables; shared by all connections, on any thread.
final class PostgresShape: @unchecked Sendable {
    let location: PostgresLocation
    let schema: PostgresSchema
    let layouts: ModelLayout
    unowned let store: any BackendDelegate
    let evaluations = EvaluationCount()
    let texts = StatementTexts()
    /// The derived attributes that saves compute; nil if there are none.
    let derivedColumns: DerivedColumns?
    let derivationPlan: DerivationPlan
    /// By the database's entity number.
    private let tables: [Int: RowTable]
    /// By the database's entity number: the selections for the entity's own rows, and for those including its
    /// descendants.
    private let selections: [Int: (own: PostgresRowSelection, family: PostgresRowSelection)]
    /// Whether the model has uniqueness constraints.
    let hasConstraints: Bool
    /// The database's entity numbers by layout number; -1 for an entity that the store does not contain.
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

    /// Returns the table for rows with an entity number; nil for an unknown number, which no row should have.
    func table(number: Int64) -> RowTable? { Int(exactly: number).flatMap { tables[$0] } }

    /// Returns the table of an entity's rows.
    ///
    /// - Throws: `NSCoreDataError` for an entity that the store does not contain.
    func table(of layout: EntityLayout) throws -> RowTable {
        guard let table = tables[entityNumber(ofLayout: layout.number)] else {
            throw CoreDataError.make(
                NSCoreDataError, "The store does not keep entity '\(layout.entity.name ?? "")'.",
                hint: "Its configuration leaves the entity out.")
        }
        return table
    }

    /// Returns the selection for rows of an entity, with its descendants as far as the store contains them.
    func selection(of mapping: EntityMapping, withDescendants: Bool) -> PostgresRowSelection {
        guard let selections = selections[mapping.number] else { return PostgresRowSelection([]) }
        return withDescendants ? selections.family : selections.own
    }

    /// Returns the database's number for an entity of the model; -1 if the store does not contain the entity.
    func entityNumber(ofLayout number: Int) -> Int {
        entityNumbers.indices.contains(number) ? entityNumbers[number] : -1
    }

    /// Returns the root entity of a hierarchy, given by layout number; nil if the store does not contain it.
    func rootMapping(_ root: Int) -> EntityMapping? {
        layouts.entities.first { $0.root == root }
            .flatMap { schema.store.entity(named: $0.entity.name ?? "") }
            .flatMap { schema.store.entity(number: $0.rootNumber) }
    }

    /// Compiles a query with `compile`.
    ///
    /// - Throws: `NSCoreDataError` naming the part of the predicate or sort descriptors that a store cannot evaluate.
    func compiled<Compiled>(_ compile: (QueryCompiler) throws -> Compiled) throws -> Compiled {
        let compiler = QueryCompiler(
            schema: schema.store, model: layouts, storeIdentifier: store.identifier,
            collations: Set(SQLFunctionLibrary.registeredCollations.map(\.name)), dialect: schema.dialect)
        return try Self.reporting { try compile(compiler) }
    }

    /// Runs a block and converts errors of queries and expressions to errors of Core Data.
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
