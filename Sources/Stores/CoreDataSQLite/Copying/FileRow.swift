import CoreDataSQL
import SQLiteKit

/// Converts a row of a file for other store types: large values are loaded from external files, decimals become digits,
/// texts become valid UTF-8.
final class FileRow {
    private let table: CopiedTable
    private let url: URL
    private let values: UnsafeMutableBufferPointer<StoredValue>
    /// The buffers allocated for the current row's values, besides those of SQLite.
    private var lent: [UnsafeMutableRawBufferPointer] = []
    private var long: [Int: any LongValue] = [:]

    private static var null: StoredValue {
        StoredValue(tag: RowTag.null, bits: 0, bytes: UnsafeRawBufferPointer(start: nil, count: 0))
    }

    private let leavesOutUnreadable: Bool

    init(_ table: CopiedTable, beside url: URL, leavesOutUnreadable: Bool = false) {
        self.leavesOutUnreadable = leavesOutUnreadable
        self.table = table
        self.url = url
        values = .allocate(capacity: table.columns.count)
        values.initialize(repeating: Self.null)
    }

    deinit { values.deallocate() }

    /// Passes the statement's current row to `body`; the statement returned placeholders for the values in `found`.
    func lend(
        _ statement: Statement, long found: [Int: LongFileValue] = [:], _ body: (TableRow) throws -> Void
    ) throws {
        defer { if !lent.isEmpty || !long.isEmpty { release() } }
        for index in values.indices {
            let value = StoredValue(statement, index)
            switch (table.columns[index].type, value.tag) {
            case (.blob, RowTag.blob) where table.isLarge[index]: values[index] = try readable(value, index)
            case (.decimal, RowTag.real): values[index] = decimal(value.real)
            case (.varchar, RowTag.text): values[index] = text(value)
            default: values[index] = value
            }
        }
        for (index, value) in found {
            // Invalid UTF-8 is repaired, which changes the length, so the text is read as a whole.
            if value.tag == RowTag.text, try !value.isUTF8() {
                let text = Array(String(decoding: try value.whole(), as: UTF8.self).utf8)
                values[index] = keep(RowTag.text, count: text.count) { $0.copyBytes(from: text) }
            } else {
                values[index] = Self.null
                long[index] = value
            }
        }
        try body(TableRow(UnsafeBufferPointer(values), long: long))
    }

    private func release() {
        for bytes in lent { bytes.deallocate() }
        lent.removeAll(keepingCapacity: true)
        long = [:]
    }

    private func keep(_ tag: UInt8, count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows
        -> StoredValue
    {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
        lent.append(bytes)
        try fill(bytes)
        return StoredValue(tag: tag, bits: 0, bytes: UnsafeRawBufferPointer(bytes))
    }

    private func readable(_ value: StoredValue, _ index: Int) throws -> StoredValue {
        do {
            return try large(value, index)
        } catch let error as ExternalDataError {
            guard leavesOutUnreadable else { throw error }
            return Self.null
        }
    }

    private func large(_ value: StoredValue, _ index: Int) throws -> StoredValue {
        switch value.bytes.first {
        case nil: return value
        case 1:
            return StoredValue(
                tag: value.tag, bits: 0, bytes: UnsafeRawBufferPointer(rebasing: value.bytes.dropFirst()))
        case 2:
            let (handle, size) = try ExternalData(store: url).openFile(stored: value.bytes)
            let file = LongFileValue(file: handle, count: size)
            if size > LongValueSize.limit {
                long[index] = file
                return Self.null
            }
            return try keep(RowTag.blob, count: size) { try file.fill($0, at: 0) }
        default: throw ExternalDataError(reason: "it begins with neither of the two known bytes")
        }
    }

    /// Returns a decimal as its 15 digits, as when the store reads it.
    private func decimal(_ real: Double) -> StoredValue {
        var digits = [CChar](repeating: 0, count: 40)
        let count = withVaList([real]) { vsnprintf(&digits, digits.count, "%.15g", $0) }
        guard real.isFinite, count > 0, count < digits.count else {
            return Self.null
        }
        return keep(RowTag.text, count: Int(count)) { bytes in
            digits.withUnsafeBytes { bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<Int(count)])) }
        }
    }

    /// Returns the text with invalid UTF-8 repaired, as when the store reads it.
    private func text(_ value: StoredValue) -> StoredValue {
        guard value.bytes.contains(where: { $0 >= 0x80 }) else { return value }
        let text = String(decoding: value.bytes, as: UTF8.self)
        guard !text.utf8.elementsEqual(value.bytes) else { return value }
        let repaired = Array(text.utf8)
        return keep(RowTag.text, count: repaired.count) { $0.copyBytes(from: repaired) }
    }
}
