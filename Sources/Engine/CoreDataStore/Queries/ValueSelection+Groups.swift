import CoreDataModeling

extension ValueSelection {
    /// The result's rows of groups, given as the values of the variables that expressions know.
    ///
    /// - Throws: what evaluating an expression throws, and `NSCoreDataError` for a result that is not of the declared type.
    package func table(ofGroups groups: [[String: Any]]) throws -> ValueTable {
        let table = ValueTable(width: query.columns.count)
        // What is not given need not be of the declared type, so types come last, as in a database.
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

    /// What puts rows in a certain order whatever is fetched: the value, or the key of an object.
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
