import CoreDataStore

/// Finds out how much of a query a database decides that calls none of our functions.
///
/// A condition is *exact* where the database decides it as memory does. Otherwise it is *narrowed* to one that holds wherever
/// the condition does: of parts joined by AND those that cannot be decided are left out, and what is left in doubt holds.
struct Pushdown {
    /// What a database can decide of a condition: one that holds wherever it does, and one that holds nowhere else.
    struct Condition {
        /// Holds wherever the condition does.
        let upper: SQLExpression
        /// Holds only where the condition does.
        let lower: SQLExpression
        /// Whether the two are the same.
        let isExact: Bool

        static let unknown = Condition(upper: .truth(true), lower: .truth(false), isExact: false)

        init(upper: SQLExpression, lower: SQLExpression, isExact: Bool) {
            self.upper = upper
            self.lower = lower
            self.isExact = isExact
        }

        /// An exact one; where there is none, nothing is known.
        init(_ exact: SQLExpression?) {
            self = exact.map { Condition(upper: $0, lower: $0, isExact: true) } ?? .unknown
        }

        /// One that is as a test says where something holds, and unknown where it is in doubt.
        init(_ test: SQLExpression, where holds: SQLExpression, inDoubt: SQLExpression) {
            let lower = SQLExpression.conjunction([holds, test])
            self.init(upper: .disjunction([lower, inDoubt]), lower: lower, isExact: false)
        }

        var negated: Condition { Condition(upper: lower.negated, lower: upper.negated, isExact: isExact) }
    }

    private let types: ColumnTypes
    /// The table of each alias; nil for partners, whose only column is a key.
    private var tables: [Int: String?]

    init(_ types: ColumnTypes, _ source: SQLSource) {
        self.types = types
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

    private func within(_ source: SQLSource) -> Pushdown {
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
        case .isNull(let part): return Condition(value(part).map { .isNull($0.expression) })
        case .isNotNull(let part): return Condition(value(part).map { .isNotNull($0.expression) })
        case .comparison(let comparison, let left, let right): return compare(comparison, left, right)
        case .among(let part, let parameters): return among(part, parameters)
        case .listed(let part, let list): return Condition(listed(part, list))
        case .exists(let select): return exists(select)
        case .call(let name, let arguments): return test(name, arguments)
        case .column, .parameter, .number, .arithmetic, .complement, .searched, .boxed, .ranked, .hit, .scalar,
            .conditional:
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

    private func compare(_ comparison: SQLComparison, _ left: SQLExpression, _ right: SQLExpression) -> Condition {
        if case .call(let name, let arguments) = left, arguments.count == 2 {
            switch (name, right) {
            case (SQLFunctionLibrary.order, .number(0)):
                return Condition(digits(comparison, arguments[0], arguments[1]))
            case (SQLFunctionLibrary.isSame, .number(1)) where comparison == .equal || comparison == .differs:
                let isSame = digits(.same, arguments[0], arguments[1])
                return Condition(comparison == .equal ? isSame : isSame?.negated)
            case ("instr", .number(0)) where comparison == .greater:
                return contains(arguments[0], arguments[1])
            default: break
            }
        }
        if let folded = compareFolded(comparison, left, right) { return folded }
        guard let left = value(left), let right = value(right) else { return .unknown }
        return Condition(PushedComparison(comparison: comparison, left: left, right: right).condition)
    }

    /// A comparison of which one side may have more digits than a real number.
    private func digits(
        _ comparison: SQLComparison, _ left: SQLExpression, _ right: SQLExpression
    ) -> SQLExpression? {
        func operand(_ expression: SQLExpression) -> SQLExpression? {
            guard let value = value(expression) else { return nil }
            return value.kind == .integer ? value.expression : value.digits
        }
        guard let left = operand(left), let right = operand(right) else { return nil }
        return .comparison(comparison, left, right)
    }

    private func contains(_ text: SQLExpression, _ part: SQLExpression) -> Condition {
        guard let text = value(text), let part = value(part), text.kind == .text, part.kind == .text else {
            return .unknown
        }
        let found = SQLExpression.comparison(
            .greater, .call("strpos", [text.expression, part.expression]), .number(0))
        guard mayMislead(part) else { return Condition(found) }
        return Condition(upper: found, lower: .truth(false), isExact: false)
    }

    /// A question about two texts and the options that they are compared with.
    private func test(_ name: String, _ arguments: [SQLExpression]) -> Condition {
        guard arguments.count == 3, case .number(let options) = arguments[2], let text = value(arguments[0]),
            text.kind == .text, let part = value(arguments[1]), part.kind == .text
        else { return .unknown }
        guard name == SQLFunctionLibrary.hasSuffix || name == SQLFunctionLibrary.hasPrefix, options == 0 else {
            return FoldedTest(text.expression, options).condition(name, arguments[1])
        }
        guard !mayMislead(part) else { return .unknown }
        let end = SQLExpression.call(
            name == SQLFunctionLibrary.hasSuffix ? "pg_catalog.right" : "pg_catalog.left",
            [text.expression, .call("char_length", [part.expression])])
        return Condition(.comparison(.equal, end, part.expression))
    }

    /// A comparison of a text with a constant, both without regard to case or marks; nil for any other.
    private func compareFolded(
        _ comparison: SQLComparison, _ left: SQLExpression, _ right: SQLExpression
    ) -> Condition? {
        guard case .call(SQLFunctionLibrary.fold, let arguments) = left, arguments.count == 2,
            case .number(let options) = arguments[1], case .parameter(.text(let constant)) = right,
            let text = value(arguments[0]), text.kind == .text
        else { return nil }
        return FoldedTest(text.expression, options).compare(comparison, constant)
    }

    private func mayMislead(_ part: PushedValue) -> Bool {
        guard case .parameter(.text(let text)) = part.expression else { return true }
        return EscapedText.mayMislead(text)
    }

    // MARK: Lists

    private func among(_ part: SQLExpression, _ parameters: [SQLParameter]) -> Condition {
        if case .call(SQLFunctionLibrary.fold, _) = part {
            let choices = parameters.map { compare(.equal, part, .parameter($0)) }
            return Condition(
                upper: .disjunction(choices.map(\.upper)), lower: .disjunction(choices.map(\.lower)), isExact: false)
        }
        return Condition(choice(part, among: parameters))
    }

    private func choice(_ part: SQLExpression, among parameters: [SQLParameter]) -> SQLExpression? {
        guard let value = value(part) else { return nil }
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
        guard let value = value(part) else { return nil }
        switch (value.kind, list.encoding) {
        case (.integer, .integers), (.bytes, .digitsOfBlobs): return .listed(value.expression, list)
        // What is escaped stands in JSON as the number of its character.
        case (.text, .texts) where !list.json.contains("\\u0001"): return .listed(value.expression, list)
        default: return nil
        }
    }

    // MARK: Values

    /// A value as the database has it; nil where it is not certain to be what memory has.
    func value(_ expression: SQLExpression) -> PushedValue? {
        switch expression {
        case .column(let column): return self.column(column)
        case .parameter(.text(let text)):
            return PushedValue(expression: .parameter(.text(EscapedText.escaped(text))), kind: .text)
        case .parameter(let parameter): return PushedValue(expression: expression, kind: .init(parameter))
        case .number: return PushedValue(expression: expression, kind: .integer)
        case .scalar(let select): return scalar(select)
        case .conditional(let condition, let first, let second): return choice(condition, first, second)
        // The real number next to a decimal, to sort by: here decimals sort as they are.
        case .arithmetic(.add, let part, .number(0)) where value(part)?.kind == .decimal: return value(part)
        case .arithmetic(let sign, let left, let right):
            guard let left = value(left), let right = value(right) else { return nil }
            return PushedValue(sign, left, right)
        case .complement(let part):
            guard let value = value(part), value.kind == .integer else { return nil }
            return PushedValue(expression: .complement(value.expression), kind: .integer)
        case .call("coalesce", let parts): return sum(parts)
        default: return nil
        }
    }

    /// A sum that is 0 where there is nothing to add.
    private func sum(_ parts: [SQLExpression]) -> PushedValue? {
        guard parts.count == 2, parts[1] == .number(0), let value = value(parts[0]), value.kind == .mixed else {
            return nil
        }
        return PushedValue(expression: .call("coalesce", [value.expression, .number(0)]), kind: .mixed)
    }

    private func column(_ column: SQLColumn) -> PushedValue? {
        guard let table = tables[column.alias] else { return nil }
        let type = table.map { types.type(of: column.name, in: $0) } ?? .integer
        return type.map { PushedValue(expression: .column(column), kind: .init($0)) }
    }

    private func choice(
        _ condition: SQLExpression, _ first: SQLExpression, _ second: SQLExpression
    ) -> PushedValue? {
        let condition = self.condition(condition)
        guard condition.isExact, let first = value(first), let second = value(second) else { return nil }
        let kind = first.kind == .null ? second.kind : first.kind
        guard second.kind == kind || second.kind == .null else { return nil }
        return PushedValue(
            expression: .conditional(condition.upper, then: first.expression, otherwise: second.expression),
            kind: kind)
    }

    private func scalar(_ select: SQLSelect) -> PushedValue? {
        let inner = within(select.source)
        let condition = inner.condition(select.condition)
        guard condition.isExact else { return nil }
        guard let (result, kind) = inner.result(select.result) else { return nil }
        let value = SQLExpression.scalar(SQLSelect(result: result, source: select.source, condition: condition.upper))
        guard case .wholeSum = select.result else { return PushedValue(expression: value, kind: kind) }
        return PushedValue(expression: .call("coalesce", [value, .number(0)]), kind: kind)
    }

    private func result(_ result: SQLSelect.Result) -> (SQLSelect.Result, PushedValue.Kind)? {
        switch result {
        case .count: return (.count, .integer)
        case .aggregate(.count, let part): return value(part).map { (.aggregate(.count, $0.expression), .integer) }
        case .aggregate(let extreme, let part) where extreme == .minimum || extreme == .maximum:
            // Reals may be no numbers, which have no place among others; bytes have no least.
            guard let value = value(part), [.integer, .decimal, .text].contains(value.kind) else { return nil }
            return (.aggregate(extreme, value.expression), value.kind)
        case .wholeSum(let part), .aggregate(.sum, let part):
            guard let value = value(part), value.kind == .integer || value.kind == .mixed else { return nil }
            return (.aggregate(.sum, value.expression), .mixed)
        case .aggregate, .columns, .one, .keyed, .values: return nil
        }
    }
}
