import CoreDataModeling

/// A value by which an object or a row is sorted, in a form that allows fast comparisons for common types.
package enum SortKey {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case value(Any)

    package init(_ value: Any?) {
        self = value.map { .value($0) } ?? .null
    }

    /// The sort key of a slot's value; nil if the comparison needs the value that key-value coding returns.
    package init?(_ value: SlotValue, for comparison: SortComparison) {
        switch comparison {
        case .block, .named: return nil
        default: break
        }
        switch value {
        case .null: self = .null
        case .integer(let integer): self = .integer(integer)
        case .real(let real) where !real.isNaN: self = .real(real)
        case .bytes(let bytes): self = .text(String(decoding: bytes, as: UTF8.self))
        case .string(let text): self = .text(text)
        case .real, .other: return nil
        }
    }

    /// Compares two keys in ascending order; nil precedes everything else.
    ///
    /// - Throws: the errors of the comparison.
    package func order(to other: SortKey, by comparison: SortComparison) throws -> ComparisonResult {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): return Self.order(left, right)
        case (.real(let left), .real(let right)): return Self.order(left, right)
        case (.null, .null): return .orderedSame
        case (.null, _): return .orderedAscending
        case (_, .null): return .orderedDescending
        case (.text(let left), .text(let right)):
            if case .standard = comparison { return TextComparison.order(left, right) }
            return try comparison.order(left, right)
        // A row stores a date as a number; key-value coding of an object returns a `Date`.
        case (.value(let left as Date), .real(let right)):
            return Self.order(left.timeIntervalSinceReferenceDate, right)
        case (.real(let left), .value(let right as Date)):
            return Self.order(left, right.timeIntervalSinceReferenceDate)
        default: return try comparison.order(value, other.value)
        }
    }

    private static func order<Number: Comparable>(_ left: Number, _ right: Number) -> ComparisonResult {
        left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
    }

    private var value: Any? {
        switch self {
        case .null: nil
        case .integer(let integer): integer
        case .real(let real): real
        case .text(let text): text
        case .value(let value): value
        }
    }
}

extension Sequence {
    /// Sorts the elements by several columns; `key` returns the sort key of an element in a column. The sort is stable.
    ///
    /// - Throws: the errors of `key` and of the comparisons.
    package func sorted(
        by columns: [Sorting], key: (Element, Int) throws -> SortKey
    ) throws -> [Element] {
        let elements = Array(self)
        let keys = try columns.indices.map { number in try elements.map { try key($0, number) } }
        return try elements.indices.sorted { left, right in
            for (number, column) in columns.enumerated() {
                let order = try keys[number][left].order(to: keys[number][right], by: column.comparison)
                if order != .orderedSame { return (order == .orderedAscending) == column.ascending }
            }
            return left < right
        }.map { elements[$0] }
    }
}
