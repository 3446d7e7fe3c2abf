import CoreDataStore

/// Renders a query as SQL text and collects the values to bind.
///
/// Parentheses are written only where needed, and long chains as balanced trees: SQLite limits the depth of a text, by
/// its parser's stack (100 symbols) and by the depth of expression trees (1,000).
struct SQLRenderer {
    let dialect: SQLDialect
    private(set) var sql = ""
    private(set) var parameters: [SQLParameter] = []
    /// Whether the text uses a search index.
    private(set) var usesSearchIndex = false
    /// An upper bound for the number of symbols on the parser's stack at this point of the text.
    private var open = 0

    init(_ dialect: SQLDialect) { self.dialect = dialect }

    /// The precedence of an expression; within one of higher precedence, it is written in parentheses.
    private enum Strength: Int, Comparable {
        case or, and, comparison, bitwise, sum, product, whole

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    mutating func append(_ text: String) { sql += text }

    /// Records that the text uses a search index.
    mutating func noteSearchIndex() { usesSearchIndex = true }

    mutating func bind(_ parameter: SQLParameter) throws {
        if parameter == .null, let null = dialect.null {
            sql += null
            return
        }
        parameters.append(parameter)
        guard parameters.count <= QueryLimits.parameters else {
            throw QueryError(.tooLarge, "the query has more than \(QueryLimits.parameters) values")
        }
        sql += dialect.placeholder(parameters.count, parameter)
    }

    /// Appends what `body` writes, during which the parser has `symbols` more symbols on its stack; throws a
    /// `QueryError` if that is too many.
    mutating func holding(_ symbols: Int, _ body: (inout SQLRenderer) throws -> Void) throws {
        open += symbols
        if let limit = dialect.parserDepth, open > limit {
            throw QueryError(.tooDeep, "the conditions are nested too deep for the database")
        }
        try body(&self)
        open -= symbols
    }

    private mutating func parenthesized(_ body: (inout SQLRenderer) throws -> Void) throws {
        try holding(1) { renderer in
            renderer.sql += "("
            try body(&renderer)
            renderer.sql += ")"
        }
    }
}

extension SQLRenderer {
    /// Appends a condition or a value.
    mutating func append(_ expression: SQLExpression) throws {
        switch expression {
        case .column(let column): append(column)
        case .parameter(let parameter): try bind(parameter)
        case .number(let number): sql += String(number)
        case .truth(let value): sql += value ? "TRUE" : "FALSE"
        case .all(let parts): try append(chain: parts[...], " AND ", .and)
        case .any(let parts): try append(chain: parts[...], " OR ", .or)
        case .not(let condition): try appendNegation(of: condition)
        case .isNull(let value): try append(value, " IS NULL")
        case .isNotNull(let value): try append(value, " IS NOT NULL")
        case .comparison(let comparison, let left, let right):
            try append(left, sign: text(of: comparison), right: right, strength: .comparison, isLeftOpen: false)
        case .arithmetic(let sign, let left, let right): try append(left, sign: sign, right: right)
        case .complement(let value):
            sql += "~"
            try append(value, within: .whole)
        case .call(let name, let arguments): try append(call: name, arguments)
        case .among(let value, let parameters): try append(value, among: parameters)
        case .listed(let value, let list): try append(value, in: list)
        case .searched(let key, let search): try append(search, key)
        case .ranked(let key, let ranking): try append(ranking, key)
        case .boxed(let key, let box): try append(box, key)
        case .hit(let search): sql += dialect.searchTable(search) + ".rowid"
        case .day(let time): try append(dayOf: time)
        case .foldedKey(let column): sql += FoldedKey.sql(of: text(of: column))
        case .exists(let select): try append("EXISTS ", select)
        case .scalar(let select): try append("", select)
        case .conditional(let condition, let first, let second): try append(condition, then: first, otherwise: second)
        }
    }

    private func strength(of expression: SQLExpression) -> Strength {
        switch expression {
        case .any: .or
        case .all: .and
        case .not, .isNull, .isNotNull, .comparison, .among, .listed: .comparison
        case .ranked, .boxed: .comparison
        case .searched(_, let search): search.isLeading ? .and : .comparison
        case .arithmetic(let sign, _, _): sign.isBitwise ? .bitwise : sign.isProduct ? .product : .sum
        default: .whole
        }
    }

    private mutating func append(_ expression: SQLExpression, within least: Strength) throws {
        guard strength(of: expression) < least else { return try append(expression) }
        try parenthesized { try $0.append(expression) }
    }

    mutating func append(_ column: SQLColumn) { sql += text(of: column) }

    private func text(of column: SQLColumn) -> String { "t\(column.alias).\(SQLIdentifier.quoted(column.name))" }

    private mutating func append(_ value: SQLExpression, _ suffix: String) throws {
        try append(value, within: .bitwise)
        sql += suffix
    }

    private mutating func appendNegation(of condition: SQLExpression) throws {
        guard case .exists = condition else {
            try append(condition, within: .bitwise)
            sql += " IS NOT TRUE"
            return
        }
        sql += "NOT "
        try holding(1) { try $0.append(condition) }
    }

    private func text(of comparison: SQLComparison) -> String {
        switch comparison {
        case .equal: "="
        case .same: dialect.same
        case .differs: dialect.differs
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }

    private mutating func append(_ left: SQLExpression, sign: SQLOperator, right: SQLExpression) throws {
        // Databases give the bitwise operators different precedences, so parentheses always separate them.
        guard !sign.isBitwise else {
            return try append(left, sign: sign.rawValue, right: right, strength: .whole, isLeftOpen: true)
        }
        try append(
            left, sign: sign.rawValue, right: right, strength: sign.isProduct ? .product : .sum, isLeftOpen: true)
    }

    /// Appends two operands with an operator between them; if `isLeftOpen`, a left operand of the same precedence needs
    /// no parentheses.
    private mutating func append(
        _ left: SQLExpression, sign: String, right: SQLExpression, strength: Strength, isLeftOpen: Bool
    ) throws {
        let tighter = Strength(rawValue: strength.rawValue + 1) ?? .whole
        try append(left, within: isLeftOpen ? strength : tighter)
        sql += " \(sign) "
        try holding(2) { try $0.append(right, within: tighter) }
    }

    /// Appends conditions joined by a word; more than 64 are grouped in parentheses, which limits the depth of the
    /// tree.
    private mutating func append(
        chain parts: ArraySlice<SQLExpression>, _ word: String, _ strength: Strength
    ) throws {
        let tighter = Strength(rawValue: strength.rawValue + 1) ?? .whole
        guard parts.count > 64 else {
            for (offset, part) in parts.enumerated() {
                if offset > 0 { sql += word }
                try holding(offset > 0 ? 2 : 0) { try $0.append(part, within: tighter) }
            }
            return
        }
        let size = (parts.count + 63) / 64
        for start in stride(from: parts.startIndex, to: parts.endIndex, by: size) {
            if start > parts.startIndex { sql += word }
            let group = parts[start..<min(start + size, parts.endIndex)]
            try holding(2) { try $0.parenthesized { try $0.append(chain: group, word, strength) } }
        }
    }
}

extension SQLRenderer {
    private mutating func append(call name: String, _ arguments: [SQLExpression]) throws {
        sql += name + "("
        try holding(5) { renderer in
            for (offset, argument) in arguments.enumerated() {
                if offset > 0 { renderer.sql += ", " }
                try renderer.append(argument)
            }
        }
        sql += ")"
    }

    private mutating func append(_ value: SQLExpression, among parameters: [SQLParameter]) throws {
        try append(value, " IN (")
        for (offset, parameter) in parameters.enumerated() {
            if offset > 0 { sql += ", " }
            try bind(parameter)
        }
        sql += ")"
    }

    private mutating func append(_ search: SQLSearch, _ key: SQLColumn) throws {
        let table = dialect.searchTable(search)
        usesSearchIndex = true
        guard !search.isLeading else {
            sql += table + " MATCH "
            try bind(.text(search.question))
            sql += " AND "
            append(key)
            sql += " = \(table).rowid"
            return
        }
        append(key)
        sql += " IN "
        try holding(10) { renderer in
            renderer.sql += "(SELECT rowid FROM \(renderer.dialect.searchSchema).\(table) WHERE \(table) MATCH "
            try renderer.bind(.text(search.question))
            renderer.sql += ")"
        }
    }

    private mutating func append(_ value: SQLExpression, in list: SQLList) throws {
        try append(value, " IN (")
        let json = SQLParameter.text(list.json)
        parameters.append(json)
        sql += dialect.elements(dialect.placeholder(parameters.count, json), list.encoding) + ")"
    }

    private mutating func append(
        _ condition: SQLExpression, then first: SQLExpression, otherwise second: SQLExpression
    ) throws {
        try holding(6) { renderer in
            renderer.sql += "CASE WHEN "
            try renderer.append(condition)
            renderer.sql += " THEN "
            try renderer.append(first)
            if second != .parameter(.null) {
                renderer.sql += " ELSE "
                try renderer.append(second)
            }
            renderer.sql += " END"
        }
    }

    private mutating func append(dayOf time: SQLExpression) throws {
        try holding(12) { renderer in
            for (offset, part) in renderer.dialect.day.enumerated() {
                if offset > 0 { try renderer.append(time, within: .whole) }
                renderer.sql += part
            }
        }
    }

    private mutating func append(_ prefix: String, _ select: SQLSelect) throws {
        sql += prefix
        try holding(10) { try $0.parenthesized { try $0.append(select) } }
    }
}
