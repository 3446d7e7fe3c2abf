import CoreDataSQL
import PostgresKit

/// The rows of a query, a thousand at a time; the connection can run other queries in between.
///
/// A cursor belongs to a transaction, and closes when that ends.
struct RowCursor {
    static let rowsAtOnce = 1_000
    private let session: PostgresSession
    let name: String
    private var isAtEnd = false

    init(_ query: CompiledQuery, _ session: PostgresSession) throws {
        self.session = session
        // A snapshot may have several cursors at once.
        session.cursorCount = (session.cursorCount + 1) % 1_000_000
        name = "opencoredata_rows_\(session.cursorCount)"
        _ = try session.query(
            "DECLARE \(name) NO SCROLL CURSOR FOR \(query.sql)", query.parameters.map { PostgresParameter($0) })
    }

    /// Returns the next rows, at most `count`; nil at the end.
    mutating func next(_ count: Int = rowsAtOnce) throws -> PostgresResult? {
        guard !isAtEnd else { return nil }
        let result = try session.query("FETCH \(count) FROM \(name)")
        isAtEnd = result.rowCount < count
        return result.rowCount == 0 ? nil : result
    }

    func close() throws { _ = try session.query("CLOSE \(name)") }
}
