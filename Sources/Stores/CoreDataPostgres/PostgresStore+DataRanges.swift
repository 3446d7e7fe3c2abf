import CoreDataSQL
import PostgresKit

/// Reads parts of large values with `substr`: the server sends only the part, and if the column is stored out of line
/// without compression, it reads only the part from disk.
extension PostgresStore: DataRangeReading {
    package var dataRanges: (any DataRangeReading)? { self }

    package func storedData(of attribute: String, at address: RowAddress) throws -> StoredData? {
        let mapping = try shape.table(of: address.binding.layout).mapping
        guard let column = Self.column(of: attribute, mapping) else { return nil }
        return try session.answering {
            try session.reporting("be read") {
                let result = try session.query(
                    "SELECT octet_length(\(column)), coalesce(Z_OPT, 0), Z_ENT FROM \(shape.schema.table(mapping.table)) "
                        + "WHERE Z_PK = $1::int8", [.integer(address.key)])
                guard result.rowCount == 1, let count = result.int64(0, 0), let version = result.int64(0, 1),
                    let entity = result.int64(0, 2), mapping.familyNumbers.contains(Int(clamping: entity))
                else { return nil }
                return StoredData(attribute: attribute, address: address, count: Int(count), version: version)
            }
        }
    }

    package func bytes(_ range: Range<Int>, of data: StoredData) throws -> Data {
        let mapping = try shape.table(of: data.address.binding.layout).mapping
        guard let column = Self.column(of: data.attribute, mapping), range.lowerBound >= 0,
            range.upperBound <= data.count
        else { throw changed(data) }
        return try session.answering {
            try session.reporting("be read") {
                // `substr` counts from 1.
                let result = try session.query(
                    "SELECT substr(\(column), $2::int8::int4, $3::int8::int4) FROM \(shape.schema.table(mapping.table)) "
                        + "WHERE Z_PK = $1::int8 AND coalesce(Z_OPT, 0) = $4::int8 AND octet_length(\(column)) = $5::int8",
                    [
                        .integer(data.address.key), .integer(Int64(range.lowerBound) + 1), .integer(Int64(range.count)),
                        .integer(data.version), .integer(Int64(data.count)),
                    ])
                guard result.rowCount == 1, !result.isNull(0, 0), result.bytes(0, 0).count == range.count else {
                    throw changed(data)
                }
                return Data(result.bytes(0, 0))
            }
        }
    }

    /// Returns the column of a data attribute as SQL; nil for an attribute of another type.
    private static func column(of attribute: String, _ mapping: EntityMapping) -> String? {
        guard let form = mapping.attribute(attribute), form.type == .binaryDataAttributeType else { return nil }
        return SQLIdentifier.quoted(form.column)
    }

    private func changed(_ data: StoredData) -> NSError {
        CoreDataError.make(
            NSPersistentStoreOperationError,
            "A part of '\(data.attribute)' cannot be read: the value has changed since it was found.",
            hint: "Find it again.")
    }
}
