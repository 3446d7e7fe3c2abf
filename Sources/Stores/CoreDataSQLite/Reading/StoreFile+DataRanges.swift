import CoreDataSQL
import SQLiteKit

extension StoreFile: DataRangeReading {
    package var dataRanges: (any DataRangeReading)? { self }

    package func storedData(of attribute: String, at address: RowAddress) throws -> StoredData? {
        // If the value cannot be opened, nil is returned; the caller then reads it completely, which reports the error.
        try reporting("be read") {
            guard let value = try? StoredValueRange(of: attribute, at: address, in: self) else { return nil }
            return StoredData(
                attribute: attribute, address: address, count: value.count, version: value.version)
        }
    }

    package func bytes(_ range: Range<Int>, of data: StoredData) throws -> Data {
        try reporting("be read") {
            let value = try StoredValueRange(of: data.attribute, at: data.address, in: self)
            guard let value, value.version == data.version, value.count == data.count, range.lowerBound >= 0,
                range.upperBound <= value.count
            else {
                throw CoreDataError.make(
                    NSPersistentStoreOperationError,
                    "A part of '\(data.attribute)' cannot be read: the value has changed since it was found.",
                    hint: "Find it again.")
            }
            return try value.bytes(range)
        }
    }
}

/// A data value of which parts are read: in its row, or in an external file.
private struct StoredValueRange {
    private enum Place {
        /// In the row, after `skipped` bytes.
        case row(IncrementalBlob, skipped: Int)
        case file(FileHandle)
    }

    let count: Int
    let version: Int64
    private let place: Place

    /// Returns nil if there is no data.
    ///
    /// - Throws: `SQLiteError` or `ExternalDataError`.
    init?(of attribute: String, at address: RowAddress, in file: StoreFile) throws {
        let mapping = try file.mapping(of: address.binding.layout)
        guard let form = mapping.attribute(attribute), form.type == .binaryDataAttributeType else { return nil }
        // The open blob holds a read transaction, in which the row is then queried.
        let blob = try IncrementalBlob(file.connection, table: mapping.table, column: form.column, row: address.key)
        let query = try file.connection.prepare(
            """
            SELECT Z_ENT, Z_OPT, typeof(\(SQLIdentifier.quoted(form.column))) = 'blob' \
            FROM \(SQLIdentifier.quoted(mapping.table)) WHERE Z_PK = ?
            """)
        try query.bind(address.key, at: 1)
        guard try query.step(), mapping.familyNumbers.contains(Int(query.int64(0))), query.int64(2) == 1 else {
            return nil
        }
        version = query.int64(1)
        guard form.allowsExternalStorage, blob.count > 0 else {
            (place, count) = (.row(blob, skipped: 0), blob.count)
            return
        }
        let start = try blob.bytes(0..<min(blob.count, ExternalData.nameSize))
        switch start.first {
        case 1: (place, count) = (.row(blob, skipped: 1), blob.count - 1)
        case 2:
            let (handle, size) = try start.withUnsafeBytes { try file.external.openFile(stored: $0) }
            (place, count) = (.file(handle), size)
        default: return nil
        }
    }

    func bytes(_ range: Range<Int>) throws -> Data {
        switch place {
        case .row(let blob, let skipped):
            return try blob.bytes(range.lowerBound + skipped..<range.upperBound + skipped)
        case .file(let handle):
            try handle.seek(toOffset: UInt64(range.lowerBound))
            let data = try handle.read(upToCount: range.count) ?? Data()
            guard data.count == range.count else { throw ExternalDataError(reason: "its file has become shorter") }
            return data
        }
    }
}

extension IncrementalBlob {
    /// Returns a part of the value.
    fileprivate func bytes(_ range: Range<Int>) throws -> Data {
        var data = Data(count: range.count)
        try data.withUnsafeMutableBytes { try read($0, at: range.lowerBound) }
        return data
    }
}
