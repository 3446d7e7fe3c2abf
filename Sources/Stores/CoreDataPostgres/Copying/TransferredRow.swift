import CoreDataSQL
import PostgresKit

/// Converts rows between COPY's binary format and the form in which store types exchange them.
final class TransferredRow {
    private let types: [ColumnType]
    private let values: UnsafeMutableBufferPointer<StoredValue>
    /// The buffers allocated for the current row's values, besides what the server sent.
    private var lent: [UnsafeMutableRawBufferPointer] = []

    private static var null: StoredValue {
        StoredValue(tag: RowTag.null, bits: 0, bytes: UnsafeRawBufferPointer(start: nil, count: 0))
    }

    init(_ types: [ColumnType]) {
        self.types = types
        values = .allocate(capacity: types.count)
        values.initialize(repeating: Self.null)
    }

    deinit { values.deallocate() }

    /// Passes a row to `body`.
    ///
    /// - Throws: `PostgresError` for a field that does not have its column's type.
    func lend(
        _ fields: UnsafeBufferPointer<CopyReader.Field>, _ body: (UnsafeBufferPointer<StoredValue>) throws -> Void
    ) throws {
        defer { if !lent.isEmpty { release() } }
        for index in fields.indices {
            values[index] = try fields[index].map { try value($0, types[index]) } ?? Self.null
        }
        try body(UnsafeBufferPointer(values))
    }

    private func value(_ field: UnsafeRawBufferPointer, _ type: ColumnType) throws -> StoredValue {
        switch type {
        case .integer, .timestamp, .float:
            guard let bits = CopyReader.bits(field) else { throw Self.malformed }
            let tag = type == .integer ? RowTag.integer : RowTag.real
            return StoredValue(tag: tag, bits: bits, bytes: UnsafeRawBufferPointer(start: nil, count: 0))
        case .varchar:
            guard EscapedText.needsEscaping(field) else { return StoredValue(tag: RowTag.text, bits: 0, bytes: field) }
            return keep(EscapedText.unescaped(field))
        case .decimal:
            guard let digits = CopyReader.digits(field) else { throw Self.malformed }
            return keep(Array(digits.utf8))
        case .blob: return StoredValue(tag: RowTag.blob, bits: 0, bytes: field)
        }
    }

    private func keep(_ text: [UInt8]) -> StoredValue {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
        bytes.copyBytes(from: text)
        lent.append(bytes)
        return StoredValue(tag: RowTag.text, bits: 0, bytes: UnsafeRawBufferPointer(bytes))
    }

    private func release() {
        for bytes in lent { bytes.deallocate() }
        lent.removeAll(keepingCapacity: true)
    }

    private static var malformed: PostgresError {
        PostgresError(.protocolViolation, "the server sent a value that is none of its type", attempt: "copy")
    }
}

extension CopyWriter {
    /// Appends a value in its stored form; a value that does not fit the column becomes NULL.
    func append(_ value: StoredValue, _ type: ColumnType) throws {
        switch (type, value.tag) {
        case (.integer, RowTag.integer), (.timestamp, RowTag.real), (.float, RowTag.real): try append(bits: value.bits)
        case (.timestamp, RowTag.integer), (.float, RowTag.integer):
            try append(bits: Double(value.integer).bitPattern)
        case (.varchar, RowTag.text):
            guard EscapedText.needsEscaping(value.bytes) else { return try append(field: value.bytes) }
            try EscapedText.escaped(value.bytes).withUnsafeBytes { try append(field: $0) }
        case (.blob, RowTag.blob): try append(field: value.bytes)
        case (.decimal, RowTag.text): try append(digits: String(decoding: value.bytes, as: UTF8.self))
        case (.decimal, RowTag.integer): try append(digits: String(value.integer))
        default: try appendNull()
        }
    }

    /// Appends a value that is read in parts.
    func append(_ value: any LongValue, _ type: ColumnType) throws {
        switch (type, value.tag) {
        case (.blob, RowTag.blob): try append(fieldOf: value.count) { try value.read($0) }
        case (.varchar, RowTag.text):
            var count = 0
            try value.read { count += EscapedText.escapedCount($0) }
            try append(fieldOf: count) { put in
                try value.read { part in
                    guard EscapedText.needsEscaping(part) else { return try put(part) }
                    try EscapedText.escaped(part).withUnsafeBytes { try put($0) }
                }
            }
        default: try appendNull()
        }
    }
}
