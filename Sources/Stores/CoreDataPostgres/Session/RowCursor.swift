import CoreDataSQL
import PostgresKit

/// The rows of a query a thousand at a time, between which the connection may be asked other things.
///
/// Lives within a transaction, which ends it.
struct RowCursor {
    static let rowsAtOnce = 1_000
    private let session: PostgresSession
    let name: String
    private var isAtEnd = false

    init(_ query: CompiledQuery, _ session: PostgresSession) throws {
        self.session = session
        // A retained state may have several at once.
        session.cursorCount = (session.cursorCount + 1) % 1_000_000
        name = "opencoredata_rows_\(session.cursorCount)"
        _ = try session.query(
            "DECLARE \(name) NO SCROLL CURSOR FOR \(query.sql)", query.parameters.map { PostgresParameter($0) })
    }

    /// The next rows, at most as many; nil at the end.
    mutating func next(_ count: Int = rowsAtOnce) throws -> PostgresResult? {
        guard !isAtEnd else { return nil }
        let result = try session.query("FETCH \(count) FROM \(name)")
        isAtEnd = result.rowCount < count
        return result.rowCount == 0 ? nil : result
    }

    func close() throws { _ = try session.query("CLOSE \(name)") }
}
