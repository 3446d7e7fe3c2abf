import CoreDataStore

extension QueryTranslator {
    /// Returns the condition for an operator with two operands.
    mutating func compare(
        _ comparison: OperandComparison, left: Operand, right: Operand
    ) throws -> SQLExpression {
        let options = comparison.options
        if case .constant(let left) = left, case .constant(let right) = right {
            return .truth(try Self.holds(comparison, left: left, right: right))
        }
        if let names = try nameComparison(comparison, left: left, right: right) { return names }
        try refuseComposites(comparison, left: left, right: right)
        switch comparison.operation {
        case .equalTo: return try equality(left, right: right, options: options)
        case .notEqualTo: return try equality(left, right: right, options: options).negated
        case .lessThan: return try ordering(.less, left: left, right: right, options: options)
        case .lessThanOrEqualTo: return try ordering(.lessOrEqual, left: left, right: right, options: options)
        case .greaterThan:
            return try searched(left, above: right, ordering(.greater, left: left, right: right, options: options))
        case .greaterThanOrEqualTo: return try ordering(.greaterOrEqual, left: left, right: right, options: options)
        case .between: return try between(left, bounds: right, options: options)
        case .in: return try membership(of: left, in: right, options)
        case .contains: return try containment(of: right, in: left, options)
        case .beginsWith, .endsWith, .like, .matches:
            return try search(comparison.operation, left: left, right: right, options: options)
        case .customSelector: throw QueryError(.unsupported, "a custom selector has no SQL")
        }
    }

    /// Throws if a composite attribute is compared with anything but nil, as stores in memory do.
    private func refuseComposites(_ comparison: OperandComparison, left: Operand, right: Operand) throws {
        for (side, other, isLeft) in [(left, right, true), (right, left, false)] {
            guard case .scalar(_, let kind) = side, case .composite = kind else { continue }
            switch (comparison.operation, other) {
            case (.equalTo, .constant(nil)), (.notEqualTo, .constant(nil)): continue
            case (.in, .constant(nil)) where isLeft: continue
            case (.in, .constant(let content)) where isLeft:
                if let list = elements(of: content), list.allSatisfy({ present($0) == nil }) { continue }
            default: break
            }
            throw opaque(kind)
        }
    }

    static func holds(_ comparison: OperandComparison, left: Any?, right: Any?) throws -> Bool {
        let predicate = NSComparisonPredicate(
            leftExpression: NSExpression(.constant(left)), rightExpression: NSExpression(.constant(right)),
            modifier: .direct, type: comparison.operation, options: comparison.options)
        return try evaluation(of: predicate, on: nil)
    }

    // MARK: Equality

    func equality(
        _ left: Operand, right: Operand, options: NSComparisonPredicate.Options
    ) throws -> SQLExpression {
        switch (left, right) {
        case (.constant(let left), .constant(let right)):
            return .truth(ValueOrder.areEqual(left, right, options: options))
        case (.constant(let value), let other), (let other, .constant(let value)):
            return try equality(other, to: value, options)
        case (.scalar(let left, let leftKind), .scalar(let right, let rightKind)):
            guard leftKind.isComparable(to: rightKind) else {
                guard !leftKind.isOpaque, !rightKind.isOpaque else { throw opaque(leftKind, rightKind) }
                return bothNil(left, right)
            }
            guard !leftKind.isExact, !rightKind.isExact else {
                return .comparison(.equal, .call(SQLFunctionLibrary.isSame, [left, right]), .number(1))
            }
            return .comparison(
                .same, folded(left, kind: leftKind, options: options), folded(right, kind: rightKind, options: options))
        case (.record(let left), .record(let right)) where left.entity.rootNumber == right.entity.rootNumber:
            return .comparison(.same, .column(left.key), .column(right.key))
        case (.entity(let left), .entity(let right)): return .comparison(.same, left, right)
        default:
            guard let leftKey = key(of: left), let rightKey = key(of: right) else {
                throw unsuitable("==", left: left, right: right)
            }
            return bothNil(leftKey, rightKey)
        }
    }

    private func bothNil(_ left: SQLExpression, _ right: SQLExpression) -> SQLExpression {
        .conjunction([.isNull(left), .isNull(right)])
    }

    /// Returns an expression that is NULL exactly if the operand is nil; nil for constants, lists and collections.
    func key(of operand: Operand) -> SQLExpression? {
        switch operand {
        case .scalar(let value, _), .entity(let value): value
        case .record(let record): .column(record.key)
        case .constant, .list, .collection, .combined, .entityName: nil
        }
    }

    private func equality(
        _ operand: Operand, to value: Any?, _ options: NSComparisonPredicate.Options
    ) throws -> SQLExpression {
        guard let column = key(of: operand) else { throw unsuitable("==", left: operand, right: .constant(value)) }
        guard let value else {
            if case .record(let record) = operand, record.isOwnRow { return .truth(false) }
            return .isNull(column)
        }
        switch operand {
        case .scalar(let expression, let kind):
            if kind.isOpaque { throw opaque(kind) }
            if kind.isExact {
                guard let number = ExactNumber(value) else { return .truth(false) }
                return exactly(.equal, value: expression, number: number)
            }
            let text = kind.ignoring(options)
            guard let parameter = parameter(for: value, kind, text) else { return .truth(false) }
            return .comparison(.equal, folded(expression, kind: kind, options: text), .parameter(parameter))
        case .record(let record):
            guard let key = self.key(of: value, like: record.entity) else { return .truth(false) }
            return .comparison(.equal, column, .parameter(.integer(key)))
        case .entity:
            guard let entity = value as? NSEntityDescription,
                let number = schema.entity(named: entity.name ?? "")?.number
            else { return .truth(false) }
            return .comparison(.equal, column, .number(number))
        case .constant, .list, .collection, .combined, .entityName:
            throw unsuitable("==", left: operand, right: .constant(value))
        }
    }

    /// Returns a comparison with a number by the SQL function that compares decimals exactly.
    private func exactly(_ comparison: SQLComparison, value: SQLExpression, number: ExactNumber) -> SQLExpression {
        .comparison(comparison, .call(SQLFunctionLibrary.order, [value, argument(number).0]), .number(0))
    }

    /// Returns the value in the form that columns of the kind store; nil if none can contain it.
    func parameter(
        for value: Any, _ kind: ValueKind, _ options: NSComparisonPredicate.Options
    ) -> SQLParameter? {
        guard kind.numberKind != nil else { return kind.parameter(for: value, options: options) }
        guard let number = Self.number(value, comparedWith: kind) else { return nil }
        return number.isDecimalNaN ? NumberBound.decimalNaN : NumberBound(number)?.exact
    }

    /// Returns the number to compare with values of a kind; nil for a value that is not a number.
    ///
    /// A column of decimals stores a limited number of digits, so a decimal is rounded as a save would round it.
    private static func number(_ value: Any, comparedWith kind: ValueKind) -> ExactNumber? {
        guard let number = ExactNumber(value), kind == .number(.decimal), case .decimal(let decimal) = number else {
            return ExactNumber(value)
        }
        return .decimal(KeptDecimal.rounded(decimal))
    }

    /// Returns the key of the record that a value identifies; nil if it is of another store or table, or was never
    /// saved.
    func key(of value: Any, like entity: EntityMapping) -> Int64? {
        guard let row = (value as? any RecordIdentifying)?.recordAddress, row.storeIdentifier == storeIdentifier,
            let own = schema.entity(named: row.entity.name ?? ""), own.rootNumber == entity.rootNumber
        else { return nil }
        return row.key
    }

    func folded(
        _ value: SQLExpression, kind: ValueKind, options: NSComparisonPredicate.Options
    ) -> SQLExpression {
        guard kind == .text || kind == .url, !options.isEmpty else { return value }
        return .call(SQLFunctionLibrary.fold, [value, .number(Int(options.rawValue))])
    }

    // MARK: Order

    private func ordering(
        _ comparison: SQLComparison, left: Operand, right: Operand, options: NSComparisonPredicate.Options
    ) throws -> SQLExpression {
        switch (left, right) {
        case (.constant(let left), .constant(let right)):
            return .truth(ValueOrder.order(left, right, options: options).map(comparison.holds) ?? false)
        case (.constant(let value), .scalar(let other, let kind)):
            return try ordering(comparison.mirrored, column: other, kind: kind, value: value, options: options)
        case (.scalar(let other, let kind), .constant(let value)):
            return try ordering(comparison, column: other, kind: kind, value: value, options: options)
        case (.scalar(let left, let leftKind), .scalar(let right, let rightKind)):
            if leftKind.isOpaque || rightKind.isOpaque { throw opaque(leftKind, rightKind) }
            guard leftKind.isComparable(to: rightKind) else { return .truth(false) }
            guard !leftKind.isExact, !rightKind.isExact else {
                return .comparison(comparison, .call(SQLFunctionLibrary.order, [left, right]), .number(0))
            }
            let ordered = SQLExpression.comparison(
                comparison, folded(left, kind: leftKind, options: options),
                folded(right, kind: rightKind, options: options))
            return Self.amongNumbers(ordered, comparison: comparison, left: (left, leftKind), right: (right, rightKind))
        case (.collection(let collection), _), (_, .collection(let collection)): throw needsQuantifier(collection)
        case (.combined, _), (_, .combined): throw unsuitable("an order", left: left, right: right)
        default: return .truth(false)
        }
    }

    private func ordering(
        _ comparison: SQLComparison, column: SQLExpression, kind: ValueKind, value: Any?,
        options: NSComparisonPredicate.Options
    ) throws -> SQLExpression {
        if kind.isOpaque { throw opaque(kind) }
        guard let value else { return .truth(false) }
        if kind.isExact {
            return ExactNumber(value).map { exactly(comparison, value: column, number: $0) } ?? .truth(false)
        }
        guard kind.numberKind == nil else {
            guard let number = Self.number(value, comparedWith: kind) else { return .truth(false) }
            if number.isDecimalNaN {
                guard kind == .number(.decimal), comparison.holds(.orderedSame) else { return .truth(false) }
                return .comparison(.equal, column, .parameter(NumberBound.decimalNaN))
            }
            guard let bound = NumberBound(number) else { return .truth(false) }
            let ordered = SQLExpression.comparison(bound.comparison(comparison), column, .parameter(bound.parameter))
            return Self.amongNumbers(ordered, comparison: comparison, left: (column, kind), right: nil)
        }
        guard let parameter = kind.parameter(for: value, options: options) else { return .truth(false) }
        return .comparison(comparison, folded(column, kind: kind, options: options), .parameter(parameter))
    }

    /// Returns a comparison that is false for the decimal NaN: a column stores NaN as text, which is greater than all
    /// numbers.
    private static func amongNumbers(
        _ ordered: SQLExpression, comparison: SQLComparison, left: (SQLExpression, ValueKind),
        right: (SQLExpression, ValueKind)?
    ) -> SQLExpression {
        let isAbove = comparison == .greater || comparison == .greaterOrEqual
        guard let (upper, kind) = isAbove ? left : right, kind == .number(.decimal) else { return ordered }
        let isNumber = SQLExpression.comparison(.less, upper, .parameter(.text("")))
        guard let right, comparison.holds(.orderedSame) else { return .conjunction([ordered, isNumber]) }
        let isSame = SQLExpression.comparison(.equal, left.0, right.0)
        return .conjunction([ordered, .disjunction([isNumber, isSame])])
    }

    private func between(
        _ value: Operand, bounds: Operand, options: NSComparisonPredicate.Options
    ) throws -> SQLExpression {
        let pair: [Operand]
        switch bounds {
        case .list(let operands): pair = operands
        case .constant(let list): pair = (elements(of: list) ?? []).map { .constant(present($0)) }
        default: pair = []
        }
        guard pair.count == 2 else { throw ExpressionError.unsuitableRightSide(operation: "BETWEEN") }
        return .conjunction([
            try ordering(.greaterOrEqual, left: value, right: pair[0], options: options),
            try ordering(.lessOrEqual, left: value, right: pair[1], options: options),
        ])
    }

    // MARK: Errors

    /// Makes the error of values that can only be compared with nil.
    func opaque(_ kinds: ValueKind...) -> QueryError {
        for case .composite(let place) in kinds {
            return QueryError(
                .notStored, entity: place.entity, key: place.key, QueryRefusal.compositeReason(element: place.element))
        }
        return QueryError(
            .notStored, "the store has this attribute's values in a form of its own and can only compare them with nil")
    }

    func needsQuantifier(_ collection: Collection) -> QueryError {
        QueryError(
            .needsQuantifier, entity: collection.owner.entity.name, key: collection.mapping.name,
            "a path through a to-many relationship needs ANY, ALL or NONE, or an operator such as @count")
    }

    func unsuitable(_ operation: String, left: Operand, right: Operand) -> QueryError {
        for case .collection(let collection) in [left, right] { return needsQuantifier(collection) }
        return QueryError(.unsuitableType, "\(operation) cannot compare \(left.typeName) with \(right.typeName)")
    }
}

extension ValueKind {
    /// Returns the options that equality applies: URLs are always compared byte by byte.
    func ignoring(_ options: NSComparisonPredicate.Options) -> NSComparisonPredicate.Options {
        self == .text ? options : []
    }
}

extension SQLComparison {
    /// The equivalent comparison with the two sides exchanged.
    var mirrored: SQLComparison {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .equal, .same, .differs: self
        }
    }

    /// Whether the comparison is true for two values in this order.
    func holds(_ order: ComparisonResult) -> Bool {
        switch self {
        case .less: order == .orderedAscending
        case .lessOrEqual: order != .orderedDescending
        case .greater: order == .orderedDescending
        case .greaterOrEqual: order != .orderedAscending
        case .equal, .same: order == .orderedSame
        case .differs: order != .orderedSame
        }
    }
}
