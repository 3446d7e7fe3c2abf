import CoreDataModeling

extension ValueSelection {
    /// Computes the result rows of groups, each given as the values of the variables in expressions.
    ///
    /// - Throws: the errors of evaluating an expression, and `NSCoreDataError` for a result that does not have the
    ///   declared type.
    package func table(ofGroups groups: [[String: Any]]) throws -> ValueTable {
        let table = ValueTable(width: query.columns.count)
        // Values are converted to the declared types only after the selection: rows outside of the limit need not be
        // convertible, as in a database.
        for number in try chosen(try groups.map(candidate)) {
            for column in query.columns { table.append(try Self.cell(column, groups[number])) }
        }
        return table
    }

    private func candidate(_ variables: [String: Any]) throws -> Candidate {
        func value(_ expression: NSExpression) throws -> Any? {
            present(try expression.value(on: nil, variables: variables))
        }
        return Candidate(
            identity: query.isDistinct ? try query.columns.map { ValueKey(try value($0.expression)) } : [],
            order: try query.orderings.map { SortKey(try value($0.expression)) },
            tie: hasWindow ? (query.grouping?.keys ?? []).map { tie(variables[$0.name]) } : [])
    }

    package var hasWindow: Bool { query.limit > 0 || query.offset > 0 }

    /// A sort key that makes the order of rows deterministic, whatever the order of reading: the value, or the key of
    /// an object's row.
    package func tie(_ value: Any?) -> SortKey {
        if let identifier = value as? any RecordIdentifier { return .integer(identifier.key) }
        return SortKey(present(value))
    }

    private func present(_ value: Any?) -> Any? { value is NSNull ? nil : value }

    private static func cell(_ column: ValueColumn, _ variables: [String: Any]) throws -> AnyObject? {
        let value = try column.expression.value(on: nil, variables: variables)
        guard case .calculation(let type) = column.content else { return ValueBox.object(value) }
        return try ValueBox.object(value, as: type, column: column.name)
    }
}
