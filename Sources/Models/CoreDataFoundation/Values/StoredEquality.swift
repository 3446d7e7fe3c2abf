/// Whether a store treats two values of an attribute as the same.
///
/// It decides whether an attribute has changed, so it is stricter than `==`: strings are compared by their bytes in
/// UTF-8, and numbers within collections also by their type, since `[true]` and `[1]` are archived differently. Values
/// of other types are compared by their own equality; values without equality are never the same.
package enum StoredEquality {
    package static func areEqual(_ one: Any?, _ other: Any?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        switch (one, other) {
        case (let one as String, let other as String): return TextComparison.areEqual(one, other)
        case (let one as URL, let other as URL):
            return one == other && TextComparison.areEqual(one.absoluteString, other.absoluteString)
        case (let one as NSNumber, let other as NSNumber): return one == other
        case (let one as NSDictionary, let other as NSDictionary): return entriesAreEqual(one, other)
        case (let one as NSSet, let other as NSSet): return membersAreEqual(one, other)
        case (let one as any ElementList, let other as any ElementList):
            return one.elementCount == other.elementCount
                && zip(one.elementList, other.elementList).allSatisfy(elementsAreEqual)
        case (let one as AnyHashable, let other as AnyHashable): return one == other
        default: return false
        }
    }

    private static func elementsAreEqual(_ one: Any?, _ other: Any?) -> Bool {
        if let one = one as? NSNumber, let other = other as? NSNumber {
            return NumberIdentity(one) == NumberIdentity(other)
        }
        return areEqual(one, other)
    }

    private static func entriesAreEqual(_ one: NSDictionary, _ other: NSDictionary) -> Bool {
        guard one.count == other.count else { return false }
        let exactKeys = Set(other.allKeys.compactMap { $0 as? String }.map(ExactText.init))
        return one.allKeys.allSatisfy { key in
            if let key = key as? String, !exactKeys.contains(ExactText(key)) { return false }
            return other.object(forKey: key).map { elementsAreEqual(one.object(forKey: key), $0) } ?? false
        }
    }

    private static func membersAreEqual(_ one: NSSet, _ other: NSSet) -> Bool {
        guard one.count == other.count, one.isEqual(to: other as? Set<AnyHashable> ?? []) else { return false }
        let texts = [one, other].map { Set($0.compactMap { $0 as? String }.map(ExactText.init)) }
        return texts[0] == texts[1]
    }
}

/// A number with its type: `true`, 1 and 1.0 differ, and so do 0.0 and -0.0.
private struct NumberIdentity: Equatable {
    private let isFloating: Bool
    private let isBoolean: Bool
    private let bits: UInt64
    private let number: NSNumber

    init(_ number: NSNumber) {
        let type = String(cString: number.objCType)
        isFloating = type == "d" || type == "f"
        isBoolean = number.isBoolean
        bits = isFloating ? number.doubleValue.bitPattern : 0
        self.number = number
    }
}

extension NSNumber {
    /// Whether the number was made from a Boolean; Foundation has one shared instance each for true and false.
    var isBoolean: Bool { self === NSNumber(value: true) || self === NSNumber(value: false) }
}
