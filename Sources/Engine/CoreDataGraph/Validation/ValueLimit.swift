import CoreDataStore

/// A rule of the model for an attribute's values, made ready for being asked of many objects without boxing.
struct ValueLimit {
    /// A limit for numbers in each form that numbers are kept in.
    private struct Bound {
        let exact: Decimal
        /// The nearest integer on the allowed side; nil where the limit is beyond all of them.
        let integer: Int64?
        let real: Double
    }

    private enum Test {
        case least(Bound)
        case greatest(Bound)
        case shortest(Int)
        case longest(Int)
        case predicate
    }

    let rule: ValidationRule
    /// The rule as errors show it; nil if the model's text does not parse.
    let predicate: NSPredicate?
    private let test: Test

    init(_ rule: ValidationRule, _ kind: AttributeKind) {
        self.rule = rule
        predicate = rule.predicate
        test =
            switch rule.check {
            case .minimum(let limit): .least(Self.bound(limit, side: .up, kind: kind))
            case .maximum(let limit): .greatest(Self.bound(limit, side: .down, kind: kind))
            case .earliest(let date): .least(Self.bound(date))
            case .latest(let date): .greatest(Self.bound(date))
            case .minimumLength(let length): .shortest(length)
            case .maximumLength(let length): .longest(length)
            case .pattern, .predicate: .predicate
            }
    }

    /// The code of the error for a value that breaks the rule: the model's own number, or Core Data's.
    var errorCode: Int { rule.warning.flatMap(Int.init) ?? rule.errorCode }

    /// Whether the rule is asked as a predicate, which needs the value as an object.
    var needsObject: Bool {
        if case .predicate = test { return true }
        return false
    }

    func allows(integer value: Int64) -> Bool {
        switch test {
        case .least(let bound): bound.integer.map { value >= $0 } ?? (Decimal(value) >= bound.exact)
        case .greatest(let bound): bound.integer.map { value <= $0 } ?? (Decimal(value) <= bound.exact)
        case .shortest, .longest: true
        case .predicate: holds(for: NSNumber(value: value))
        }
    }

    /// Whether a number, or a date in seconds since the reference date, is allowed; no limit allows what is not a number.
    func allows(real value: Double) -> Bool {
        switch test {
        case .least(let bound): value >= bound.real
        case .greatest(let bound): value <= bound.real
        case .shortest, .longest: true
        case .predicate: holds(for: NSNumber(value: value))
        }
    }

    /// Whether a text is allowed; lengths count UTF-16 units, as `length` does.
    func allows(text: String) -> Bool {
        switch test {
        case .least, .greatest: true
        case .shortest(let length): text.utf16.count >= length
        case .longest(let length): text.utf16.count <= length
        case .predicate: holds(for: text)
        }
    }

    /// Whether any value is allowed; limits for other types of values allow it.
    func allows(_ value: Any) -> Bool {
        switch (test, value) {
        case (.predicate, _): holds(for: value)
        case (_, let text as String): allows(text: text)
        case (_, let date as Date): allows(real: date.timeIntervalSinceReferenceDate)
        case (_, let number as NSNumber) where number.doubleValue.isInfinite: allows(real: number.doubleValue)
        case (.least(let bound), let number as NSNumber): exact(number).map { $0 >= bound.exact } ?? false
        case (.greatest(let bound), let number as NSNumber): exact(number).map { $0 <= bound.exact } ?? false
        default: true
        }
    }

    /// The number without loss; Foundation's `decimalValue` takes integers through binary fractions here.
    private func exact(_ number: NSNumber) -> Decimal? { ExactNumber(number)?.decimal }

    /// Whether the predicate holds; one that cannot be evaluated lets no value pass.
    private func holds(for value: Any) -> Bool {
        guard let predicate else { return false }
        return (try? evaluation(of: predicate, on: value)) ?? false
    }

    private static func bound(_ limit: Decimal, side: NSDecimalNumber.RoundingMode, kind: AttributeKind) -> Bound {
        var (source, whole) = (limit, Decimal())
        NSDecimalRound(&whole, &source, 0, side)
        // Through text: the conversions of decimals to binary numbers lose digits here.
        let text = NSDecimalNumber(decimal: limit).stringValue
        let real = kind == .float ? Float(text).map(Double.init) : Double(text)
        return Bound(exact: limit, integer: Int64(NSDecimalNumber(decimal: whole).stringValue), real: real ?? .nan)
    }

    private static func bound(_ date: Date) -> Bound {
        Bound(exact: .nan, integer: nil, real: date.timeIntervalSinceReferenceDate)
    }
}
