/// A condition on the value of one slot, with a prepared constant.
///
/// Comparing value and constant has one of four outcomes; a condition is the set of outcomes for which it is true.
struct SlotTest {
    struct Outcomes: OptionSet {
        let rawValue: UInt8

        static let less = Outcomes(rawValue: 1)
        static let equal = Outcomes(rawValue: 2)
        static let greater = Outcomes(rawValue: 4)
        /// Neither equal nor ordered: a nil, a NaN, or a text that does not match.
        static let neither = Outcomes(rawValue: 8)

        static let unequal: Outcomes = [.less, .greater, .neither]
    }

    /// What the value is compared with.
    enum Subject {
        case null
        case integer(Int64)
        case number(ExactNumber)
        case date(Double)
        case text(TextTest)
        /// The condition cannot be decided by slots.
        case unknown
    }

    let subject: Subject
    let accepted: Outcomes

    static var unknown: SlotTest { SlotTest(subject: .unknown, accepted: []) }

    /// Whether a value meets the condition; nil if only the evaluator can decide.
    func isMet(by value: SlotValue) -> Bool? {
        outcome(value).map { accepted.contains($0) }
    }

    private func outcome(_ value: SlotValue) -> Outcomes? {
        switch (value, subject) {
        case (.other, _), (_, .unknown): return nil
        case (.null, .null): return .equal
        case (.null, _), (_, .null): return .neither
        case (.integer(let value), .integer(let constant)): return Self.outcome(value, constant)
        case (.integer(let value), .number(let number)):
            return Self.outcome(ExactNumber.integer(value).order(to: number))
        case (.real(let value), .number(.double(let constant))): return Self.outcome(value, constant)
        case (.real(let value), .number(let number)): return Self.outcome(ExactNumber.double(value).order(to: number))
        case (.real(let value), .integer(let constant)):
            return Self.outcome(ExactNumber.double(value).order(to: .integer(constant)))
        case (.real(let value), .date(let constant)): return value.isNaN ? nil : Self.outcome(value, constant)
        case (.bytes(let bytes), .text(let test)):
            return test.matches(bytes.assumingMemoryBound(to: UInt8.self)).map { $0 ? .equal : .neither }
        case (.string(var text), .text(let test)):
            return text.withUTF8 { test.matches($0) }.map { $0 ? .equal : .neither }
        default: return nil
        }
    }

    private static func outcome<Value: Comparable>(_ value: Value, _ constant: Value) -> Outcomes {
        value < constant ? .less : value > constant ? .greater : value == constant ? .equal : .neither
    }

    private static func outcome(_ order: ComparisonResult?) -> Outcomes {
        switch order {
        case .orderedAscending?: .less
        case .orderedSame?: .equal
        case .orderedDescending?: .greater
        case nil: .neither
        }
    }
}
