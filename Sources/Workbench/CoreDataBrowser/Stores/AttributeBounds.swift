import CoreData

/// The bounds in an attribute's validation rules, for forms; null for a bound that no rule sets.
struct AttributeBounds {
    private(set) var least = JSONValue.null
    private(set) var greatest = JSONValue.null
    private(set) var leastLength = JSONValue.null
    private(set) var greatestLength = JSONValue.null
    private(set) var pattern = JSONValue.null

    init(_ rules: [ValidationRule], _ kind: AttributeKind) {
        for rule in rules {
            switch rule.check {
            case .minimum(let bound): least = Self.number(bound, kind)
            case .maximum(let bound): greatest = Self.number(bound, kind)
            case .earliest(let date): least = .string(ISODate.text(date))
            case .latest(let date): greatest = .string(ISODate.text(date))
            case .minimumLength(let count): leastLength = .count(count)
            case .maximumLength(let count): greatestLength = .count(count)
            case .pattern(let text): pattern = .string(text)
            case .predicate: break
            }
        }
    }

    private static func number(_ bound: Decimal, _ kind: AttributeKind) -> JSONValue {
        ValueCoding.json(NSDecimalNumber(decimal: bound), kind)
    }
}
