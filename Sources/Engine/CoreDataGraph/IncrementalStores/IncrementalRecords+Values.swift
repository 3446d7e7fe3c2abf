import CoreDataStore

extension IncrementalRecords {
    /// The dictionaries that the store class makes, or else dictionaries made here of the records that it finds.
    func values(_ query: ValueQuery, _ body: (ValueTable) -> Void) throws {
        try review(query.rows)
        if let table = try givenValues(query) { return body(table) }
        let table = try QueryRefusal.reporting {
            try ReadValues(query, of: self, identifiers: try identifiers(query.rows)).table()
        }
        body(table)
    }

    /// The dictionaries of the store class as a table; nil if it makes none.
    private func givenValues(_ query: ValueQuery) throws -> ValueTable? {
        guard !makesNoDictionaries, let request = origin?.request as? UntypedFetchRequest,
            request.resultType == .dictionaryResultType
        else { return nil }
        let requested = FetchQuery(
            binding: query.binding, includesSubentities: query.includesSubentities, predicate: query.predicate,
            sortDescriptors: request.sortDescriptors ?? [], limit: query.limit, offset: query.offset)
        let answer: Any
        do {
            answer = try self.answer(requested, as: .dictionaryResultType)
        } catch let error as NSError
            where error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreUnsupportedRequestTypeError
        {
            makesNoDictionaries = true
            return nil
        }
        guard let list = Self.list(answer) else {
            throw StoreMistake.answer(to: "a request for dictionaries", answer, of: store, wanted: "an array")
        }
        let dictionaries = list.compactMap { $0 as? [String: Any] ?? ($0 as? NSDictionary)?.named }
        guard !dictionaries.isEmpty else {
            if let first = list.first, !(first is NSManagedObject), !(first is NSManagedObjectID) {
                throw StoreMistake.answer(
                    to: "a request for dictionaries", first, of: store, wanted: "dictionaries, objects or identifiers")
            }
            makesNoDictionaries = !list.isEmpty
            return nil
        }
        let table = ValueTable(width: query.columns.count)
        for dictionary in dictionaries {
            for column in query.columns { table.append(ValueBox.object(dictionary[column.name])) }
        }
        return table
    }
}

extension NSDictionary {
    /// The entries with strings as keys.
    fileprivate var named: [String: Any] {
        reduce(into: [:]) { result, entry in
            if let key = entry.key as? String { result[key] = entry.value }
        }
    }
}

/// Computes the values of a query for records that a store class of the program finds.
private struct ReadValues {
    private let records: IncrementalRecords
    private let query: ValueQuery
    private let found: [ReadRecord]

    init(_ query: ValueQuery, of records: IncrementalRecords, identifiers: [NSManagedObjectID]) throws {
        self.query = query
        self.records = records
        let reader = RecordReader(records)
        found = try identifiers.compactMap { try reader.record($0.binding, $0.key) }
    }

    func table() throws -> ValueTable {
        let selection = ValueSelection(query: query)
        guard let grouping = query.grouping else { return try plain(selection) }
        var values = GroupedValues(grouping)
        for record in found {
            try values.add(
                keys: grouping.keys.map { try value($0, record) },
                arguments: grouping.aggregates.map { try value($0.argument, record) })
        }
        return try selection.table(ofGroups: try values.variables())
    }

    private func plain(_ selection: ValueSelection) throws -> ValueTable {
        let table = ValueTable(width: query.columns.count)
        let candidates = try found.map { record in
            ValueSelection.Candidate(
                identity: query.isDistinct ? try query.columns.map { ValueKey(try value($0, record)) } : [],
                order: try query.orderings.map { try sortKey(try $0.expression.value(on: record), selection) },
                tie: query.isDistinct && selection.hasWindow
                    ? try query.columns.map { try sortKey(try value($0, record), selection) } : [])
        }
        for number in try selection.chosen(candidates) {
            for column in query.columns { table.append(try cell(column, found[number])) }
        }
        return table
    }

    private func sortKey(_ value: Any?, _ selection: ValueSelection) throws -> SortKey {
        if let record = value as? ReadRecord { return .integer(record.key) }
        return selection.tie(value)
    }

    private func cell(_ column: ValueColumn, _ record: ReadRecord) throws -> AnyObject? {
        guard case .calculation(let type) = column.content else { return ValueBox.object(try value(column, record)) }
        return try ValueBox.object(try value(column, record), as: type, column: column.name)
    }

    private func value(_ column: ValueColumn, _ record: ReadRecord) throws -> Any? {
        try column.expression.value(on: record)
    }
}
