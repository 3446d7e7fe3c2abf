/// One operator of a comparison predicate on two values.
///
/// nil equals nil and differs from everything else. Every other operator is false if a side is nil, except `IN` and
/// `CONTAINS` on a list that contains nil. Values whose types cannot be compared are unequal and not ordered.
struct Comparison {
    let operation: NSComparisonPredicate.Operator
    let options: NSComparisonPredicate.Options

    func holds(_ left: Any?, _ right: Any?) throws -> Bool {
        switch operation {
        case .equalTo: return ValueOrder.areEqual(left, right, options: options)
        case .notEqualTo: return !ValueOrder.areEqual(left, right, options: options)
        case .lessThan: return order(left, right) == .orderedAscending
        case .greaterThan: return order(left, right) == .orderedDescending
        case .lessThanOrEqualTo: return order(left, right).map { $0 != .orderedDescending } ?? false
        case .greaterThanOrEqualTo: return order(left, right).map { $0 != .orderedAscending } ?? false
        case .between: return try isBetween(left, right)
        case .in: return try isMember(left, of: right)
        case .contains: return try contains(left, right)
        case .beginsWith:
            return try texts(left, right).map { TextComparison.hasPrefix($0, $1, options: options) } ?? false
        case .endsWith:
            return try texts(left, right).map { TextComparison.hasSuffix($0, $1, options: options) } ?? false
        case .like: return try texts(left, right).map { TextComparison.isLike($0, $1, options: options) } ?? false
        case .matches:
            guard let (text, pattern) = try texts(left, right) else { return false }
            return try PatternMatcher.matcher(for: pattern, options: options).matches(text)
        case .customSelector: throw ExpressionError.unsupported("a custom selector")
        }
    }

    private func order(_ left: Any?, _ right: Any?) -> ComparisonResult? {
        ValueOrder.order(left, right, options: options)
    }

    private func isBetween(_ value: Any?, _ bounds: Any?) throws -> Bool {
        guard let bounds = elements(of: bounds), bounds.count == 2 else {
            throw ExpressionError.unsuitableRightSide(operation: "BETWEEN")
        }
        guard let low = order(bounds[0], value), let high = order(value, bounds[1]) else { return false }
        return low != .orderedDescending && high != .orderedDescending
    }

    private func isMember(_ value: Any?, of collection: Any?) throws -> Bool {
        guard let collection = ValueOrder.present(collection) else { return false }
        if let list = elements(of: collection) { return ValueList.contains(value, in: list, options: options) }
        guard let text = collection as? String else { throw ExpressionError.unsuitableRightSide(operation: "IN") }
        return (value as? String).map { TextComparison.contains(text, $0, options: options) } ?? false
    }

    private func contains(_ collection: Any?, _ value: Any?) throws -> Bool {
        if let list = elements(of: collection) { return ValueList.contains(value, in: list, options: options) }
        return try texts(collection, value).map { TextComparison.contains($0, $1, options: options) } ?? false
    }

    /// Both sides as strings; nil if a side is nil. Throws for values other than texts and URLs.
    private func texts(_ left: Any?, _ right: Any?) throws -> (String, String)? {
        guard let left = ValueOrder.present(left), let right = ValueOrder.present(right) else { return nil }
        return (try text(left), try text(right))
    }

    private func text(_ value: Any) throws -> String {
        if let text = value as? String { return text }
        if let url = value as? URL { return url.absoluteString }
        throw ExpressionError.wrongType(operation: operation.name, type: String(describing: type(of: value)))
    }
}
