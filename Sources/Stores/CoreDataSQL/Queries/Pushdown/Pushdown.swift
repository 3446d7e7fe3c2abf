import CoreDataStore

/// Determines how much of a query a database can evaluate without the functions of this framework.
///
/// A condition is *exact* if the database decides it as it is decided in memory. Otherwise it is *narrowed* to a
/// condition that is true wherever the original is: parts joined by AND that cannot be decided are omitted, and doubt
/// counts as true.
struct Pushdown {
    let types: ColumnTypes
    /// The table of each alias; nil for the sub-query of `partners`, whose only column is a key.
    private(set) var tables: [Int: String?]

    /// Whether the values are those of groups, of which the rows can be counted.
    let isGrouped: Bool

    init(_ types: ColumnTypes, _ source: SQLSource, isGrouped: Bool = false) {
        self.types = types
        self.isGrouped = isGrouped
        tables = [:]
        add(source)
    }

    private mutating func add(_ source: SQLSource) {
        if case .named(let table) = source.table {
            tables[source.alias] = table
        } else {
            tables[source.alias] = .some(nil)
        }
        for join in source.joins { tables[join.alias] = join.table }
    }

    func within(_ source: SQLSource) -> Pushdown {
        var inner = self
        inner.add(source)
        return inner
    }

    // MARK: Conditions

    func condition(_ expression: SQLExpression) -> Condition {
        switch expression {
        case .truth: return Condition(expression)
        case .all(let parts): return joined(parts, SQLExpression.conjunction)
        case .any(let parts): return joined(parts, SQLExpression.disjunction)
        case .not(let part): return condition(part).negated
        case .isNull(let part): return Condition(value(part)) { .isNull($0) }
        case .isNotNull(let part): return Condition(value(part)) { .isNotNull($0) }
        case .comparison(let comparison, let left, let right): return compare(comparison, left: left, right: right)
        case .among(let part, let parameters): return among(part, parameters)
        case .listed(let part, let list): return Condition(listed(part, list))
        case .exists(let select): return exists(select)
        case .call(let name, let arguments): return test(name, arguments)
        case .column, .parameter, .number, .arithmetic, .complement, .searched, .boxed, .ranked, .hit, .day,
            .foldedKey, .scalar, .conditional:
            return .unknown
        }
    }

    private func joined(
        _ parts: [SQLExpression], _ join: ([SQLExpression]) -> SQLExpression
    ) -> Condition {
        let pushed = parts.map(condition)
        return Condition(
            upper: join(pushed.map(\.upper)), lower: join(pushed.map(\.lower)), isExact: pushed.allSatisfy(\.isExact))
    }

    private func exists(_ select: SQLSelect) -> Condition {
        let pushed = within(select.source).condition(select.condition)
        func some(_ condition: SQLExpression) -> SQLExpression {
            guard condition != .truth(false) else { return condition }
            return .exists(SQLSelect(result: .one, source: select.source, condition: condition))
        }
        return Condition(upper: some(pushed.upper), lower: some(pushed.lower), isExact: pushed.isExact)
    }

    private func compare(_ comparison: SQLComparison, left: SQLExpression, right: SQLExpression) -> Condition {
        if case .call(let name, let arguments) = left, arguments.count == 2 {
            switch (name, right) {
            case (SQLFunctionLibrary.order, .number(0)):
                return digits(comparison, left: arguments[0], right: arguments[1])
            case (SQLFunctionLibrary.isSame, .number(1)) where comparison == .equal || comparison == .differs:
                let isSame = digits(.same, left: arguments[0], right: arguments[1])
                return comparison == .equal ? isSame : isSame.negated
            case ("instr", .number(0)) where comparison == .greater:
                return contains(arguments[0], arguments[1])
            default: break
            }
        }
        if let folded = compareFolded(comparison, left: left, right: right) { return folded }
        guard let left = value(left), let right = value(right) else { return .unknown }
        return PushedComparison(comparison: comparison, left: left, right: right).condition
    }

    /// Returns a comparison of numbers of which one may have more digits than a real number.
    private func digits(_ comparison: SQLComparison, left: SQLExpression, right: SQLExpression) -> Condition {
        guard let left = value(left), let right = value(right) else { return .unknown }
        return PushedComparison(comparison: comparison, left: left, right: right).digits
    }

    // MARK: Lists

    private func among(_ part: SQLExpression, _ parameters: [SQLParameter]) -> Condition {
        if let exact = choice(part, among: parameters) { return Condition(exact) }
        if let found = choice(ofFolded: part, among: parameters) { return found }
        return joined(parameters.map { .comparison(.equal, part, .parameter($0)) }, SQLExpression.disjunction)
    }

    private func choice(_ part: SQLExpression, among parameters: [SQLParameter]) -> SQLExpression? {
        guard let value = value(part), value.isCertain else { return nil }
        var kept: [SQLParameter] = []
        for parameter in parameters {
            switch (value.kind, parameter) {
            case (.integer, .integer), (.bytes, .blob): kept.append(parameter)
            case (.integer, .real(let real)):
                if let integer = Int64(exactly: real) { kept.append(.integer(integer)) }
            case (.real, .real), (.date, .real): kept.append(parameter)
            case (.real, .integer(let integer)):
                guard let real = Double(exactly: integer) else { return nil }
                kept.append(.real(real))
            case (.text, .text(let text)): kept.append(.text(EscapedText.escaped(text)))
            default: return nil
            }
        }
        return kept.isEmpty ? .truth(false) : .among(value.expression, kept)
    }

    private func listed(_ part: SQLExpression, _ list: SQLList) -> SQLExpression? {
        guard let value = value(part), value.isCertain else { return nil }
        switch (value.kind, list.encoding) {
        case (.integer, .integers), (.bytes, .digitsOfBlobs): return .listed(value.expression, list)
        // JSON writes the escape U+0001 as `\u0001`, which the server would not read as the stored text.
        case (.text, .texts) where !list.json.contains("\\u0001"): return .listed(value.expression, list)
        default: return nil
        }
    }
}
