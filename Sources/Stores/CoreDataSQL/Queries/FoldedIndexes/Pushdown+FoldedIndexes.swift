import CoreDataStore

extension Pushdown {
    /// A condition that a text is equal to a constant under options, with what an index of folded texts finds of it.
    func found(_ condition: Condition, of text: FoldedText, equalTo constant: String) -> Condition {
        guard let key = key(of: text) else { return condition }
        let wanted = Set([FoldedKey.key(of: text.constant(constant)), FoldedKey.other]).sorted()
        return condition.within(.among(key, wanted.map { .text($0) }))
    }

    /// Whether a folded text is one of several, which an index is asked once for; nil where there is none.
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

    /// A condition that a text begins with a constant under options, with what an index of folded texts finds of it.
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

    /// What an index has of a text; nil where there is none.
    private func key(of text: FoldedText) -> SQLExpression? {
        guard !text.options.isEmpty, case .column(let column) = text.text.expression,
            let table = tables[column.alias].flatMap({ $0 }), types.hasFoldedIndex(of: column.name, in: table)
        else { return nil }
        return .foldedKey(column)
    }
}

extension Pushdown.Condition {
    /// The condition, asked only where another holds too that holds wherever this one does.
    fileprivate func within(_ other: SQLExpression) -> Self {
        guard !isExact else { return Self(.conjunction([other, upper])) }
        return Self(upper: .conjunction([other, upper]), lower: lower, isExact: false)
    }
}
