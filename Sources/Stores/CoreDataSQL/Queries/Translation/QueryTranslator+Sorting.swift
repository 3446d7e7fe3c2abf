import CoreDataStore

extension QueryTranslator {
    /// The order that sort descriptors ask for; a total one ends with the key where they leave rows in any order.
    mutating func orderings(_ descriptors: [NSSortDescriptor], isTotal: Bool) throws -> [SQLSelect.Ordering] {
        var orderings: [SQLSelect.Ordering] = []
        for descriptor in descriptors { orderings.append(try ordering(descriptor.sorting)) }
        let key = SQLExpression.column(root.key)
        if isTotal, !orderings.contains(where: { $0.value == key }) {
            orderings.append(.init(value: key, collation: nil, ascending: true))
        }
        return orderings
    }

    private mutating func ordering(_ sorting: Sorting) throws -> SQLSelect.Ordering {
        if let rank = sorting.rank { return try ordering(operand(rank.expression), sorting: sorting, path: "rank") }
        let path = try path(of: sorting)
        return try ordering(operand(at: Self.steps(path), from: root), sorting: sorting, path: path)
    }

    /// The order of an operand's values; `path` is what messages call it.
    func ordering(_ operand: Operand, sorting: Sorting, path: String) throws -> SQLSelect.Ordering {
        let (value, kind) = try sortValue(of: operand, path)
        return .init(
            value: value, collation: try collation(sorting.comparison, kind: kind, path: path),
            ascending: sorting.ascending)
    }

    private func path(of sorting: Sorting) throws -> String {
        if let key = sorting.key { return key }
        guard let keyPath = sorting.keyPath, keyPath != \Any.self else { return "self" }
        let layout = model.layout(named: root.entity.name)
        guard let key = layout?.classes.key(of: keyPath) else {
            throw QueryError(
                .unsortable, entity: root.entity.name, "no property table names the Swift key path of a sort descriptor"
            )
        }
        return key
    }

    /// The value to sort by; the kind of the key of the query's own rows is nil.
    private func sortValue(of operand: Operand, _ path: String) throws -> (SQLExpression, ValueKind?) {
        let reason: String
        switch operand {
        case .entityName(let number, let numbers): return (try entityName(number, numbers), .text)
        case .constant(let value): return (try self.value(of: .constant(value)).value, nil)
        case .record(let record) where record.isOwnRow: return (.column(record.key), nil)
        case .scalar(_, .opaque): reason = "rows cannot be sorted by values that only a transformer understands"
        case .scalar(_, .composite):
            reason = "rows cannot be sorted by a composite attribute; sort by one of its elements"
        case .scalar(_, .data): reason = "rows cannot be sorted by binary data"
        // The real number next to a decimal that may be a text.
        case .scalar(let value, .number(.exact)): return (.arithmetic(.add, value, .number(0)), .number(.real))
        case .scalar(let value, let kind): return (value, kind)
        case .collection, .combined: reason = "rows cannot be sorted by a to-many relationship"
        default: reason = "rows cannot be sorted by a relationship; sort by an attribute of its destination"
        }
        throw QueryError(.unsortable, entity: root.entity.name, key: path, reason)
    }

    /// The name of an entity by its number, which is one of those given.
    func entityName(_ number: SQLExpression, _ numbers: [Int]) throws -> SQLExpression {
        try numbers.reversed().reduce(.parameter(.null)) { names, candidate in
            .conditional(
                .comparison(.equal, number, .number(candidate)), then: .parameter(.text(try entity(candidate).name)),
                otherwise: names)
        }
    }

    /// The collation for a comparison; values that are not texts have one order only.
    private func collation(_ comparison: SortComparison, kind: ValueKind?, path: String) throws -> String? {
        switch comparison {
        case .standard: return nil
        case .named(let name):
            guard collations.contains(name) else {
                throw QueryError(
                    .unsupported, entity: root.entity.name, key: path, "unsupported NSSortDescriptor selector: \(name)")
            }
            return kind == .text ? name : nil
        case .block:
            throw QueryError(
                .unsupported, entity: root.entity.name, key: path,
                "a comparison in Swift code has no SQL; sort the fetched objects with it")
        case .caseInsensitive, .localized, .localizedCaseInsensitive, .localizedStandard:
            return kind == .text ? SQLFunctionLibrary.collationName(of: comparison) : nil
        }
    }
}

extension QueryTranslator {
    /// The most columns that are ranked together by the index.
    private static let mostColumns = 8

    /// The searches by whose rank a query is ordered; none where it has another order too, or the index lacks a column.
    mutating func rankedSearches(_ descriptors: [NSSortDescriptor]) throws -> [SQLSearch] {
        guard descriptors.count == 1, let sorting = descriptors.first?.sorting, let rank = sorting.rank,
            !sorting.ascending, rank.keyPaths.count <= Self.mostColumns,
            let question = SearchPattern.question(allWords: rank.words)
        else { return [] }
        var searches: [SQLSearch] = []
        for path in rank.keyPaths {
            guard case .scalar(.column(let column), .text) = try operand(NSExpression(forKeyPath: path)),
                column.alias == root.key.alias, let index = searchable[column]
            else { return [] }
            searches.append(SQLSearch(index: index, question: question, isOfWords: true))
        }
        return searches
    }
}
