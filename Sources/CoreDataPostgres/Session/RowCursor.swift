import CoreDataSQL
import PostgresKit

/// The rows of a query a thousand at a time, between which the connection may be asked other things.
///
/// Lives within a transaction, which ends it.
struct RowCursor {
    private static let name = "opencoredata_rows"
    static let rowsAtOnce = 1_000
    private let session: PostgresSession
    private var isAtEnd = false

    init(_ query: CompiledQuery, _ session: PostgresSession) throws {
        self.session = session
        _ = try session.query(
            "DECLARE \(Self.name) NO SCROLL CURSOR FOR \(query.sql)", query.parameters.map { PostgresParameter($0) })
    }

    /// The next rows; nil at the end.
    mutating func next() throws -> PostgresResult? {
        guard !isAtEnd else { return nil }
        let result = try session.query("FETCH \(Self.rowsAtOnce) FROM \(Self.name)")
        isAtEnd = result.rowCount < Self.rowsAtOnce
        return result.rowCount == 0 ? nil : result
    }

    func close() throws { _ = try session.query("CLOSE \(Self.name)") }
}
