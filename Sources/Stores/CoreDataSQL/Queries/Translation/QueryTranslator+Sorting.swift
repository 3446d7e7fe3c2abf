import CoreDataStore

extension QueryTranslator {
    /// Translates sort descriptors; if `isTotal`, the primary key is appended, so that the order of rows is fully
    /// determined.
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

    /// Returns the ordering by an operand; `path` is its name in messages.
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

    /// Returns the value to sort by, and its kind; the kind is nil for the rows' own key and for constants.
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
        // Adding 0 converts a decimal that may be a text to the nearest real.
        case .scalar(let value, .number(.exact)): return (.arithmetic(.add, value, .number(0)), .number(.real))
        case .scalar(let value, let kind): return (value, kind)
        case .collection, .combined: reason = "rows cannot be sorted by a to-many relationship"
        default: reason = "rows cannot be sorted by a relationship; sort by an attribute of its destination"
        }
        throw QueryError(.unsortable, entity: root.entity.name, key: path, reason)
    }

    /// Returns an entity's name as an expression of its number, which must be one of `numbers`.
    func entityName(_ number: SQLExpression, _ numbers: [Int]) throws -> SQLExpression {
        try numbers.reversed().reduce(.parameter(.null)) { names, candidate in
            .conditional(
                .comparison(.equal, number, .number(candidate)), then: .parameter(.text(try entity(candidate).name)),
                otherwise: names)
        }
    }

    /// Returns the collation for a comparison; nil for values that are not texts, which have only one order.
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
    /// The maximum number of columns for which the index computes a combined rank.
    private static let mostColumns = 8

    /// Returns the searches by whose rank a query is ordered; empty if it has another ordering, or the index lacks a
    /// column.
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
