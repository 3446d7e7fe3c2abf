import CoreDataStore

/// Turns the predicate and the sort descriptors of one query into a tree of SQL.
///
/// Invariants:
/// 1. `sources[0]` is the table of the query's entity with alias 0; every other one is that of a sub-query.
/// 2. A join is made once for each key column, so that predicate and sort descriptors share it.
/// 3. A source's joins are complete once its sub-query has been translated completely.
struct QueryTranslator {
    let schema: StoreSchema
    let model: ModelLayout
    let storeIdentifier: String
    let collations: Set<String>
    private let tablesWithUnknownEntities: Set<String>
    /// What columns of decimals hold: all digits, or those of a real number.
    let decimals: NumberKind
    let root: Record
    private(set) var sources: [SQLSource]
    private var nextAlias = 1
    private var joins: [SQLColumn: Int] = [:]
    private let search: SearchCatalog
    /// The columns of this query whose texts an index has, with its number.
    var searchable: [SQLColumn: Int] = [:]
    /// The numbers of this query's tables that an R-tree has.
    private(set) var coordinates: [SQLCoordinates] = []
    /// Records that stand for the variables of sub-queries.
    var variables: [String: Record] = [:]
    /// What the variables of a grouped query stand for.
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

    /// Opens the FROM of a sub-query.
    mutating func open(_ table: SQLSource.Table) -> (source: Int, alias: Int) {
        let alias = nextAlias
        nextAlias += 1
        sources.append(SQLSource(alias: alias, table: table))
        return (sources.count - 1, alias)
    }

    /// The alias of the table that has a record's row; joins it where only its key is at hand.
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

    /// Remembers that an index has the texts or the coordinates of a column, if it does.
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

    /// The entity with a number of the schema.
    func entity(_ number: Int) throws -> EntityMapping {
        guard let entity = schema.entity(number: number) else {
            throw QueryError(.unknownEntity, "the store has no entity with the number \(number)")
        }
        return entity
    }

    /// The condition that singles out the rows of the query's entity; none where the table holds no others. Rows that
    /// no object can be of are left out where the table is known to have some.
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
