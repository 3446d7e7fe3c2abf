import CoreDataStore

/// Numbers outside the range of their attributes: an object keeps them when they are set, and validation refuses them.
extension NSManagedObject {
    /// Adds a failure for each such number, and returns the keys of the attributes.
    func checkNumberRanges(_ list: inout FailureList) -> Set<String> {
        guard flags.contains(.exceeding), let working else { return [] }
        var keys: Set<String> = []
        for (slot, content) in layout.slots.enumerated() where working.isChanged(slot) {
            guard case .attribute(let attribute, let kind) = content.content, let limits = kind.numberRange,
                let number = Self.foundationValue(working.value(slot), kind) as? NSNumber,
                !limits.contains(number)
            else { continue }
            keys.insert(content.name)
            list.add(Violation.range(attribute, value: number, range: limits, object: self))
        }
        if keys.isEmpty { flags.remove(.exceeding) }
        return keys
    }

    /// Throws for such numbers when a row is packed, in case an override does not call `super` and so skips the check.
    func requireNumbersInRange() throws {
        guard flags.contains(.exceeding) else { return }
        var list = FailureList()
        _ = checkNumberRanges(&list)
        try list.throwAny()
    }
}

/// The range of the numbers that an attribute's type can represent.
struct NumberRange {
    /// The least and the greatest integer; nil if all finite numbers are allowed.
    let integers: ClosedRange<Int64>?

    func contains(_ number: NSNumber) -> Bool {
        guard let integers else { return !number.doubleValue.isInfinite }
        guard let integer = Int64(exactly: number.doubleValue.rounded(.towardZero)) else {
            // A double beyond 2^53 may differ from the integer, and be just greater than the greatest integer.
            return NSNumber(value: number.int64Value) == number && integers.contains(number.int64Value)
        }
        return integers.contains(integer.magnitude < 9_007_199_254_740_992 ? integer : number.int64Value)
    }

    /// The range in the form of a rule's text.
    var text: String {
        integers.map { "a number from \($0.lowerBound) to \($0.upperBound)" } ?? "a finite number"
    }
}

extension AttributeKind {
    /// The range of numbers of the type; nil for a type without numbers, or without a limit.
    var numberRange: NumberRange? {
        switch self {
        case .integer16: NumberRange(integers: Int64(Int16.min)...Int64(Int16.max))
        case .integer32: NumberRange(integers: Int64(Int32.min)...Int64(Int32.max))
        case .integer64: NumberRange(integers: Int64.min...Int64.max)
        case .decimal: NumberRange(integers: nil)
        default: nil
        }
    }
}
