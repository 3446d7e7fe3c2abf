import CoreDataSQL
import PostgresKit

/// The values of one column for many rows, as an array parameter that a statement expands with `unnest`.
///
/// Format, the server's binary form: the number of dimensions, whether there are NULLs, the type of the elements, their
/// number and the first index; then for each element its length and bytes. Source: `array_recv` of PostgreSQL 15.
struct ColumnArray {
    private let type: ColumnType
    private var bytes: [UInt8] = []
    private var count = 0
    private var failure: PostgresError?

    init(_ type: ColumnType, capacity: Int) {
        self.type = type
        bytes.reserveCapacity(20 + capacity * 12)
        bytes.append(contentsOf: [UInt8](repeating: 0, count: 20))
    }

    /// Returns the SQL name of the array's type.
    static func name(of type: ColumnType) -> String { elementName(of: type) + "[]" }

    /// Returns the SQL name of the elements' type.
    static func elementName(of type: ColumnType) -> String {
        switch type {
        case .integer: "int8"
        case .timestamp, .float: "float8"
        case .decimal: "numeric"
        case .varchar: "text"
        case .blob: "bytea"
        }
    }

    mutating func append(_ integer: Int64) {
        appendLength(8)
        appendBits(UInt64(bitPattern: integer))
    }

    /// Appends a value in its stored form; a value that does not fit the column becomes NULL.
    mutating func append(_ value: StoredValue) {
        switch (type, value.tag) {
        case (.integer, RowTag.integer): append(value.integer)
        case (.timestamp, RowTag.real), (.float, RowTag.real):
            appendLength(8)
            appendBits(value.bits)
        case (.timestamp, RowTag.integer), (.float, RowTag.integer):
            appendLength(8)
            appendBits(Double(value.integer).bitPattern)
        case (.varchar, RowTag.text):
            guard EscapedText.needsEscaping(value.bytes) else { return append(bytes: value.bytes) }
            EscapedText.escaped(value.bytes).withUnsafeBytes { append(bytes: $0) }
        case (.blob, RowTag.blob): append(bytes: value.bytes)
        case (.decimal, RowTag.text): append(digits: String(decoding: value.bytes, as: UTF8.self))
        case (.decimal, RowTag.integer): append(digits: String(value.integer))
        case (.decimal, RowTag.real): append(digits: "\(value.real)")
        default: appendNull()
        }
    }

    private mutating func append(digits: String) {
        do {
            let digits = try PostgresNumeric.bytes(of: digits)
            digits.withUnsafeBytes { append(bytes: $0) }
        } catch {
            failure = failure ?? error
            appendNull()
        }
    }

    private mutating func append(bytes value: UnsafeRawBufferPointer) {
        appendLength(Int32(clamping: value.count))
        bytes.append(contentsOf: value)
    }

    mutating func appendNull() {
        count += 1
        bytes[7] = 1
        appendBigEndian(UInt32.max)
    }

    private mutating func appendLength(_ length: Int32) {
        count += 1
        appendBigEndian(UInt32(bitPattern: length))
    }

    private mutating func appendBits(_ bits: UInt64) {
        withUnsafeBytes(of: bits.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func appendBigEndian(_ value: UInt32) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// The array as a parameter of a statement.
    ///
    /// - Throws: `PostgresError` for digits that are not a number.
    func parameter() throws -> PostgresParameter {
        if let failure { throw failure }
        var bytes = bytes
        func put(_ value: UInt32, at place: Int) {
            withUnsafeBytes(of: value.bigEndian) { word in
                for (offset, byte) in word.enumerated() { bytes[place + offset] = byte }
            }
        }
        put(1, at: 0)
        put(elementType, at: 8)
        put(UInt32(clamping: count), at: 12)
        put(1, at: 16)
        return .raw(oid: arrayType, bytes)
    }

    /// The only element as a scalar parameter.
    ///
    /// - Throws: `PostgresError` for digits that are not a number.
    func onlyElement() throws -> PostgresParameter {
        if let failure { throw failure }
        return bytes[7] == 1 ? .null(oid: elementType) : .raw(oid: elementType, Array(bytes.dropFirst(24)))
    }

    private var elementType: UInt32 {
        switch type {
        case .integer: PostgresType.int8
        case .timestamp, .float: PostgresType.float8
        case .decimal: PostgresType.numeric
        case .varchar: PostgresType.text
        case .blob: PostgresType.bytea
        }
    }

    private var arrayType: UInt32 {
        switch type {
        case .integer: PostgresType.int8Array
        case .timestamp, .float: PostgresType.float8Array
        case .decimal: PostgresType.numericArray
        case .varchar: PostgresType.textArray
        case .blob: PostgresType.byteaArray
        }
    }
}
