/// Keyed archives of values of Foundation's plain classes, written without Foundation's archiver.
///
/// `NSKeyedArchiver` on Linux writes equal values once even if their types differ, so both elements of `[true, 1]` are
/// read as true, and it cannot write decimal numbers.
package enum PlainValueArchive {
    /// The archive of a value; nil if the value is or contains an object of another class, or nests too deep.
    ///
    /// - Throws: `ArchiveError` `.unsupportedForm` in place of nil if the value also contains a decimal number.
    package static func data(of value: Any) throws -> Data? {
        var builder = ArchiveBuilder()
        if let root = try? builder.value(value) { return builder.data(root: root) }
        guard !holdsDecimal(value) else {
            throw ArchiveError(.unsupportedForm, "a decimal number stands among objects of other classes")
        }
        return nil
    }

    /// Whether a value is or contains a decimal number; only the first million parts are searched.
    private static func holdsDecimal(_ value: Any) -> Bool {
        var waiting: [Any] = [value]
        var count = 0
        while let next = waiting.popLast(), count < 1_000_000 {
            count += 1
            switch flattened(next) {
            case is Decimal, is NSDecimalNumber: return true
            case let values as [Any]: waiting += values
            case let values as NSOrderedSet: waiting += values.array
            case let values as NSSet: waiting += values.allObjects
            case let pairs as [AnyHashable: Any]: waiting += pairs.keys.map(\.base) + Array(pairs.values)
            default: continue
            }
        }
        return false
    }
}
