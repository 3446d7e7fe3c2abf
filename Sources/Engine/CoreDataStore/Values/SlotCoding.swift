import CoreDataModeling

/// Converts between the contents of slots and the values that accessors return.
///
/// Source of the representation of each attribute type: the column types of Apple's SQLite stores.
package enum SlotCoding {
    /// Whether a decoded value is cached, because decoding is expensive or returns an object whose identity matters.
    package static func isWorthKeeping(_ kind: AttributeKind) -> Bool { kind == .transformable || kind == .composite }

    /// Decodes an attribute's stored value; nil for null.
    ///
    /// - Throws: a `ValueRejection` if the bytes are not a value of the type, and errors of reading a large value.
    package static func value(
        of stored: StoredValue, _ kind: AttributeKind, _ attribute: NSAttributeDescription,
        from store: any LargeValueKeeping
    ) throws -> Any? {
        stored.tag == RowTag.null ? nil : try decodedFromStore(stored, kind: kind, attribute: attribute, store: store)
    }

    /// Decodes a value that may be stored outside of its row.
    static func decodedFromStore(
        _ stored: StoredValue, kind: AttributeKind, attribute: NSAttributeDescription,
        store: (any LargeValueKeeping)?
    ) throws -> Any {
        guard attribute.allowsExternalBinaryDataStorage, stored.tag == RowTag.blob, kind != .composite else {
            return try decoded(stored, kind: kind, attribute: attribute, store: store)
        }
        guard let store else { throw ValueRejection.unreachable(attribute) }
        let data = try store.largeValue(stored: stored.bytes)
        return kind == .transformable ? try Transformation.value(from: data, attribute) : data
    }

    static func decoded(
        _ stored: StoredValue, kind: AttributeKind, attribute: NSAttributeDescription,
        store: (any LargeValueKeeping)?
    ) throws -> Any {
        let tag = stored.tag
        switch (kind, tag) {
        case (.integer16, RowTag.integer):
            guard Int16(exactly: stored.integer) != nil else { throw ValueRejection.storedRange(attribute) }
            return number(stored.integer, kind)
        case (.integer32, RowTag.integer):
            guard Int32(exactly: stored.integer) != nil else { throw ValueRejection.storedRange(attribute) }
            return number(stored.integer, kind)
        case (.integer64, RowTag.integer), (.boolean, RowTag.integer):
            return number(stored.integer, kind)
        case (.double, RowTag.real), (.float, RowTag.real): return NSNumber.holding(stored.real)
        case (.double, RowTag.integer), (.float, RowTag.integer):
            return NSNumber.holding(Double(stored.integer))
        case (.date, RowTag.real): return Date(timeIntervalSinceReferenceDate: stored.real)
        case (.date, RowTag.integer): return Date(timeIntervalSinceReferenceDate: Double(stored.integer))
        case (.decimal, RowTag.integer): return NSDecimalNumber(value: stored.integer)
        case (.decimal, RowTag.real): return try decimal(KeptDecimal.text(of: stored.real), attribute)
        case (.decimal, RowTag.text): return try decimal(String(decoding: stored.bytes, as: UTF8.self), attribute)
        case (.string, RowTag.text): return String(decoding: stored.bytes, as: UTF8.self)
        case (.uri, RowTag.text):
            guard let url = URL(string: String(decoding: stored.bytes, as: UTF8.self)) else {
                throw ValueRejection.unreadable(attribute, tag)
            }
            return url
        case (.binary, RowTag.blob): return Data(stored.bytes)
        case (.uuid, RowTag.blob) where stored.bytes.count == 16:
            return UUID(uuid: stored.bytes.loadUnaligned(as: uuid_t.self))
        case (.transformable, RowTag.blob):
            return try Transformation.value(from: Data(stored.bytes), attribute)
        case (.composite, RowTag.blob): return try composite(stored.bytes, attribute: attribute, store: store)
        case (.undefined, RowTag.integer): return NSNumber.holding(stored.integer)
        case (.undefined, RowTag.real): return NSNumber.holding(stored.real)
        case (.undefined, RowTag.text): return String(decoding: stored.bytes, as: UTF8.self)
        case (.undefined, RowTag.blob): return Data(stored.bytes)
        default: throw ValueRejection.unreadable(attribute, tag)
        }
    }

    /// Decodes the elements of a composite that are not null, into nested dictionaries.
    private static func composite(
        _ bytes: UnsafeRawBufferPointer, attribute: NSAttributeDescription, store: (any LargeValueKeeping)?
    ) throws -> [String: Any] {
        var dictionary: [String: Any] = [:]
        for (leaf, element) in zip(CompositeCoding.leaves(of: attribute), CompositeCoding.elements(in: bytes))
        where element.tag != RowTag.null {
            let kind = AttributeKind(leaf.attribute)
            let value =
                try store.map { try decodedFromStore(element, kind: kind, attribute: leaf.attribute, store: $0) }
                ?? decoded(element, kind: kind, attribute: leaf.attribute, store: nil)
            CompositeCoding.set(value, at: leaf.path[...], in: &dictionary)
        }
        return dictionary
    }

    /// Encodes a composite and passes the bytes to `body`; does not call `body` if every element is null.
    private static func encodeComposite(
        _ value: Any, attribute: NSAttributeDescription, largeValues: (any LargeValueWriting)?,
        body: (UInt8, UnsafeRawBufferPointer) -> Void
    ) throws {
        guard let dictionary = value as? [String: Any] else { throw ValueRejection.unacceptable(attribute, value) }
        var coding = CompositeCoding()
        for leaf in CompositeCoding.leaves(of: attribute) {
            let kind = AttributeKind(leaf.attribute)
            switch try accept(CompositeCoding.value(at: leaf.path, in: dictionary), for: leaf.attribute, kind) {
            case .null: coding.append(RowTag.null, bits: 0)
            case .integer(let integer): coding.append(RowTag.integer, bits: UInt64(bitPattern: integer))
            case .real(let real): coding.append(RowTag.real, bits: real.bitPattern)
            case .reference(let reference):
                try encode(reference, kind: kind, attribute: leaf.attribute, largeValues: largeValues) {
                    coding.append($0, bytes: $1)
                }
            }
        }
        if !coding.isNull { coding.bytes.withUnsafeBytes { body(RowTag.blob, $0) } }
    }

    package static func number(_ value: Int64, _ kind: AttributeKind) -> NSNumber {
        kind == .boolean ? NSNumber(value: value != 0) : .holding(value)
    }

    private static func decimal(_ text: String, _ attribute: NSAttributeDescription) throws -> NSDecimalNumber {
        let number = NSDecimalNumber(string: text)
        // "NaN" is the text with which Apple's framework stores NaN.
        if number == .notANumber, text != "NaN" { throw ValueRejection.unreadable(attribute, RowTag.text) }
        return number
    }

    /// Checks that a value has an attribute's type and range, and converts it to the form in which objects store it.
    package static func accept(
        _ value: Any?, for attribute: NSAttributeDescription, _ kind: AttributeKind
    ) throws -> HeldValue {
        guard let value else { return .null }
        if let plain = plain(value, kind) { return plain }
        if value is NSNull { return .null }
        switch kind {
        case .integer16: return .integer(Int64(try integer(value, attribute, as: Int16.self)))
        case .integer32: return .integer(Int64(try integer(value, attribute, as: Int32.self)))
        case .integer64: return .integer(try integer(value, attribute, as: Int64.self))
        case .boolean: return .integer(try number(value, attribute).boolValue ? 1 : 0)
        case .double: return .real(try number(value, attribute).doubleValue)
        case .float: return .real(Double(try number(value, attribute).floatValue))
        case .date: return .real(try typed(value, attribute, as: Date.self).timeIntervalSinceReferenceDate)
        case .decimal: return .reference(try decimalNumber(value, attribute))
        case .string: return .reference(try typed(value, attribute, as: String.self))
        case .uri: return .reference(try typed(value, attribute, as: URL.self))
        case .binary: return .reference(try typed(value, attribute, as: Data.self))
        case .uuid: return .reference(try typed(value, attribute, as: UUID.self))
        case .objectID: return .reference(try typed(value, attribute, as: (any RecordIdentifier).self))
        case .transformable, .undefined: return .reference(value)
        case .composite:
            let elements = try typed(value, attribute, as: [String: Any].self)
            // A composite whose elements are all null is stored as nil; a required composite stays an empty dictionary
            // instead.
            let isNil = attribute.isOptional && CompositeCoding.compacted(elements, of: attribute).isEmpty
            return isNil ? .null : .reference(elements)
        }
    }

    /// The form of a number that is outside of the attribute's range; objects store it until validation refuses it.
    package static func exceeding(_ number: NSNumber, _ kind: AttributeKind) -> HeldValue {
        let whole = number.doubleValue.rounded(.towardZero)
        guard kind != .decimal, abs(whole) < 9_007_199_254_740_992 else { return .reference(number) }
        return .integer(Int64(whole))
    }

    /// Converts a value of exactly the attribute's Swift type; nil for other types, which need the general conversion.
    ///
    /// Compares types instead of casting: a cast from a number to a class would box the number in an object.
    private static func plain<Value>(_ value: Value, _ kind: AttributeKind) -> HeldValue? {
        switch kind {
        case .integer16, .integer32, .integer64:
            guard let integer = integer(value) else { return nil }
            switch kind {
            case .integer16: return Int16(exactly: integer) == nil ? nil : .integer(integer)
            case .integer32: return Int32(exactly: integer) == nil ? nil : .integer(integer)
            default: return .integer(integer)
            }
        case .double: return same(value, as: Double.self).map { .real($0) }
        case .boolean: return same(value, as: Bool.self).map { .integer($0 ? 1 : 0) }
        case .date: return same(value, as: Date.self).map { .real($0.timeIntervalSinceReferenceDate) }
        case .string: return Value.self == String.self ? .reference(value) : nil
        default: return nil
        }
    }

    private static func integer<Value>(_ value: Value) -> Int64? {
        same(value, as: Int.self).map { Int64($0) } ?? same(value, as: Int64.self)
            ?? same(value, as: Int32.self).map { Int64($0) } ?? same(value, as: Int16.self).map { Int64($0) }
    }

    /// Casts a value to a type; nil unless the value has exactly this type.
    @inline(__always)
    private static func same<Value, Wanted>(_ value: Value, as type: Wanted.Type) -> Wanted? {
        // The types are equal here, so the bit cast changes nothing.
        Value.self == Wanted.self ? unsafeBitCast(value, to: Wanted.self) : nil
    }

    private static func typed<Wanted>(
        _ value: Any, _ attribute: NSAttributeDescription, as: Wanted.Type
    ) throws -> Wanted {
        guard let typed = value as? Wanted else { throw ValueRejection.unacceptable(attribute, value) }
        return typed
    }

    private static func number(_ value: Any, _ attribute: NSAttributeDescription) throws -> NSNumber {
        // Without the check of the type, the cast to `Bool` would turn any number that is zero or one into a boolean,
        // and lose the sign of a negative zero.
        if type(of: value) == Bool.self, let flag = value as? Bool { return NSNumber(value: flag) }
        return try typed(value, attribute, as: NSNumber.self)
    }

    private static func integer<Wanted: FixedWidthInteger>(
        _ value: Any, _ attribute: NSAttributeDescription, as: Wanted.Type
    ) throws -> Wanted {
        if let exact = value as? Int { return try ranged(exact, attribute) }
        let number = try number(value, attribute)
        let whole = number.doubleValue.rounded(.towardZero)
        // Above 2^53 a double does not distinguish neighboring integers, but the number's own integer value does.
        if abs(whole) < 9_007_199_254_740_992 { return try ranged(Int64(whole), attribute) }
        guard NSNumber(value: number.int64Value).doubleValue == whole else { throw ValueRejection.range(attribute) }
        return try ranged(number.int64Value, attribute)
    }

    private static func ranged<Wanted: FixedWidthInteger>(
        _ value: some BinaryInteger, _ attribute: NSAttributeDescription
    ) throws -> Wanted {
        guard let ranged = Wanted(exactly: value) else { throw ValueRejection.range(attribute) }
        return ranged
    }

    private static func decimalNumber(_ value: Any, _ attribute: NSAttributeDescription) throws -> NSDecimalNumber {
        if let decimal = value as? NSDecimalNumber { return decimal }
        if let decimal = value as? Decimal { return NSDecimalNumber(decimal: decimal) }
        let number = try number(value, attribute)
        // Foundation's `decimalValue` traps for an infinite number, and converts integers by way of binary fractions.
        guard !number.doubleValue.isInfinite else { throw ValueRejection.range(attribute) }
        return NSDecimalNumber(decimal: ExactNumber(number)?.decimal ?? number.decimalValue)
    }

    /// Encodes a value that objects store as `HeldValue.reference`, and passes the tag and bytes to `body`.
    package static func encode(
        _ value: Any, kind: AttributeKind, attribute: NSAttributeDescription,
        largeValues: (any LargeValueWriting)? = nil,
        body: (UInt8, UnsafeRawBufferPointer) -> Void
    ) throws {
        if kind == .composite {
            return try encodeComposite(value, attribute: attribute, largeValues: largeValues, body: body)
        }
        if attribute.allowsExternalBinaryDataStorage, kind == .binary || kind == .transformable, let largeValues {
            let data = kind == .transformable ? try Transformation.data(from: value, attribute) : value as? Data
            return try largeValues.storedForm(of: data ?? Data()).withUnsafeBytes { body(RowTag.blob, $0) }
        }
        // Switches over the kind first, since a failing cast can cost more than the rest of the function.
        switch kind {
        case .string, .undefined:
            if let text = value as? String { return encode(text, body) }
            guard kind == .undefined, let data = value as? Data else { break }
            return data.withUnsafeBytes { body(RowTag.blob, $0) }
        case .binary:
            guard let data = value as? Data else { break }
            return data.withUnsafeBytes { body(RowTag.blob, $0) }
        case .uuid:
            guard let uuid = value as? UUID else { break }
            return withUnsafeBytes(of: uuid.uuid) { body(RowTag.blob, $0) }
        case .uri:
            guard let url = value as? URL else { break }
            return encode(url.absoluteString, body)
        case .decimal:
            guard let number = value as? NSDecimalNumber else { break }
            return encode(number.stringValue, body)
        case .transformable:
            return try Transformation.data(from: value, attribute).withUnsafeBytes { body(RowTag.blob, $0) }
        default: break
        }
        throw ValueRejection.unacceptable(attribute, value)
    }

    private static func encode(_ text: String, _ body: (UInt8, UnsafeRawBufferPointer) -> Void) {
        var text = text
        text.withUTF8 { body(RowTag.text, UnsafeRawBufferPointer($0)) }
    }
}
