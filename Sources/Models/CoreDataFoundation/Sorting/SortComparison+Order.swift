extension SortComparison {
    /// The comparison as Foundation's closure, which stops the process where `order` throws.
    var comparator: Comparator {
        if case .block(let comparator) = self { return comparator }
        return { left, right in orStop { try order(left, right) } }
    }

    /// The ascending order of two values: nil first; values of types that cannot be compared are equal.
    ///
    /// - Throws: `ExpressionError.unsupported` for a comparison that is not defined.
    package func order(_ left: Any?, _ right: Any?) throws -> ComparisonResult {
        guard let left = ValueOrder.present(flattened(left)) else {
            return ValueOrder.present(flattened(right)) == nil ? .orderedSame : .orderedAscending
        }
        guard let right = ValueOrder.present(flattened(right)) else { return .orderedDescending }
        switch self {
        case .standard: return ValueOrder.order(left, right) ?? Self.place(ofNaN: left, right)
        case .block(let comparator): return comparator(left, right)
        case .named(let name):
            guard let comparison = NamedComparisons.comparison(named: name) else {
                throw ExpressionError.unsupported("unsupported NSSortDescriptor selector: \(name)")
            }
            guard let left = left as? String, let right = right as? String else {
                return ValueOrder.order(left, right) ?? .orderedSame
            }
            return comparison(left, right)
        case .caseInsensitive, .localized, .localizedCaseInsensitive, .localizedStandard:
            return texts(left, right) ?? ValueOrder.order(left, right) ?? .orderedSame
        }
    }

    /// Orders NaN as a decimal after all numbers, as databases do; other values without an order are equal.
    private static func place(ofNaN left: Any, _ right: Any) -> ComparisonResult {
        guard let left = ExactNumber(left), let right = ExactNumber(right), left.isDecimalNaN != right.isDecimalNaN
        else { return .orderedSame }
        return left.isDecimalNaN ? .orderedDescending : .orderedAscending
    }

    private func texts(_ left: Any, _ right: Any) -> ComparisonResult? {
        guard let left = left as? String, let right = right as? String else { return nil }
        switch self {
        case .caseInsensitive: return TextComparison.order(left, right, options: .caseInsensitive)
        case .localized: return LocalizedOrder.order(left, right)
        case .localizedCaseInsensitive: return LocalizedOrder.caseInsensitiveOrder(left, right)
        default: return LocalizedOrder.standardOrder(left, right)
        }
    }
}
