import CoreDataStore

/// Derives from a fetch request the values to read of each record or group, and checks them before a store is read.
package struct ValueRequest {
    private let request: UntypedFetchRequest
    private let layout: EntityLayout
    private let predicate: NSPredicate?

    package init(request: UntypedFetchRequest, layout: EntityLayout) {
        self.request = request
        self.layout = layout
        predicate = request.predicate
    }

    init(_ fetch: FetchExecution) {
        request = fetch.request
        layout = fetch.layout
        predicate = fetch.predicate
    }

    private var entity: NSEntityDescription { layout.entity }

    /// The query for a store.
    ///
    /// - Throws: `NSCoreDataError` that names a property that the entity lacks or that is not stored, or an expression
    ///   that is neither grouped nor aggregated.
    package func query(_ binding: EntityBinding) throws -> ValueQuery {
        let columns = try self.columns()
        let keys = try (request.propertiesToGroupBy ?? []).map { try groupKey(column(of: $0)) }
        let orderings = try (request.sortDescriptors ?? []).map { try ordering($0.sorting, columns) }
        let condition = try request.havingPredicate.map { try named($0, columns) }
        guard condition == nil || !keys.isEmpty else {
            throw QueryRefusal.make("havingPredicate needs propertiesToGroupBy: it chooses among groups")
        }
        var grouping = GroupedExpressions(entity: entity, keys: keys)
        let grouped = try columns.map { try grouping.grouped($0) }
        let isGrouped = !keys.isEmpty || !grouping.grouping.aggregates.isEmpty
        guard isGrouped else {
            let query = make(binding, columns: columns, grouping: nil, orderings: orderings)
            try checkDistinct(query)
            return query
        }
        for column in grouped { try grouping.requireGrouped(column.expression, column.name) }
        // Aggregates of all rows are one row, so sorting has no effect.
        let order = keys.isEmpty ? [] : try orderings.map { try grouping.grouped($0) }
        grouping.grouping.condition = try condition.map { try grouping.grouped($0) }
        let query = make(binding, columns: grouped, grouping: grouping.grouping, orderings: order)
        try checkDistinct(query)
        return query
    }

    /// The keys of the dictionaries.
    func names() throws -> [String] { try columns().map(\.name) }

    private func make(
        _ binding: EntityBinding, columns: [ValueColumn], grouping: ValueGrouping?, orderings: [ValueOrdering]
    ) -> ValueQuery {
        ValueQuery(
            binding: binding, includesSubentities: request.includesSubentities, predicate: predicate,
            columns: columns, grouping: grouping, orderings: orderings, isDistinct: request.returnsDistinctResults,
            limit: max(0, request.fetchLimit), offset: max(0, request.fetchOffset))
    }

    // MARK: Columns

    private func columns() throws -> [ValueColumn] {
        guard let wanted = request.propertiesToFetch, !wanted.isEmpty else {
            return try entity.attributesByName.keys.sorted().compactMap { name in
                entity.attributesByName[name]?.isTransient == true ? nil : try column(path: name)
            }
        }
        return try wanted.map { try column(of: $0) }
    }

    private func column(of item: Any) throws -> ValueColumn {
        switch item {
        case let path as String: return try column(path: path)
        case let description as NSExpressionDescription: return try column(description)
        case let property as NSPropertyDescription: return try column(path: property.name)
        default:
            throw QueryRefusal.make(
                "propertiesToFetch and propertiesToGroupBy take names and property descriptions, not \(type(of: item))")
        }
    }

    private func column(path: String) throws -> ValueColumn {
        let expression = NSExpression(.keyPath(operand: nil, path: path))
        if let content = ValuePath(path, from: entity)?.content {
            return ValueColumn(name: path, expression: expression, content: content)
        }
        if case .collection(let relationship, let owner) = try RecordPath(path, from: entity) {
            throw QueryRefusal.make(
                owner, key: relationship.name,
                reason: "a relationship to many has no place in propertiesToFetch; use an expression such as "
                    + "'\(relationship.name).@count'")
        }
        return ValueColumn(name: path, expression: expression, content: .calculation(.undefinedAttributeType))
    }

    private func column(_ description: NSExpressionDescription) throws -> ValueColumn {
        guard !description.name.isEmpty else { throw QueryRefusal.make("an expression description needs a name") }
        guard let expression = description.expression else { return column(withoutExpression: description) }
        try review(expression)
        return ValueColumn(
            name: description.name, expression: expression,
            content: content(of: expression, declared: description.expressionResultType))
    }

    /// A description without an expression names a property; if there is none of that name, the column is nil in every
    /// row.
    private func column(withoutExpression description: NSExpressionDescription) -> ValueColumn {
        if let content = ValuePath(description.name, from: entity)?.content {
            let expression = NSExpression(.keyPath(operand: nil, path: description.name))
            return ValueColumn(name: description.name, expression: expression, content: content)
        }
        return ValueColumn(
            name: description.name, expression: NSExpression(.constant(nil)),
            content: .calculation(description.expressionResultType))
    }

    /// A key path to an attribute is read as the attribute, unless another result type is declared.
    private func content(of expression: NSExpression, declared: NSAttributeType) -> ValueColumn.Content {
        let path: ValuePath? =
            switch expression.form {
            case .evaluatedObject: ValuePath("self", from: entity)
            case .keyPath(nil, let path): ValuePath(path, from: entity)
            default: nil
            }
        switch path?.content {
        case .attribute(let attribute, _)?
        where declared != .undefinedAttributeType && declared != attribute.attributeType:
            return .calculation(declared)
        case let content?: return content
        case nil: return .calculation(declared)
        }
    }

    /// Throws for expressions that stores do not support, like the check of a predicate.
    private func review(_ expression: NSExpression) throws {
        let comparison = NSComparisonPredicate(
            leftExpression: GroupedExpressions.withoutOwnOperators(expression),
            rightExpression: NSExpression(.constant(nil)), modifier: .any, type: .equalTo, options: [])
        try PredicateReview.check(comparison, entity)
    }

    private func groupKey(_ column: ValueColumn) throws -> ValueColumn {
        switch column.content {
        case .attribute(let attribute, let kind)
        where kind == .transformable || kind == .composite || attribute.allowsExternalBinaryDataStorage:
            throw QueryRefusal.make(
                entity, key: column.name,
                reason: "rows cannot be grouped by \(kind == .composite ? "a composite" : "such") attribute")
        default: return column
        }
    }

    // MARK: Names

    /// The expression of the column with a name, unless a property has that name.
    private func named(_ expression: NSExpression, _ columns: [ValueColumn]) -> NSExpression? {
        switch expression.form {
        case .variable(let name): columns.first { $0.name == name }?.expression
        case .keyPath(nil, let path) where entity.propertiesByName[path] == nil:
            columns.first { $0.name == path }.flatMap { column in
                if case .keyPath(nil, path) = column.expression.form { nil } else { column.expression }
            }
        default: nil
        }
    }

    private func named(_ predicate: NSPredicate, _ columns: [ValueColumn]) throws -> NSPredicate {
        let predicate = try ExpressionRewriting { named($0, columns) }.applied(to: predicate)
        try PredicateReview.check(
            try ExpressionRewriting(GroupedExpressions.ownOperator).applied(to: predicate), entity)
        return predicate
    }

    // MARK: Order

    private func ordering(_ sorting: Sorting, _ columns: [ValueColumn]) throws -> ValueOrdering {
        if let rank = sorting.rank {
            try SortReview.check(rank, entity)
            return ValueOrdering(expression: rank.expression, sorting: sorting, name: "rank")
        }
        let path = try SortReview.path(of: sorting, layout)
        let written = NSExpression(.keyPath(operand: nil, path: path))
        if let expression = named(written, columns) {
            return ValueOrdering(expression: expression, sorting: sorting, name: path)
        }
        try SortReview.checkSortable(path, by: sorting, entity)
        return ValueOrdering(expression: written, sorting: sorting, name: path)
    }

    private func checkDistinct(_ query: ValueQuery) throws {
        guard query.isDistinct else { return }
        let known = Set(query.columns.map(\.expression.formatString))
        for ordering in query.orderings where !known.contains(ordering.expression.formatString) {
            throw QueryRefusal.make(
                entity, key: ordering.name,
                reason: "distinct results can only be sorted by what propertiesToFetch names")
        }
    }
}
