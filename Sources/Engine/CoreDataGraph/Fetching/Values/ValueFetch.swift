import CSwiftRuntime
import CoreDataStore

extension FetchExecution {
    /// The dictionaries that the request finds, with the values of the stores; makes no objects.
    ///
    /// - Throws: `NSCoreDataError` for a request that cannot be executed, and the error of a store that cannot be read.
    func dictionaries() throws -> [NSDictionary] {
        let start = coredata_instruments_start()
        let line = DictionaryLine(try ValueRequest(request: request, layout: layout).names())
        try QueryRefusal.reporting { try values { line.append($0) } }
        let found = line.finish()
        record("dictionaries", rows: found.count, since: start)
        return found
    }

    /// The number of dictionaries that the request finds.
    func dictionaryCount() throws -> Int {
        var count = 0
        try values { count += $0.count }
        return count
    }

    /// Calls a block with the values of the dictionaries, in one table or several.
    private func values(_ body: (ValueTable) -> Void) throws {
        if let parent = context.parent {
            let copy = UntypedFetchRequest()
            request.copyValues(to: copy)
            let tables = try context.ask(parent) {
                var tables: [ValueTable] = []
                try FetchExecution(copy, in: parent).values { tables.append($0) }
                return tables
            }
            for table in tables { body(table) }
            return
        }
        let dataSource = context.storeDataSource
        let wanted = ValueRequest(self)
        let answerers = try dataSource.stores(of: self).map { store in
            (
                query: try wanted.query(store.binding(for: layout)),
                source: try dataSource.source(of: store, for: request)
            )
        }
        guard answerers.count != 1 else {
            return try values(answerers[0].query, source: answerers[0].source, body: body)
        }
        let query =
            try answerers.first?.query ?? wanted.query(EntityBinding(layout: layout, store: nil, storeNumber: 0))
        let several = ValuesOfSeveralStores(query: query)
        body(
            try several.table(
                try answerers.map { answerer in
                    let part = several.part(for: answerer.query)
                    let table = ValueTable(width: part.columns.count)
                    try values(part, source: answerer.source) { table.append($0) }
                    return table
                }))
    }

    private func values(
        _ query: ValueQuery, source: any RowSource, body: (ValueTable) -> Void
    ) throws {
        _ = try source.reading { try $0.reader.values(query, body) }
    }

    /// Whether the number of dictionaries may differ from the number of objects that match.
    var countsDictionaries: Bool {
        request.resultType == .dictionaryResultType
            && (request.returnsDistinctResults || request.propertiesToGroupBy?.isEmpty == false
                || request.propertiesToFetch?.contains { $0 is NSExpressionDescription } == true)
    }
}
