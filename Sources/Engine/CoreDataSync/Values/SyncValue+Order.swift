import Foundation

extension SyncValue {
    /// Whether this value is less: by number, time, the scalars of a text or the bytes of data; null is less than all, values that are no
    /// numbers less than numbers, and kinds that cannot be compared are ordered by their tags.
    package func isLess(than other: SyncValue) -> Bool {
        switch (self, other) {
        case (.null, _): return !other.isNull
        case (_, .null): return false
        case (.date(let one), .date(let two)):
            if let order = Self.order(one, two) { return order }
        case (.string(let one), .string(let two)), (.uri(let one), .uri(let two)):
            return one.utf8.lexicographicallyPrecedes(two.utf8)
        case (.data(let one), .data(let two)): return one.lexicographicallyPrecedes(two)
        default:
            if let one = exactNumber, let two = other.exactNumber {
                if one != two { return one < two }
            } else if let one = number, let two = other.number, let order = Self.order(one, two) {
                return order
            }
        }
        return encoded.lexicographicallyPrecedes(other.encoded)
    }

    /// Whether a number is less than another; nil if they are equal, or both are no numbers.
    private static func order(_ one: Double, _ two: Double) -> Bool? {
        if one.isNaN || two.isNaN { return one.isNaN && two.isNaN ? nil : one.isNaN }
        return one == two ? nil : one < two
    }

    /// The number that an integer, a decimal or a Boolean is.
    private var exactNumber: Decimal? {
        switch self {
        case .int(let value): Decimal(value)
        case .decimal(let value): value.isNaN ? nil : value
        case .bool(let value): value ? 1 : 0
        default: nil
        }
    }

    /// The nearest number of double precision; nil for what is no number.
    private var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .bool(let value): value ? 1 : 0
        case .float(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): value.isNaN ? .nan : NSDecimalNumber(decimal: value).doubleValue
        default: nil
        }
    }

    /// Whether the value is a number that changes no sum.
    var isZero: Bool { number == 0 || isNull }

    /// The sum, in the type of the left value; integers wrap around, so that sums are the same in any order.
    package func adding(_ other: SyncValue) -> SyncValue {
        switch (self, other) {
        case (.null, _): other
        case (_, .null): self
        case (.int(let one), .int(let two)): .int(one &+ two)
        case (.double(let one), .double(let two)): .double(one + two)
        case (.float(let one), .float(let two)): .float(one + two)
        case (.decimal(let one), .decimal(let two)): .decimal(one + two)
        default: self
        }
    }

    /// The change from another value to this one; nil if they are no numbers of one type.
    package func difference(from other: SyncValue) -> SyncValue? {
        switch (self, other) {
        case (.int(let one), .int(let two)): .int(one &- two)
        case (.double(let one), .double(let two)): .double(one - two)
        case (.float(let one), .float(let two)): .float(one - two)
        case (.decimal(let one), .decimal(let two)): .decimal(one - two)
        default: nil
        }
    }
}
