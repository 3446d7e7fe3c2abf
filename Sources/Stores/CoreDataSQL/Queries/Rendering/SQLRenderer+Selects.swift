import CoreDataStore

extension SQLRenderer {
    /// Appends a complete query.
    mutating func append(_ select: SQLSelect) throws {
        append(select.isDistinct ? "SELECT DISTINCT " : "SELECT ")
        try append(select.result)
        append(" FROM ")
        append(select.source)
        if select.condition != .truth(true) {
            append(" WHERE ")
            try append(select.condition)
        }
        for (offset, value) in select.grouping.enumerated() {
            append(offset == 0 ? " GROUP BY " : ", ")
            try append(value)
        }
        if select.groupCondition != .truth(true) {
            append(" HAVING ")
            try append(select.groupCondition)
        }
        try append(select.orderings)
        if let window = select.window { try append(window) }
    }

    private mutating func append(_ result: SQLSelect.Result) throws {
        switch result {
        case .one: append("1")
        case .count: append("COUNT(*)")
        case .columns(let columns):
            for (offset, column) in columns.enumerated() {
                if offset > 0 { append(", ") }
                append(column)
            }
        case .aggregate(let aggregate, let value):
            append(aggregate.rawValue + "(")
            try append(value)
            append(aggregate == .gather ? ", ' ')" : ")")
        case .wholeSum(let value): try append(wholeSum: value)
        case .values(let values):
            for (offset, value) in values.enumerated() {
                if offset > 0 { append(", ") }
                try append(value)
            }
        case .keyed(let key, let value):
            append(key)
            append(", ")
            try append(value)
        }
    }

    /// The upper and lower 32 bits are summed separately: neither sum can overflow.
    private mutating func append(wholeSum value: SQLExpression) throws {
        append("\(SQLFunctionLibrary.wholeSum)(SUM(")
        try append(.arithmetic(.rightShift, value, .number(32)))
        append("), SUM(")
        try append(.arithmetic(.and, value, .number(0xFFFF_FFFF)))
        append("))")
    }

    private mutating func append(_ source: SQLSource) {
        // With CROSS JOIN, SQLite always makes the left table the outer loop.
        if let search = source.leadingSearch {
            append("\(dialect.searchSchema).\(dialect.searchTable(search)) CROSS JOIN ")
        }
        switch source.table {
        case .named(let name): append("\(dialect.table(name)) t\(source.alias)")
        case .partners(let table, let first, let second, let owner):
            let (table, first, second) = (
                dialect.table(table), SQLIdentifier.quoted(first), SQLIdentifier.quoted(second)
            )
            append("(SELECT \(second) AS Z_OTHER FROM \(table) WHERE \(first) = ")
            append(owner)
            append(" UNION SELECT \(first) FROM \(table) WHERE \(second) = ")
            append(owner)
            append(") t\(source.alias)")
        }
        for join in source.joins {
            append(" LEFT JOIN \(dialect.table(join.table)) t\(join.alias) ON t\(join.alias).Z_PK = ")
            append(join.key)
        }
    }

    private mutating func append(_ orderings: [SQLSelect.Ordering]) throws {
        for (offset, ordering) in orderings.enumerated() {
            append(offset == 0 ? " ORDER BY " : ", ")
            try append(ordering.value)
            if let collation = ordering.collation { append(" COLLATE \(SQLIdentifier.quoted(collation))") }
            if !ordering.ascending { append(" DESC") }
            if !dialect.sortsNullFirst, !ordering.isByKey {
                append(ordering.ascending ? " NULLS FIRST" : " NULLS LAST")
            }
        }
    }

    private mutating func append(_ window: SQLSelect.Window) throws {
        append(" LIMIT ")
        try bind(window.limit.map { .integer($0) } ?? dialect.noLimit)
        append(" OFFSET ")
        try bind(.integer(window.offset))
    }
}

extension SQLSelect.Ordering {
    /// Whether rows are ordered by their own keys, which are never NULL: with NULLS FIRST or LAST, the database would
    /// not use the index of the primary key.
    fileprivate var isByKey: Bool { if case .column(let column) = value { column.name == "Z_PK" } else { false } }
}
