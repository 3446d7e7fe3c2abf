/// Equality and order of values, the same in memory as in a store.
///
/// nil and `NSNull` equal each other, differ from everything else and are not ordered. Strings compare by their bytes
/// in UTF-8 unless options are given; numbers of all types compare exactly; values of different kinds are unequal.
package enum ValueOrder {
    /// Whether two values are equal.
    package static func areEqual(
        _ left: Any?, _ right: Any?, options: NSComparisonPredicateOptions = []
    ) -> Bool {
        guard let left = present(left), let right = present(right) else {
            return present(left) == nil && present(right) == nil
        }
        if let left = ExactNumber(left) {
            return ExactNumber(right).map { left.order(to: $0) == .orderedSame } ?? false
        }
        if let result = textsAreEqual(left, right: right, options: options) { return result }
        if let left = left as? any RecordReference, let right = right as? any RecordReference {
            return left.recordIdentity == right.recordIdentity
        }
        if let left = left as? any ElementList, let right = right as? any ElementList {
            return ValueList.areEqual(left, right)
        }
        return othersAreEqual(left, right)
    }

    /// The order of two values; nil if they are not ordered: for nil, for values of different kinds and of kinds
    /// without order.
    package static func order(
        _ left: Any?, _ right: Any?, options: NSComparisonPredicateOptions = []
    ) -> ComparisonResult? {
        guard let left = present(left), let right = present(right) else { return nil }
        if let left = ExactNumber(left) { return ExactNumber(right).flatMap { left.order(to: $0) } }
        switch (left, right) {
        case (let left as String, let right as String): return TextComparison.order(left, right, options: options)
        case (let left as Date, let right as Date): return order(left, right)
        case (let left as UUID, let right as UUID): return bytes(of: left).order(to: bytes(of: right))
        case (let left as Data, let right as Data): return left.order(to: right)
        case (let left as URL, let right as URL):
            return TextComparison.order(left.absoluteString, right.absoluteString, options: options)
        default: return nil
        }
    }

    /// The value, or nil if it is `NSNull`.
    static func present(_ value: Any?) -> Any? {
        guard let value else { return nil }
        // Tests the type itself: a cast of a Swift value to a class would first box the value.
        return type(of: value) == NSNull.self ? nil : value
    }

    private static func textsAreEqual(
        _ left: Any, right: Any, options: NSComparisonPredicateOptions
    ) -> Bool? {
        guard let left = left as? String else { return nil }
        guard let right = right as? String else { return false }
        return TextComparison.areEqual(left, right, options: options)
    }

    private static func othersAreEqual(_ left: Any, _ right: Any) -> Bool {
        switch (left, right) {
        case (let left as Date, let right as Date): return left == right
        case (let left as UUID, let right as UUID): return left == right
        case (let left as Data, let right as Data): return left == right
        case (let left as URL, let right as URL): return left.absoluteString == right.absoluteString
        case (let left as AnyHashable, let right as AnyHashable): return left == right
        default: return isObject(left) && isObject(right) && (left as AnyObject) === (right as AnyObject)
        }
    }

    private static func isObject(_ value: Any) -> Bool {
        type(of: value) is AnyObject.Type
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> ComparisonResult {
        left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
    }

    private static func bytes(of uuid: UUID) -> [UInt8] {
        withUnsafeBytes(of: uuid.uuid) { Array($0) }
    }
}

extension Sequence<UInt8> {
    /// The order of two byte sequences, as that of SQLite's BINARY collation.
    func order(to other: some Sequence<UInt8>) -> ComparisonResult {
        var others = other.makeIterator()
        for byte in self {
            guard let otherByte = others.next() else { return .orderedDescending }
            if byte != otherByte { return byte < otherByte ? .orderedAscending : .orderedDescending }
        }
        return others.next() == nil ? .orderedSame : .orderedAscending
    }
}
