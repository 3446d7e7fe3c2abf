extension PostgresConnection {
    /// Runs a block within a transaction, which ends with it: committed, or rolled back where an error is thrown.
    ///
    /// - Parameters:
    ///   - beginning: the statement that begins the transaction, with its isolation level.
    ///   - first: statements that are sent in the same round trip.
    /// - Throws: the server's error, or the block's.
    package func transaction<Result>(
        _ beginning: String = "BEGIN", first: [PostgresStatement] = [], body: () throws -> Result
    ) throws -> Result {
        do {
            _ = try pipeline([PostgresStatement(beginning)] + first)
            let result = try body()
            _ = try query("COMMIT")
            return result
        } catch {
            // The first error is the relevant one.
            if transactionStatus != .idle { _ = try? query("ROLLBACK") }
            throw error
        }
    }
}
