import CoreDataStore

/// Numbers beyond the range of their attributes: kept when they are set, refused when the object is validated.
extension NSManagedObject {
    /// Adds a failure for each such number; gives the keys of their attributes.
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

    /// Refuses to write what could not be read, where a class leaves the rules of its superclass out.
    func requireNumbersInRange() throws {
        guard flags.contains(.exceeding) else { return }
        var list = FailureList()
        _ = checkNumberRanges(&list)
        try list.throwAny()
    }
}

/// The numbers that an attribute's type can hold.
struct NumberRange {
    /// The least and the greatest integer; nil where all but the infinite ones will do.
    let integers: ClosedRange<Int64>?

    func contains(_ number: NSNumber) -> Bool {
        guard let integers else { return !number.doubleValue.isInfinite }
        guard let integer = Int64(exactly: number.doubleValue.rounded(.towardZero)) else {
            // Beyond 2^53 a double may be the integer's neighbour, and just beyond the greatest of all.
            return NSNumber(value: number.int64Value) == number && integers.contains(number.int64Value)
        }
        return integers.contains(integer.magnitude < 9_007_199_254_740_992 ? integer : number.int64Value)
    }

    /// The range as a rule of the model would say it.
    var text: String {
        integers.map { "a number from \($0.lowerBound) to \($0.upperBound)" } ?? "a finite number"
    }
}

extension AttributeKind {
    /// What numbers the type holds; nil where it is not a type of numbers, or holds them all.
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
