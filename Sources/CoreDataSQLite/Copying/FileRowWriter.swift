import CoreDataSQL
import SQLiteKit

/// Puts the rows of one table into a file, as saves would have them there.
final class FileRowWriter {
    let table: CopiedTable
    private let statement: Statement
    private let url: URL
    private var scratch: [UInt8] = []
    /// Tells the file's large values from those of another in the same folder.
    private let mark: UInt16

    init(_ table: CopiedTable, _ definition: TableDefinition, _ connection: Connection, beside url: URL) throws {
        self.table = table
        self.url = url
        mark = url.lastPathComponent.utf8.reduce(0x811C) { ($0 ^ UInt16($1)) &* 0x0193 }
        let names = definition.columns.map { SQLIdentifier.quoted($0.name) }.joined(separator: ", ")
        let values = definition.columns.map { _ in "?" }.joined(separator: ", ")
        statement = try connection.prepare(
            "INSERT INTO \(SQLIdentifier.quoted(definition.name)) (\(names)) VALUES (\(values))")
    }

    func write(_ row: UnsafeBufferPointer<StoredValue>) throws {
        for index in row.indices {
            let value = row[index]
            switch value.tag {
            case RowTag.integer: try statement.bind(value.integer, at: index + 1)
            case RowTag.real: try statement.bind(value.real, at: index + 1)
            case RowTag.text: try statement.bind(text: value.bytes, at: index + 1, .borrowed)
            case RowTag.blob where table.isLarge[index]: try bindLarge(value.bytes, of: row, index)
            case RowTag.blob: try statement.bind(blob: value.bytes, at: index + 1, .borrowed)
            default: try statement.bindNull(at: index + 1)
            }
        }
        try statement.run()
    }

    private func bindLarge(_ bytes: UnsafeRawBufferPointer, of row: UnsafeBufferPointer<StoredValue>, _ index: Int)
        throws
    {
        scratch.removeAll(keepingCapacity: true)
        if bytes.count > ExternalData.threshold {
            let name = name(of: row[table.keys.first ?? 0].integer, index)
            let folder = try ExternalFolder(store: url, makesFolders: true)
            folder.remove(name)
            try folder.write(Data(bytes), name: name)
            scratch.append(2)
            scratch.append(contentsOf: name.utf8)
            scratch.append(0)
        } else {
            scratch.append(1)
            scratch.append(contentsOf: bytes)
        }
        try scratch.withUnsafeBytes { try statement.bind(blob: $0, at: index + 1, .copied) }
    }

    /// A UUID of the eighth version, which is made as one likes: of table, column, key and the store's name.
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
