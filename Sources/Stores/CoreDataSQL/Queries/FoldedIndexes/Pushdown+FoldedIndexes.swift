import CoreDataStore

extension Pushdown {
    /// Returns the condition that a text equals a constant under options, narrowed by a lookup in a folded text index
    /// if one exists.
    func found(_ condition: Condition, of text: FoldedText, equalTo constant: String) -> Condition {
        guard let key = key(of: text) else { return condition }
        let wanted = Set([FoldedKey.key(of: text.constant(constant)), FoldedKey.other]).sorted()
        return condition.within(.among(key, wanted.map { .text($0) }))
    }

    /// Returns the condition that a folded text is one of several, with a single lookup in an index; nil if there is no
    /// index.
    func choice(ofFolded part: SQLExpression, among parameters: [SQLParameter]) -> Condition? {
        guard case .call(SQLFunctionLibrary.fold, let arguments) = part, arguments.count == 2,
            case .number(let options) = arguments[1], let text = value(arguments[0]), text.kind == .text,
            let key = key(of: FoldedText(text, options))
        else { return nil }
        var (keys, conditions) = (Set([FoldedKey.other]), [Condition]())
        for parameter in parameters {
            guard case .text(let constant) = parameter,
                let condition = compareFolded(.equal, left: part, right: .parameter(parameter), looksUp: false)
            else { return nil }
            keys.insert(FoldedKey.key(of: FoldedText(text, options).constant(constant)))
            conditions.append(condition)
        }
        return Condition(
            upper: .disjunction(conditions.map(\.upper)), lower: .disjunction(conditions.map(\.lower)),
            isExact: conditions.allSatisfy(\.isExact)
        ).within(.among(key, keys.sorted().map { .text($0) }))
    }

    /// Returns the condition that a text begins with a constant under options, narrowed by a lookup in a folded text
    /// index if one exists.
    func found(_ condition: Condition, of text: FoldedText, beginningWith constant: String) -> Condition {
        guard let key = key(of: text) else { return condition }
        let start = FoldedKey.key(of: text.constant(constant))
        guard !start.isEmpty else { return condition }
        var range = [SQLExpression.comparison(.greaterOrEqual, key, .parameter(.text(start)))]
        if let end = QueryTranslator.end(of: start) { range.append(.comparison(.less, key, .parameter(.text(end)))) }
        return condition.within(
            .disjunction([
                .conjunction(range), .comparison(.equal, key, .parameter(.text(FoldedKey.other))),
            ]))
    }

    /// Returns the indexed expression of a text; nil if there is no index.
    private func key(of text: FoldedText) -> SQLExpression? {
        guard !text.options.isEmpty, case .column(let column) = text.text.expression,
            let table = tables[column.alias].flatMap({ $0 }), types.hasFoldedIndex(of: column.name, in: table)
        else { return nil }
        return .foldedKey(column)
    }
}

extension Pushdown.Condition {
    /// Returns the condition, evaluated only for rows that match `other`, which must be true wherever the condition is.
    fileprivate func within(_ other: SQLExpression) -> Self {
        guard !isExact else { return Self(.conjunction([other, upper])) }
        return Self(upper: .conjunction([other, upper]), lower: lower, isExact: false)
    }
}
