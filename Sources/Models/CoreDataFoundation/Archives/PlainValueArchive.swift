/// Keyed archives of values of Foundation's plain classes, written without Foundation's archiver.
///
/// That one writes equal values once, whatever they are: of `[true, 1]` both come back as true. It does not write decimal
/// numbers.
package enum PlainValueArchive {
    /// The archive of a value; nil for one that is or holds something of another class, or nests too deep.
    ///
    /// - Throws: `ArchiveError` for a decimal number among objects of other classes.
    package static func data(of value: Any) throws -> Data? {
        var builder = ArchiveBuilder()
        if let root = try? builder.value(value) { return builder.data(root: root) }
        guard !holdsDecimal(value) else {
            throw ArchiveError(.unsupportedForm, "a decimal number stands among objects of other classes")
        }
        return nil
    }

    /// Whether a decimal number stands somewhere in collections, as far as they are looked through.
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
