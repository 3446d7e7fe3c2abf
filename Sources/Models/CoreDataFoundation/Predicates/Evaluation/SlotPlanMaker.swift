/// Compiles a predicate to steps, from the last to the first.
struct SlotPlanMaker<Reader: SlotReading> {
    let reader: Reader
    private(set) var steps: [SlotPlan.Step] = []
    /// The part of the predicate that each step evaluates.
    private(set) var parts: [NSPredicate] = []
    /// The bytes of the text constants, which the plan must deallocate.
    private(set) var texts: [TextTest.Bytes] = []

    init(reader: Reader) {
        self.reader = reader
    }

    /// Adds the steps of a predicate, which continue at `whenTrue` or `whenFalse`, and returns the index of the first
    /// step.
    mutating func append(_ node: PredicateNode, whenTrue: Int, whenFalse: Int) -> Int {
        switch node {
        case .constant(let value): return value ? whenTrue : whenFalse
        case .not(let part): return append(part, whenTrue: whenFalse, whenFalse: whenTrue)
        case .and(let parts):
            return parts.reversed().reduce(whenTrue) { append($1, whenTrue: $0, whenFalse: whenFalse) }
        case .or(let parts):
            return parts.reversed().reduce(whenFalse) { append($1, whenTrue: whenTrue, whenFalse: $0) }
        case .opaque(let predicate):
            return append([Self.unknown], part: predicate, whenTrue: whenTrue, whenFalse: whenFalse)
        case .comparison(let comparison):
            return append(
                conditions(comparison) ?? [Self.unknown], part: comparison, whenTrue: whenTrue, whenFalse: whenFalse)
        }
    }

    private typealias Condition = (slot: PlainSlot, test: SlotTest)

    private static var unknown: Condition { (PlainSlot(number: 0, kind: .text), .unknown) }

    /// Adds conditions that must all be true for a part to be true.
    private mutating func append(
        _ conditions: [Condition], part: NSPredicate, whenTrue: Int, whenFalse: Int
    ) -> Int {
        conditions.reversed().reduce(whenTrue) { next, condition in
            steps.append(
                SlotPlan.Step(slot: condition.slot, test: condition.test, whenTrue: next, whenFalse: whenFalse))
            parts.append(part)
            return steps.count - 1
        }
    }
}

extension SlotPlanMaker {
    /// The conditions of a comparison on a slot; nil unless it compares a property in a slot with a constant.
    private mutating func conditions(_ comparison: NSComparisonPredicate) -> [Condition]? {
        guard comparison.comparisonPredicateModifier == .direct else { return nil }
        let (left, right) = (comparison.leftExpression, comparison.rightExpression)
        let operation = comparison.predicateOperatorType
        if let slot = slot(of: left) {
            if operation == .between { return bounds(slot, right) }
            guard case .constant(let value) = right.form else { return nil }
            return test(slot, operation: operation, constant: value, options: comparison.options).map { [(slot, $0)] }
        }
        guard let slot = slot(of: right), case .constant(let value) = left.form, let operation = operation.mirrored
        else { return nil }
        return test(slot, operation: operation, constant: value, options: comparison.options).map { [(slot, $0)] }
    }

    private func slot(of expression: NSExpression) -> PlainSlot? {
        guard case .keyPath(nil, let key) = expression.form else { return nil }
        return reader.slot(of: key)
    }

    private mutating func bounds(_ slot: PlainSlot, _ right: NSExpression) -> [Condition]? {
        guard let bounds = right.constantElements, bounds.count == 2,
            ValueOrder.present(bounds[0]) != nil, ValueOrder.present(bounds[1]) != nil,
            let low = test(slot, operation: .greaterThanOrEqualTo, constant: bounds[0], options: []),
            let high = test(slot, operation: .lessThanOrEqualTo, constant: bounds[1], options: [])
        else { return nil }
        return [(slot, low), (slot, high)]
    }

    private mutating func test(
        _ slot: PlainSlot, operation: NSComparisonPredicate.Operator, constant: Any?,
        options: NSComparisonPredicate.Options
    ) -> SlotTest? {
        guard let constant = ValueOrder.present(constant) else {
            guard operation == .equalTo || operation == .notEqualTo else { return nil }
            return operation.accepted.map { SlotTest(subject: .null, accepted: $0) }
        }
        switch slot.kind {
        case .integer16, .integer32, .integer64, .boolean, .real:
            guard let number = ExactNumber(constant), let accepted = operation.accepted else { return nil }
            if case .integer(let integer) = number { return SlotTest(subject: .integer(integer), accepted: accepted) }
            return SlotTest(subject: .number(number), accepted: accepted)
        case .date:
            guard let date = constant as? Date, let accepted = operation.accepted else { return nil }
            let seconds = date.timeIntervalSinceReferenceDate
            return seconds.isNaN ? nil : SlotTest(subject: .date(seconds), accepted: accepted)
        case .text: return (constant as? String).flatMap { text(operation, constant: $0, options: options) }
        }
    }

    /// Makes a test of texts. nil for a constant with U+FFFD, as which damaged UTF-8 is read: it could equal other
    /// bytes.
    private mutating func text(
        _ operation: NSComparisonPredicate.Operator, constant: String, options: NSComparisonPredicate.Options
    ) -> SlotTest? {
        guard let place = operation.place, !constant.unicodeScalars.contains("\u{FFFD}") else { return nil }
        let isFolded = !options.isEmpty && !options.contains(.normalized)
        let text = TextTest(
            place: place, constant: kept(TextFolding.folded(constant, options: options)), isFolded: isFolded,
            ignoresCase: isFolded && options.contains(.caseInsensitive))
        return SlotTest(subject: .text(text), accepted: operation == .notEqualTo ? .unequal : .equal)
    }

    private mutating func kept(_ text: String) -> TextTest.Bytes {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
        _ = copy.initialize(from: text.utf8)
        texts.append(TextTest.Bytes(copy))
        return TextTest.Bytes(copy)
    }
}

extension NSComparisonPredicate.Operator {
    /// The outcomes of comparing value and constant for which the operator is true; nil for operators not based on
    /// order.
    fileprivate var accepted: SlotTest.Outcomes? {
        switch self {
        case .equalTo: .equal
        case .notEqualTo: .unequal
        case .lessThan: .less
        case .lessThanOrEqualTo: [.less, .equal]
        case .greaterThan: .greater
        case .greaterThanOrEqualTo: [.greater, .equal]
        default: nil
        }
    }

    /// The operator that gives the same result with the sides exchanged.
    fileprivate var mirrored: Self? {
        switch self {
        case .equalTo, .notEqualTo: self
        case .lessThan: .greaterThan
        case .lessThanOrEqualTo: .greaterThanOrEqualTo
        case .greaterThan: .lessThan
        case .greaterThanOrEqualTo: .lessThanOrEqualTo
        default: nil
        }
    }

    /// Where in a text the constant must be.
    fileprivate var place: TextTest.Place? {
        switch self {
        case .equalTo, .notEqualTo: .whole
        case .beginsWith: .start
        case .endsWith: .end
        case .contains: .anywhere
        default: nil
        }
    }
}
