import Foundation

extension SyncValue {
    /// Whether this value is less, by number, time or scalars; null is less than all, and kinds that cannot be compared are ordered by
    /// their bytes.
    package func isLess(than other: SyncValue) -> Bool {
        switch (self, other) {
        case (.null, _): return !other.isNull
        case (_, .null): return false
        case (.date(let one), .date(let two)) where one != two: return one < two
        default: break
        }
        if let one = exactNumber, let two = other.exactNumber, one != two { return one < two }
        if case .double(let one) = self, case .double(let two) = other, one != two, !one.isNaN, !two.isNaN {
            return one < two
        }
        return encoded.lexicographicallyPrecedes(other.encoded)
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
