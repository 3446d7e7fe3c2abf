/// Converts Swift values that stores do not support to values that they do.
enum FormatValue {
    /// Converts an argument to the constant in the predicate.
    ///
    /// A substring or character becomes a string, a number without a Foundation class the nearest type that has one, a
    /// slice a list, and an enumeration or option set of strings or numbers its raw value, also inside an array or a
    /// set.
    static func constant(of value: Any?) -> Any? {
        guard let value else { return nil }
        if let simple = simple(value) { return simple }
        if let slice = value as? any ListSlice { return slice.allElements.map { constant(of: $0) } }
        guard let list = value as? any ElementList, !isDictionary(value), !isObject(value) else { return value }
        let elements = list.elementList
        guard let first = elements.lazy.compactMap({ $0 }).first, isConverted(first) else { return value }
        let converted = elements.map { constant(of: $0) }
        return value is Set<AnyHashable> ? Set(converted.compactMap { $0 as? AnyHashable }) : converted
    }

    private static func isConverted(_ value: Any) -> Bool {
        guard !(value is String), ExactNumber(value) == nil else { return false }
        return value is Substring || value is Character || value is any BinaryInteger
            || value is any BinaryFloatingPoint || value is any RawRepresentable || value is any ListSlice
    }

    private static func simple(_ value: Any) -> Any? {
        if value is String || isObject(value) || ExactNumber(value) != nil { return value }
        switch value {
        case let text as Substring: return String(text)
        case let character as Character: return String(character)
        case let number as any BinaryInteger: return whole(number)
        case let number as any BinaryFloatingPoint: return real(number)
        case let named as any RawRepresentable: return raw(named)
        default: return nil
        }
    }

    /// Tests the type itself: a cast of a Swift value to a class would box the value and always succeed.
    private static func isObject(_ value: Any) -> Bool { type(of: value) is AnyObject.Type }

    private static func whole(_ number: some BinaryInteger) -> Any {
        if let small = Int64(exactly: number) { return small }
        if let large = UInt64(exactly: number) { return large }
        guard let exact = Decimal(string: String(number)) else { return Double(number) }
        return exact
    }

    private static func real(_ number: some BinaryFloatingPoint) -> Any { Double(number) }

    private static func raw(_ value: some RawRepresentable) -> Any? {
        let raw: Any = value.rawValue
        return raw is String || ExactNumber(raw) != nil ? raw : nil
    }
}

/// A sequence of values that is a slice or view of a collection, or a contiguous array.
private protocol ListSlice {
    var allElements: [Any?] { get }
}

extension ArraySlice: ListSlice {
    fileprivate var allElements: [Any?] { map { flattened($0) } }
}

extension ContiguousArray: ListSlice {
    fileprivate var allElements: [Any?] { map { flattened($0) } }
}

extension Dictionary.Keys: ListSlice {
    fileprivate var allElements: [Any?] { map { flattened($0) } }
}

extension Dictionary.Values: ListSlice {
    fileprivate var allElements: [Any?] { map { flattened($0) } }
}

/// A Swift range, which may be the right side of `BETWEEN`.
protocol BoundedRange {
    /// The bounds of a closed range; nil for a range that excludes its upper bound.
    var bounds: (low: Any, high: Any)? { get }
}

extension ClosedRange: BoundedRange {
    var bounds: (low: Any, high: Any)? { (lowerBound, upperBound) }
}

extension Range: BoundedRange {
    var bounds: (low: Any, high: Any)? { nil }
}
