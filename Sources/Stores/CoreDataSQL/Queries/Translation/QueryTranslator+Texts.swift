import CoreDataStore

extension QueryTranslator {
    /// Translates BEGINSWITH, ENDSWITH, LIKE and MATCHES, and CONTAINS on texts; adds a search in an index if one
    /// helps.
    func search(
        _ operation: NSComparisonPredicate.Operator, left: Operand, right: Operand,
        options: NSComparisonPredicate.Options
    ) throws -> SQLExpression {
        let condition = try test(operation, left: left, right: right, options: options)
        guard case .scalar(.column(let column), .text) = left, let index = searchable[column],
            case .constant(let pattern as String) = right,
            !hasIndexedRange(column, operation: operation, options: options),
            let question = SearchPattern.question(operation, pattern: pattern, options: options)
        else { return condition }
        let key = SQLColumn(column.alias, "Z_PK")
        return .conjunction([.searched(key, SQLSearch(index: index, question: question)), condition])
    }

    /// Returns the condition that words occur in a text more often than `bound`, with a search in a word index if one
    /// helps.
    func searched(_ count: Operand, above bound: Operand, _ condition: SQLExpression) -> SQLExpression {
        guard case .scalar(.call(SQLFunctionLibrary.name(of: .occurrences), let arguments), _) = count,
            arguments.count == 2, case .parameter(.text(let words)) = arguments[0],
            case .column(let column) = arguments[1], let index = searchable[column],
            case .constant(let bound?) = bound, ExactNumber(bound)?.order(to: .integer(0)) != .orderedAscending,
            let question = SearchPattern.question(words: words)
        else { return condition }
        let search = SQLSearch(index: index, question: question, isOfWords: true)
        return .conjunction([.searched(SQLColumn(column.alias, "Z_PK"), search), condition])
    }

    /// Whether one of the store's own indexes finds the texts with a prefix.
    private func hasIndexedRange(
        _ column: SQLColumn, operation: NSComparisonPredicate.Operator, options: NSComparisonPredicate.Options
    ) -> Bool {
        operation == .beginsWith && options.isEmpty
            && schema.indexes.contains { $0.elements.first?.column == column.name && $0.condition == nil }
    }

    private func test(
        _ operation: NSComparisonPredicate.Operator, left: Operand, right: Operand,
        options: NSComparisonPredicate.Options
    ) throws -> SQLExpression {
        guard let text = try self.text(of: left, operation), let part = try self.text(of: right, operation) else {
            return .truth(false)
        }
        if case .parameter(.text(let constant)) = part {
            if operation == .matches { _ = try PatternMatcher.matcher(for: constant, options: options) }
            if constant.isEmpty, operation != .like, operation != .matches { return .isNotNull(text) }
            if operation == .beginsWith, options.isEmpty { return range(text, constant) }
        }
        if operation == .contains, options.isEmpty {
            return .comparison(.greater, .call("instr", [text, part]), .number(0))
        }
        return .call(Self.functions[operation] ?? "", [text, part, .number(Int(options.rawValue))])
    }

    private static let functions: [NSComparisonPredicate.Operator: String] = [
        .beginsWith: SQLFunctionLibrary.hasPrefix, .endsWith: SQLFunctionLibrary.hasSuffix,
        .contains: SQLFunctionLibrary.contains, .like: SQLFunctionLibrary.isLike, .matches: SQLFunctionLibrary.matches,
    ]

    /// Returns an operand as text; nil for nil, for which every search is false.
    private func text(
        of operand: Operand, _ operation: NSComparisonPredicate.Operator
    ) throws -> SQLExpression? {
        switch operand {
        case .scalar(let value, .text), .scalar(let value, .url): return value
        case .constant(nil): return nil
        case .constant(let text as String): return .parameter(.text(text))
        case .constant(let url as URL): return .parameter(.text(url.absoluteString))
        case .collection(let collection): throw needsQuantifier(collection)
        default: throw QueryError(.unsuitableType, "\(operation.name) cannot use \(operand.typeName)")
        }
    }

    /// Returns the condition that a text has a prefix as a range, for which an index can be used.
    private func range(_ text: SQLExpression, _ prefix: String) -> SQLExpression {
        let start = SQLExpression.comparison(.greaterOrEqual, text, .parameter(.text(prefix)))
        guard let end = Self.end(of: prefix) else { return start }
        return .all([start, .comparison(.less, text, .parameter(.text(end)))])
    }

    /// Returns the least text that is greater than all texts with a prefix; nil if there is none.
    static func end(of prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            // The scalar after U+D7FF is U+E000, as surrogates are not scalars.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let scalar = UnicodeScalar(next) else { continue }
            var result = String.UnicodeScalarView(scalars)
            result.append(scalar)
            return String(result)
        }
        return nil
    }
}
