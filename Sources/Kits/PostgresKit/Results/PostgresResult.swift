import CPostgres

/// The rows that a statement returned, in the binary format; immutable.
package final class PostgresResult: @unchecked Sendable {
    let handle: OpaquePointer
    package let rowCount: Int
    package let columnCount: Int

    init(_ handle: OpaquePointer) {
        self.handle = handle
        rowCount = Int(PQntuples(handle))
        columnCount = Int(PQnfields(handle))
    }

    deinit { PQclear(handle) }

    /// The type OID of a column.
    package func oid(_ column: Int) -> UInt32 { PQftype(handle, Int32(column)) }

    /// The number of rows that the statement changed.
    package var affectedRows: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

    package func isNull(_ row: Int, _ column: Int) -> Bool { PQgetisnull(handle, Int32(row), Int32(column)) != 0 }

    /// The bytes of a value, empty for NULL and outside of the result; valid as long as the result exists.
    package func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
        let count = PQgetlength(handle, Int32(row), Int32(column))
        return UnsafeRawBufferPointer(start: PQgetvalue(handle, Int32(row), Int32(column)), count: Int(max(0, count)))
    }

    /// An integer or Boolean, according to the value's length; nil for NULL and for other lengths.
    package func int64(_ row: Int, _ column: Int) -> Int64? {
        let bytes = bytes(row, column)
        switch bytes.count {
        case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 2: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case 1: return Int64(bytes[0])
        default: return nil
        }
    }

    /// A double, bit for bit; nil for NULL and for values of another length.
    package func double(_ row: Int, _ column: Int) -> Double? {
        let bytes = bytes(row, column)
        guard bytes.count == 8 else { return nil }
        return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    }

    /// A text; nil for NULL.
    package func text(_ row: Int, _ column: Int) -> String? {
        isNull(row, column) ? nil : String(decoding: bytes(row, column), as: UTF8.self)
    }

    /// The text of a numeric value; nil for NULL and for bytes of another format.
    package func decimalText(_ row: Int, _ column: Int) -> String? { PostgresNumeric.text(of: bytes(row, column)) }
}
