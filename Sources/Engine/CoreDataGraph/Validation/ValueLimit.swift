import CoreDataStore

/// A rule of the model for an attribute's values, prepared to check many objects without boxing their values.
struct ValueLimit {
    /// A limit in each form in which numbers are stored.
    private struct Bound {
        let exact: Decimal
        /// The nearest allowed integer; nil if the limit is outside the range of `Int64`.
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
    /// The rule as a predicate, which errors contain; nil if the predicate in the model cannot be parsed.
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

    /// The error code for a value that breaks the rule: the number in the model, if it has one, otherwise Core Data's.
    var errorCode: Int { rule.warning.flatMap(Int.init) ?? rule.errorCode }

    /// Whether the rule is evaluated as a predicate, for which the value must be an object.
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

    /// Whether a number, or a date in seconds since the reference date, is allowed; NaN never satisfies a limit.
    func allows(real value: Double) -> Bool {
        switch test {
        case .least(let bound): value >= bound.real
        case .greatest(let bound): value <= bound.real
        case .shortest, .longest: true
        case .predicate: holds(for: NSNumber(value: value))
        }
    }

    /// Whether a string is allowed; lengths are numbers of UTF-16 units, like `length`.
    func allows(text: String) -> Bool {
        switch test {
        case .least, .greatest: true
        case .shortest(let length): text.utf16.count >= length
        case .longest(let length): text.utf16.count <= length
        case .predicate: holds(for: text)
        }
    }

    /// Whether a value of any type is allowed; a limit for another type of values allows it.
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

    /// Returns the number without loss; Foundation's `decimalValue` on Linux converts integers through `Double`.
    private func exact(_ number: NSNumber) -> Decimal? { ExactNumber(number)?.decimal }

    /// Whether the predicate is true for a value; false if it cannot be evaluated.
    private func holds(for value: Any) -> Bool {
        guard let predicate else { return false }
        return (try? evaluation(of: predicate, on: value)) ?? false
    }

    private static func bound(_ limit: Decimal, side: NSDecimalNumber.RoundingMode, kind: AttributeKind) -> Bound {
        var (source, whole) = (limit, Decimal())
        NSDecimalRound(&whole, &source, 0, side)
        // Converts through text, since direct conversions of decimals to binary numbers lose digits on Linux.
        let text = NSDecimalNumber(decimal: limit).stringValue
        let real = kind == .float ? Float(text).map(Double.init) : Double(text)
        return Bound(exact: limit, integer: Int64(NSDecimalNumber(decimal: whole).stringValue), real: real ?? .nan)
    }

    private static func bound(_ date: Date) -> Bound {
        Bound(exact: .nan, integer: nil, real: date.timeIntervalSinceReferenceDate)
    }
}
