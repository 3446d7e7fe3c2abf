import CoreData
import SQLiteKit

/// The limits on the size and memory of a statement of the SQL console.
enum SQLBounds {
    /// The limits on a statement that SQLite itself enforces.
    static let limits: [OpenOptions.Limit: Int] = [
        .sqlLength: 100_000, .expressionDepth: 200, .compoundSelects: 100, .instructions: 250_000,
        .functionArguments: 100, .attachedDatabases: 0, .patternLength: 1_000, .parameters: 200, .workerThreads: 0,
    ]

    /// The greatest number of bytes that all values of a statement may have together.
    private static let memory = 512 << 20
    private static let (least, most) = (64 << 10, 16 << 20)
    /// The greatest length of a value, in bytes, with which one call of a slow function does not take seconds.
    private static let mostOfSlow = 256 << 10

    /// The greatest length of a text or blob of a statement, in bytes: the more values it can have, the shorter they
    /// may be.
    static func valueLength(_ policy: SQLReadingPolicy, _ sql: String) -> Int {
        // SQLite does not report operators to the authorizer, so their number is estimated from the statement's length.
        let values = 1 + policy.mentions + sql.utf8.count / 8
        let length = min(max(memory / values, least), most)
        return policy.callsSlowFunction ? min(length, mostOfSlow) : length
    }
}
