import CoreDataModeling
import CoreDataStore
import CoreDataSync
import Foundation

/// Converts between values of rows and values as they travel, bit for bit.
enum ValueConversion {
    /// The value of a slot or element.
    static func syncValue(
        _ stored: StoredValue, _ kind: AttributeKind, _ attribute: NSAttributeDescription,
        from store: (any LargeValueKeeping)?
    ) throws -> SyncValue {
        switch (kind, stored.tag) {
        case (_, RowTag.null): return .null
        case (.integer16, RowTag.integer), (.integer32, RowTag.integer), (.integer64, RowTag.integer):
            return .int(stored.integer)
        case (.boolean, RowTag.integer): return .bool(stored.integer != 0)
        case (.double, RowTag.real): return .double(stored.real)
        case (.double, RowTag.integer): return .double(Double(stored.integer))
        case (.float, RowTag.real): return .float(Float(stored.real))
        case (.float, RowTag.integer): return .float(Float(stored.integer))
        case (.date, RowTag.real): return .date(stored.real)
        case (.date, RowTag.integer): return .date(Double(stored.integer))
        case (.string, RowTag.text): return .string(String(decoding: stored.bytes, as: UTF8.self))
        case (.uri, RowTag.text): return .uri(String(decoding: stored.bytes, as: UTF8.self))
        case (.uuid, RowTag.blob) where stored.bytes.count == 16:
            return .uuid(UUID(uuid: stored.bytes.loadUnaligned(as: uuid_t.self)))
        case (.binary, RowTag.blob), (.transformable, RowTag.blob):
            guard attribute.allowsExternalBinaryDataStorage, let store else { return .data(Array(stored.bytes)) }
            return .data(Array(try store.largeValue(stored: stored.bytes)))
        case (.decimal, RowTag.integer): return .decimal(Decimal(stored.integer))
        case (.decimal, RowTag.real): return try decimal(KeptDecimal.text(of: stored.real), attribute)
        case (.decimal, RowTag.text):
            return try decimal(String(decoding: stored.bytes, as: UTF8.self), attribute)
        default: throw ValueRejection.unreadable(attribute, stored.tag)
        }
    }

    private static func decimal(_ text: String, _ attribute: NSAttributeDescription) throws -> SyncValue {
        let number = NSDecimalNumber(string: text)
        if number == .notANumber, text != "NaN" { throw ValueRejection.unreadable(attribute, RowTag.text) }
        return .decimal(number.decimalValue)
    }

    /// The form of a value in a slot, passed to `body`: the tag, and the bits or the bytes. A value of another type is converted if that
    /// loses nothing, and is null otherwise; integers are bounded by the attribute's type.
    static func store(
        _ value: SyncValue, _ kind: AttributeKind, _ attribute: NSAttributeDescription,
        _ largeValues: any LargeValueWriting, body: (UInt8, UInt64, UnsafeRawBufferPointer?) -> Void
    ) throws {
        switch (kind, converted(value, to: kind)) {
        case (_, .int(let integer)): body(RowTag.integer, UInt64(bitPattern: integer), nil)
        case (_, .bool(let flag)): body(RowTag.integer, flag ? 1 : 0, nil)
        case (_, .double(let real)), (_, .date(let real)): body(RowTag.real, real.bitPattern, nil)
        case (_, .float(let real)): body(RowTag.real, Double(real).bitPattern, nil)
        case (_, .string(let text)), (_, .uri(let text)): pass(text, body)
        case (_, .decimal(let number)): pass(NSDecimalNumber(decimal: number).stringValue, body)
        case (_, .uuid(let uuid)): withUnsafeBytes(of: uuid.uuid) { body(RowTag.blob, 0, $0) }
        case (_, .data(let bytes)):
            guard attribute.allowsExternalBinaryDataStorage else {
                return bytes.withUnsafeBytes { body(RowTag.blob, 0, $0) }
            }
            try largeValues.storedForm(of: Data(bytes)).withUnsafeBytes { body(RowTag.blob, 0, $0) }
        default: body(RowTag.null, 0, nil)
        }
    }

    private static func pass(_ text: String, _ body: (UInt8, UInt64, UnsafeRawBufferPointer?) -> Void) {
        var text = text
        text.withUTF8 { body(RowTag.text, 0, UnsafeRawBufferPointer($0)) }
    }

    /// A value as one of the attribute's type; null if that would lose something.
    static func converted(_ value: SyncValue, to kind: AttributeKind) -> SyncValue {
        switch (kind, value) {
        case (.integer16, .int(let integer)): .int(Int64(Int16(clamping: integer)))
        case (.integer32, .int(let integer)): .int(Int64(Int32(clamping: integer)))
        case (.integer64, .int), (.boolean, .bool), (.double, .double), (.float, .float), (.date, .date),
            (.string, .string), (.uri, .uri), (.uuid, .uuid), (.decimal, .decimal), (.binary, .data),
            (.transformable, .data):
            value
        case (.double, .float(let real)): .double(Double(real))
        case (.float, .double(let real)) where Double(Float(real)) == real: .float(Float(real))
        case (.double, .int(let integer)) where Int64(exactly: Double(integer)) == integer: .double(Double(integer))
        case (.decimal, .int(let integer)): .decimal(Decimal(integer))
        case (.boolean, .int(let integer)) where integer == 0 || integer == 1: .bool(integer == 1)
        case (.integer16, .bool(let flag)), (.integer32, .bool(let flag)), (.integer64, .bool(let flag)):
            .int(flag ? 1 : 0)
        case (.string, .uri(let text)): .string(text)
        case (.uri, .string(let text)): .uri(text)
        case (.string, .uuid(let uuid)): .string(uuid.uuidString)
        case (.string, .int(let integer)): .string(String(integer))
        default: .null
        }
    }
}
