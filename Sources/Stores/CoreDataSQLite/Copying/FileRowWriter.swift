import CoreDataSQL
import SQLiteKit

/// Inserts the rows of one table into a file, in the form in which saves store them.
///
/// Large data is inserted as zeros and then overwritten in parts. SQLite needs no memory for zeros if only zeros follow
/// in the row, so all data after the first such value is written in this way. A large text is not: it is completely in
/// memory, and again in the row that SQLite builds.
final class FileRowWriter {
    let table: CopiedTable
    private let definition: TableDefinition
    private let connection: Connection
    private let statement: Statement
    private let url: URL
    private var scratch: [UInt8] = []
    /// Distinguishes the large values of this file from those of other stores that share the folder.
    private let mark: UInt16

    init(_ table: CopiedTable, definition: TableDefinition, connection: Connection, beside url: URL) throws {
        self.table = table
        self.definition = definition
        self.connection = connection
        self.url = url
        mark = url.lastPathComponent.utf8.reduce(0x811C) { ($0 ^ UInt16($1)) &* 0x0193 }
        let names = definition.columns.map { SQLIdentifier.quoted($0.name) }.joined(separator: ", ")
        let values = definition.columns.map { _ in "?" }.joined(separator: ", ")
        statement = try connection.prepare(
            "INSERT INTO \(SQLIdentifier.quoted(definition.name)) (\(names)) VALUES (\(values))")
    }

    func write(_ row: TableRow) throws {
        guard row.long.isEmpty else { return try writeLong(row) }
        for index in row.values.indices { try bind(row.values[index], of: row, index) }
        try statement.run()
    }

    private func bind(_ value: StoredValue, of row: TableRow, _ index: Int) throws {
        switch value.tag {
        case RowTag.integer: try statement.bind(value.integer, at: index + 1)
        case RowTag.real: try statement.bind(value.real, at: index + 1)
        case RowTag.text where table.columns[index].type == .decimal: try bind(digits: value.bytes, index)
        case RowTag.text: try statement.bind(text: value.bytes, at: index + 1, .borrowed)
        case RowTag.blob where table.isLarge[index]:
            try storeLarge(value.bytes, of: row, index)
            try scratch.withUnsafeBytes { try statement.bind(blob: $0, at: index + 1, .copied) }
        case RowTag.blob: try statement.bind(blob: value.bytes, at: index + 1, .borrowed)
        default: try statement.bindNull(at: index + 1)
        }
    }

    /// Binds a decimal, rounded to the digits that a file stores.
    private func bind(digits: UnsafeRawBufferPointer, _ index: Int) throws {
        switch KeptDecimal(text: String(decoding: digits, as: UTF8.self)) {
        case .integer(let integer)?: try statement.bind(integer, at: index + 1)
        case .real(let real)?: try statement.bind(real, at: index + 1)
        case nil: try statement.bind(text: digits, at: index + 1, .borrowed)
        }
    }

    /// Sets `scratch` to the stored form of data that allows external storage; data above the threshold is written to a
    /// file.
    private func storeLarge(_ bytes: UnsafeRawBufferPointer, of row: TableRow, _ index: Int) throws {
        scratch.removeAll(keepingCapacity: true)
        if bytes.count > ExternalData.threshold {
            try storeFile(of: row, index) { put in try put(bytes) }
        } else {
            scratch.append(1)
            scratch.append(contentsOf: bytes)
        }
    }

    /// Writes a file of a large value, and sets `scratch` to the value that names it.
    private func storeFile(
        of row: TableRow, _ index: Int, _ fill: (_ put: (UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws {
        let name = name(of: row.values[table.keys.first ?? 0].integer, index)
        let folder = try ExternalFolder(store: url, makesFolders: true)
        folder.remove(name)
        try folder.write(name: name, fill)
        scratch.removeAll(keepingCapacity: true)
        scratch.append(2)
        scratch.append(contentsOf: name.utf8)
        scratch.append(0)
    }

    // MARK: Values that are read by parts

    /// A value that is written into the row after the row's insertion.
    private struct LaterValue {
        let column: Int
        let count: Int
        let read: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
    }

    private func writeLong(_ row: TableRow) throws {
        var later: [LaterValue] = []
        // The bound texts must stay allocated until the row has been inserted.
        var texts: [UnsafeMutableRawBufferPointer] = []
        defer { for text in texts { text.deallocate() } }
        for index in row.values.indices {
            if let long = row.long[index], long.tag == RowTag.text {
                let text = UnsafeMutableRawBufferPointer.allocate(byteCount: long.count, alignment: 8)
                texts.append(text)
                var place = 0
                try long.read { part in
                    UnsafeMutableRawBufferPointer(rebasing: text[place...]).copyMemory(from: part)
                    place += part.count
                }
                try statement.bind(text: UnsafeRawBufferPointer(text), at: index + 1, .borrowed)
            } else if let value = try laterValue(of: row, index, isFirst: later.isEmpty) {
                try statement.bind(zeros: value.count, at: index + 1)
                later.append(value)
            } else {
                try bind(row.values[index], of: row, index)
            }
        }
        try statement.run()
        let key = row.values[table.keys.first ?? 0].integer
        for value in later {
            let blob = try IncrementalBlob(
                connection, table: definition.name, column: definition.columns[value.column].name, row: key,
                isWritten: true)
            var place = 0
            try value.read { part in
                try blob.write(part, at: place)
                place += part.count
            }
        }
    }

    /// Returns binary data to write after the row's insertion: long data, and any after it (not `isFirst`); else nil.
    private func laterValue(of row: TableRow, _ index: Int, isFirst: Bool) throws -> LaterValue? {
        if let long = row.long[index] {
            guard table.isLarge[index] else { return LaterValue(column: index, count: long.count, read: long.read) }
            if long.count > ExternalData.threshold {
                try storeFile(of: row, index) { try long.read($0) }
            } else {
                try long.whole().withUnsafeBytes { try storeLarge($0, of: row, index) }
            }
        } else {
            let value = row.values[index]
            guard !isFirst, value.tag == RowTag.blob else { return nil }
            if table.isLarge[index] {
                try storeLarge(value.bytes, of: row, index)
            } else {
                scratch = Array(value.bytes)
            }
        }
        let bytes = scratch
        return LaterValue(column: index, count: bytes.count) { put in try bytes.withUnsafeBytes { try put($0) } }
    }

    /// Returns a UUID of version 8 (custom content), computed from table, column, key and the store's name.
    private func name(of key: Int64, _ column: Int) -> String {
        func byte(_ value: some FixedWidthInteger, _ place: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: value >> (8 * place))
        }
        let number = table.number
        return UUID(
            uuid: (
                byte(key, 7), byte(key, 6), byte(key, 5), byte(key, 4), byte(key, 3), byte(key, 2),
                0x80 | byte(number, 2) & 0x0F, byte(key, 1), 0x80, byte(key, 0), byte(number, 1), byte(number, 0),
                byte(column, 1), byte(column, 0), byte(mark, 1), byte(mark, 0)
            )
        ).uuidString
    }
}
