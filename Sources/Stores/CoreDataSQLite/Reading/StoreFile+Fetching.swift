import CoreDataSQL
import SQLiteKit

extension StoreFile: RowFetching {
    package var interruption: (@Sendable () -> Void)? {
        let interrupter = connection.interrupter
        return { interrupter.interrupt() }
    }

    package func fetch(_ query: FetchQuery) throws -> FetchedRows {
        let mapping = try mapping(of: query.binding.layout)
        let plans = plans(of: mapping, withDescendants: query.includesSubentities)
        guard query.includesValues else { return .addresses(try addresses(query, mapping)) }
        let selection = SQLiteRowSelection(plans)
        return try answering(
            "be read", by: { try $0.select(query, columns: selection.columns) },
            { compiled in
                let statement = try prepare(compiled)
                var reader = SQLiteRowReader(
                    file: self, selection: selection, expectedCount: query.limit > 0 ? query.limit : 64)
                return .rows(try reader.read(statement))
            }, isComplete: { $0.count >= query.limit })
    }

    package func count(_ query: FetchQuery) throws -> Int {
        _ = try mapping(of: query.binding.layout)
        return try answering(
            "be counted", by: { try $0.count(query) },
            { compiled in
                let statement = try prepare(compiled)
                return try statement.step() ? Int(statement.int64(0)) : 0
            })
    }

    private func addresses(_ query: FetchQuery, _ mapping: EntityMapping) throws -> AddressList {
        let family = query.includesSubentities ? mapping.familyNumbers : [mapping.number]
        return try answering(
            "be read", by: { try $0.select(query, columns: ["Z_PK", "Z_ENT"]) },
            { compiled in
                try addresses(of: try prepare(compiled), family: family)
            }, isComplete: { $0.count >= query.limit })
    }

    /// Compiles and runs a query: with the search index if it helps and is up to date, otherwise without.
    ///
    /// `isComplete` returns whether a result is complete although only the best hits of the index were read.
    private func answering<Result>(
        _ action: String, by compile: (QueryCompiler) throws -> CompiledQuery,
        _ body: (CompiledQuery) throws -> Result, isComplete: (Result) -> Bool = { _ in true }
    ) throws -> Result {
        let query = try compiled(searching: search?.catalog ?? SearchCatalog(), compile)
        guard let search, query.usesSearchIndex else { return try reporting(action) { try body(query) } }
        var fault: SearchReader.Fault?
        do {
            let answer = try reporting(action) {
                try search.inStep(connection) {
                    let answer = try body(query)
                    guard query.isOfBestHits, !isComplete(answer) else { return answer }
                    return try body(
                        try compiled(searching: search.catalog) { compiler in
                            var compiler = compiler
                            compiler.looksAtBestHits = false
                            return try compile(compiler)
                        })
                }
            }
            if let answer { return answer }
        } catch let error as SearchReader.Fault {
            fault = error
        }
        let plain = try compiled(compile)
        let answer = try reporting(action) { try body(plain) }
        if let fault { search.turnOff(after: fault) }
        return answer
    }

    /// Returns the addresses of a statement's rows, from key and entity number in its first two columns; rows whose
    /// entity is not in the family are reported and skipped.
    ///
    /// Calls `visit` for each row in the result.
    func addresses(
        of statement: Statement, family: [Int], visit: () -> Void = {}
    ) throws -> AddressList {
        let family = Set(family.map(Int64.init))
        var addresses = AddressList()
        // Rows of one entity are mostly consecutive.
        var last: (entity: Int64, number: Int)?
        var count = 0
        var allowed = 10_000
        while try statement.step() {
            count += 1
            if count > allowed { try checkCount(count, allowed: &allowed) }
            let entity = statement.int64(1)
            if last?.entity != entity {
                guard let binding = self.binding(entity, in: family) else {
                    noteUnknownEntity(
                        key: statement.int64(0), entity: entity,
                        passedOverIn: family.first.flatMap(plan(number:))?.mapping.table)
                    continue
                }
                if !family.contains(entity) {
                    noteUnknownEntity(
                        key: statement.int64(0), entity: entity, readAs: plan(number: family.first ?? -1)?.mapping.name)
                }
                last = (entity, addresses.number(of: binding))
            }
            addresses.append(statement.int64(0), numbered: last?.number ?? 0)
            visit()
        }
        return addresses
    }

    /// Returns the entity with a row's number; nil for a number outside the family, and for an abstract entity.
    private func binding(_ number: Int64, in family: Set<Int64>) -> EntityBinding? {
        guard family.contains(number) else {
            guard let plan = family.first.flatMap(plan(number:)), plan.mapping.isAloneInTable else { return nil }
            return plan.binding
        }
        guard let plan = plan(number: number), !plan.mapping.isAbstract else { return nil }
        return plan.binding
    }

    /// Runs a closure with a query compiler for the file, and converts the errors of queries that it throws.
    ///
    /// - Throws: `NSCoreDataError` naming the part of the predicate or sort descriptors that the store cannot evaluate.
    func compiled<Compiled>(
        searching catalog: SearchCatalog = SearchCatalog(), _ compile: (QueryCompiler) throws -> Compiled
    ) throws -> Compiled {
        let compiler = QueryCompiler(
            schema: schema, model: layouts, storeIdentifier: store.identifier, collations: try teachComparisons(),
            tablesWithUnknownEntities: shape.findings.unknownEntityTables, search: catalog)
        do {
            return try compile(compiler)
        } catch let error as QueryError {
            throw CoreDataError.make(
                NSCoreDataError, error.description, hint: error.suggestion?.sentence,
                underlying: error)
        } catch let error as ExpressionError {
            throw QueryRefusal.make(error)
        }
    }

    func prepare(_ query: CompiledQuery) throws -> Statement {
        try prepare(query, as: query.sql)
    }

    /// Prepares a statement that contains a query's text, and binds the query's values.
    func prepare(_ query: CompiledQuery, as sql: String) throws -> Statement {
        let statement = try connection.prepare(sql)
        for (index, parameter) in query.parameters.enumerated() {
            try statement.bind(QueryFunctions.value(parameter), at: index + 1)
        }
        return statement
    }
}
