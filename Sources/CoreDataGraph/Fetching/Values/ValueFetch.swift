import CoreDataModeling

extension FetchExecution {
    /// The dictionaries that the request asks for, as the stores have the values; no object is made of any row.
    ///
    /// - Throws: what the request asks for and cannot be had, and the store's error.
    func dictionaries() throws -> [NSDictionary] {
        let names = try ValueRequest(request: request, layout: layout).names()
        return try valueTable().dictionaries(names)
    }

    /// The values of the dictionaries.
    func valueTable() throws -> ValueTable {
        if let parent = context.parent {
            let copy = UntypedFetchRequest()
            request.copyValues(to: copy)
            return try context.ask(parent) { try FetchExecution(copy, in: parent).valueTable() }
        }
        let origin = StoreOrigin(context: context)
        let wanted = ValueRequest(request: request, layout: layout)
        let answerers = try origin.stores(of: self).map { store in
            (query: try wanted.query(store.binding(for: layout)), source: try origin.source(of: store))
        }
        guard answerers.count != 1 else { return try values(answerers[0].query, answerers[0].source) }
        let query =
            try answerers.first?.query ?? wanted.query(EntityBinding(layout: layout, store: nil, storeNumber: 0))
        let several = ValuesOfSeveralStores(query: query)
        return try several.table(try answerers.map { try values(several.part(for: $0.query), $0.source) })
    }

    private func values(_ query: ValueQuery, _ source: any RowSource) throws -> ValueTable {
        guard let reader = source.reader else { return ValueTable(width: query.columns.count) }
        return try source.serialized { try reader.values(query) }
    }

    /// Whether the number of results is another than that of the objects that match.
    var countsDictionaries: Bool {
        request.resultType == .dictionaryResultType
            && (request.returnsDistinctResults || request.propertiesToGroupBy?.isEmpty == false
                || request.propertiesToFetch?.contains { $0 is NSExpressionDescription } == true)
    }
}
