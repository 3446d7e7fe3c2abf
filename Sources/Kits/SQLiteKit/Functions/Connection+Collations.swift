import CSQLite

/// Compares two UTF-8 texts; returns a negative number, zero or a positive number. Must be a total order.
package typealias CollationComparison = (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int

extension Connection {
    /// Registers an SQL collating sequence.
    package func registerCollation(
        _ name: String, _ compare: @escaping CollationComparison
    ) throws(SQLiteError) {
        let handle = try open(for: "register collation \(name)")
        let box = Unmanaged.passRetained(CollationBox(compare))
        let code = sqlite3_create_collation_v2(
            handle, name, SQLITE_UTF8, box.toOpaque(), { callCollation($0, $1, $2, $3, $4) }, { releaseBox($0) })
        // Unlike for functions, SQLite does not call the destructor when it refuses a collation.
        if code != SQLITE_OK { box.release() }
        try check(code, "register collation \(name)")
    }
}

private final class CollationBox {
    let compare: CollationComparison
    init(_ compare: @escaping CollationComparison) { self.compare = compare }
}

private func callCollation(
    _ box: UnsafeMutableRawPointer?, _ leftCount: Int32, _ left: UnsafeRawPointer?, _ rightCount: Int32,
    _ right: UnsafeRawPointer?
) -> Int32 {
    guard let box else { return 0 }
    let order = Unmanaged<CollationBox>.fromOpaque(box).takeUnretainedValue().compare(
        UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
        UnsafeRawBufferPointer(start: right, count: Int(rightCount)))
    return Int32(order.signum())
}
