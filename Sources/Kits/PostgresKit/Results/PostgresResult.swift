import CPostgres

/// The rows that a statement gave, in the server's binary form; immutable, and alive as long as who looks at it.
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

    /// The type of a column.
    package func oid(_ column: Int) -> UInt32 { PQftype(handle, Int32(column)) }

    /// How many rows the statement wrote.
    package var affectedRows: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

    package func isNull(_ row: Int, _ column: Int) -> Bool { PQgetisnull(handle, Int32(row), Int32(column)) != 0 }

    /// The bytes of a cell, none for NULL and outside of the rows; valid as long as the result.
    package func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
        let count = PQgetlength(handle, Int32(row), Int32(column))
        return UnsafeRawBufferPointer(start: PQgetvalue(handle, Int32(row), Int32(column)), count: Int(max(0, count)))
    }

    /// An integer or Boolean, by the length of its cell; nil for NULL and for a cell of another length.
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

    /// A double, with all its bits; nil for NULL and for what has another length.
    package func double(_ row: Int, _ column: Int) -> Double? {
        let bytes = bytes(row, column)
        guard bytes.count == 8 else { return nil }
        return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    }

    /// A text; nil for NULL.
    package func text(_ row: Int, _ column: Int) -> String? {
        isNull(row, column) ? nil : String(decoding: bytes(row, column), as: UTF8.self)
    }

    /// The digits of a decimal; nil for NULL and for other values.
    package func decimalText(_ row: Int, _ column: Int) -> String? { PostgresNumeric.text(of: bytes(row, column)) }
}
