/// Adds Foundation values to an archive, in the form that `KeyedArchive+Values` reads.
extension ArchiveBuilder {
    /// The deepest nesting of arrays and dictionaries in a value that is written.
    private static let greatestDepth = 64
    /// The largest number of objects in an archive: a collection that several others contain is written once for each.
    private static let greatestCount = 4_000_000

    /// Adds a number, text, date, data, URL or UUID, or an array, set or dictionary of such, and returns a reference to
    /// it.
    ///
    /// - Throws: `ArchiveError` `.unexpectedClass` for a value of another class, `.limitExceeded` for too deep a
    ///   nesting or too many objects.
    package mutating func value(_ value: Any?, depth: Int = 0) throws -> PropertyList {
        guard depth < Self.greatestDepth else {
            throw ArchiveError(.limitExceeded, "a value nests deeper than \(Self.greatestDepth)")
        }
        guard count < Self.greatestCount else {
            throw ArchiveError(.limitExceeded, "a value has more than \(Self.greatestCount) parts")
        }
        switch flattened(value) {
        case nil: return Self.null
        case is NSNull: return add("NSNull", [:])
        case let text as String: return self.text(text)
        case let number as NSDecimalNumber: return decimal(number.decimalValue)
        case let number as Decimal: return decimal(number)
        case let number as NSNumber: return self.number(number)
        case let date as Date: return add("NSDate", ["NS.time": .real(date.timeIntervalSinceReferenceDate)])
        case let data as Data: return append(.data(data))
        case let url as URL: return self.url(url)
        case let uuid as UUID: return add("NSUUID", ["NS.uuidbytes": .data(bytes(of: uuid))])
        case let values as [Any]: return try array("NSArray", values: values, depth: depth)
        case let values as NSOrderedSet: return try array("NSOrderedSet", values: values.array, depth: depth)
        case let values as NSSet: return try array("NSSet", values: values.allObjects, depth: depth)
        case let values as Set<AnyHashable>: return try array("NSSet", values: values.map(\.base), depth: depth)
        case let pairs as [AnyHashable: Any]: return try dictionary(pairs, depth)
        case let other?:
            throw ArchiveError(
                .unexpectedClass, "a value of class '\(type(of: other))' cannot be archived")
        }
    }

    /// Adds a dictionary; its keys are written in the byte order of their descriptions.
    package mutating func dictionary(_ pairs: [AnyHashable: Any], _ depth: Int = 0) throws -> PropertyList {
        let sorted = pairs.map { (text: "\($0.key)", key: $0.key.base, value: $0.value) }
            .sorted { $0.text.precedesInBytes($1.text) }
        return dictionary(
            "NSDictionary",
            try sorted.map { (key: try value($0.key, depth: depth + 1), value: try value($0.value, depth: depth + 1)) })
    }

    private mutating func array(_ className: String, values: [Any], depth: Int) throws -> PropertyList {
        collection(className, try values.map { try value($0, depth: depth + 1) })
    }

    private mutating func number(_ number: NSNumber) -> PropertyList {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "f"), UInt8(ascii: "d"): return append(.real(number.doubleValue))
        case UInt8(ascii: "Q") where number.uint64Value > UInt64(Int64.max):
            return append(.unsigned(number.uint64Value))
        case UInt8(ascii: "c"), UInt8(ascii: "B"):
            return number.isBoolean ? append(.boolean(number.boolValue)) : integer(number.int64Value)
        default: return integer(number.int64Value)
        }
    }

    private mutating func url(_ url: URL) -> PropertyList {
        let base = url.baseURL.map { self.url($0) } ?? Self.null
        return add("NSURL", ["NS.base": base, "NS.relative": text(url.relativeString)])
    }

    private func bytes(of uuid: UUID) -> Data { withUnsafeBytes(of: uuid.uuid) { Data($0) } }

    /// Adds a decimal number: up to eight 16-bit words of a mantissa, the lowest first, and an exponent.
    private mutating func decimal(_ number: Decimal) -> PropertyList {
        let isNumber = !number.isNaN
        let mantissa = isNumber ? UInt128(number.significand.magnitude.description) ?? 0 : 0
        let length = (128 - mantissa.leadingZeroBitCount + 15) / 16
        return add(
            "NSDecimalNumberPlaceholder",
            [
                "NS.mantissa": .data(withUnsafeBytes(of: mantissa.littleEndian) { Data($0) }),
                "NS.mantissa.bo": .integer(1), "NS.length": .integer(Int64(length)),
                "NS.exponent": .integer(isNumber && mantissa != 0 ? Int64(number.exponent) : 0),
                "NS.negative": .boolean(!isNumber || number.sign == .minus), "NS.compact": .boolean(false),
            ])
    }
}
