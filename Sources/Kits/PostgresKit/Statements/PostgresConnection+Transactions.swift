extension PostgresConnection {
    /// Runs a block within a transaction: commits it when the block returns, rolls it back when the block throws.
    ///
    /// - Parameters:
    ///   - beginning: the statement that begins the transaction, for example with an isolation level.
    ///   - first: statements that are sent together with it.
    /// - Throws: errors of the server and of the block.
    package func transaction<Result>(
        _ beginning: String = "BEGIN", first: [PostgresStatement] = [], body: () throws -> Result
    ) throws -> Result {
        do {
            _ = try pipeline([PostgresStatement(beginning)] + first)
            let result = try body()
            _ = try query("COMMIT")
            return result
        } catch {
            // The first error is thrown, not one of the rollback.
            if transactionStatus != .idle { _ = try? query("ROLLBACK") }
            throw error
        }
    }
}
