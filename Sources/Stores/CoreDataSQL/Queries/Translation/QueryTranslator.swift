import CoreDataStore

/// Translates the predicate and the sort descriptors of one query to an SQL tree.
///
/// Invariants:
/// 1. `sources[0]` is the table of the query's entity, with alias 0; each other source belongs to a sub-query.
/// 2. Each key column is joined only once, so that predicate and sort descriptors share the join.
/// 3. The joins of a source are complete when its sub-query has been translated completely.
struct QueryTranslator {
    let schema: StoreSchema
    let model: ModelLayout
    let storeIdentifier: String
    let collations: Set<String>
    private let tablesWithUnknownEntities: Set<String>
    /// The precision of columns of decimals: all digits, or those of a real number.
    let decimals: NumberKind
    let root: Record
    private(set) var sources: [SQLSource]
    private var nextAlias = 1
    private var joins: [SQLColumn: Int] = [:]
    private let search: SearchCatalog
    /// The columns of this query whose texts are in a search index, with the index's number.
    var searchable: [SQLColumn: Int] = [:]
    /// The columns of this query that are dimensions of an R-tree.
    private(set) var coordinates: [SQLCoordinates] = []
    /// The records that the variables of sub-queries stand for.
    var variables: [String: Record] = [:]
    /// The operands that the variables of a grouped query stand for.
    var values: [String: Operand] = [:]

    init(
        schema: StoreSchema, model: ModelLayout, storeIdentifier: String, collations: Set<String>,
        tablesWithUnknownEntities: Set<String>, search: SearchCatalog, entity: EntityMapping,
        decimals: NumberKind = .decimal
    ) {
        self.schema = schema
        self.model = model
        self.storeIdentifier = storeIdentifier
        self.collations = collations
        self.tablesWithUnknownEntities = tablesWithUnknownEntities
        self.search = search
        self.decimals = decimals
        sources = [SQLSource(alias: 0, table: .named(entity.table))]
        root = Record(key: SQLColumn(0, "Z_PK"), entity: entity, source: 0)
    }

    /// Begins the FROM clause of a sub-query.
    mutating func open(_ table: SQLSource.Table) -> (source: Int, alias: Int) {
        let alias = nextAlias
        nextAlias += 1
        sources.append(SQLSource(alias: alias, table: table))
        return (sources.count - 1, alias)
    }

    /// Returns the alias of the table with a record's row; adds a join if only the row's key is available.
    mutating func alias(of record: Record) throws -> Int {
        if record.isOwnRow { return record.key.alias }
        if let known = joins[record.key] { return known }
        guard sources[record.source].joins.count < SQLSource.greatestTableCount - 1 else {
            throw QueryError(.tooLarge, "the query leads through more than \(SQLSource.greatestTableCount) tables")
        }
        let alias = nextAlias
        nextAlias += 1
        sources[record.source].joins.append(.init(alias: alias, table: record.entity.table, key: record.key))
        joins[record.key] = alias
        return alias
    }

    /// Records that an index has the texts or coordinates of a column, if one does.
    mutating func noteSearchable(_ column: SQLColumn, of record: Record) {
        let table = record.entity.table
        if !search.columns.isEmpty, let index = search.columns[SearchColumn(table: table, column: column.name)] {
            searchable[column] = index
        }
        for (index, pair) in search.pairs.enumerated() where pair.x == column.name && pair.table == table {
            note(SQLCoordinates(tree: .search(index), columns: [column, SQLColumn(column.alias, pair.y)]))
        }
        for tree in schema.spatialIndexes
        where tree.isKept && tree.table == table && tree.columns.contains(column.name) {
            note(
                SQLCoordinates(
                    tree: .fetchIndex(name: tree.name, columns: tree.columns),
                    columns: tree.columns.map { SQLColumn(column.alias, $0) }))
        }
    }

    private mutating func note(_ found: SQLCoordinates) {
        if !coordinates.contains(found) { coordinates.append(found) }
    }

    /// Returns the entity with a number of the schema.
    func entity(_ number: Int) throws -> EntityMapping {
        guard let entity = schema.entity(number: number) else {
            throw QueryError(.unknownEntity, "the store has no entity with the number \(number)")
        }
        return entity
    }

    /// Returns the condition that rows belong to the query's entity; always true if its table contains no others. If
    /// the table is known to contain rows of unknown or abstract entities, the condition excludes them.
    func entityCondition(includesSubentities: Bool) -> SQLExpression {
        let entity = root.entity
        let numbers = includesSubentities ? entity.familyNumbers : [entity.number]
        if tablesWithUnknownEntities.contains(entity.table) {
            let numbers = numbers.filter { schema.entity(number: $0)?.isAbstract == false }
            return self.isEntity(.column(SQLColumn(0, "Z_ENT")), oneOf: numbers)
        }
        if entity.number == entity.rootNumber, numbers == entity.familyNumbers { return .truth(true) }
        return self.isEntity(.column(SQLColumn(0, "Z_ENT")), oneOf: numbers)
    }

    func isEntity(_ column: SQLExpression, oneOf numbers: [Int]) -> SQLExpression {
        guard !numbers.isEmpty else { return .truth(false) }
        guard numbers.count != 1 else { return .comparison(.equal, column, .number(numbers[0])) }
        return .among(column, numbers.map { .integer(Int64($0)) })
    }
}
