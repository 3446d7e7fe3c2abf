import CoreData
import SQLiteKit

/// How much a statement of the console may take.
enum SQLBounds {
    /// The sizes of what is asked, which SQLite checks itself.
    static let limits: [OpenOptions.Limit: Int] = [
        .sqlLength: 100_000, .expressionDepth: 200, .compoundSelects: 100, .instructions: 250_000,
        .functionArguments: 100, .attachedDatabases: 0, .patternLength: 1_000, .parameters: 200, .workerThreads: 0,
    ]

    /// The memory that all values of a statement together may take.
    private static let memory = 512 << 20
    private static let (least, most) = (64 << 10, 16 << 20)
    /// Above this one call of a slow function could take seconds.
    private static let mostOfSlow = 256 << 10

    /// The longest text or blob in a statement, so that no number of them fills the memory.
    static func valueLength(_ policy: SQLReadingPolicy, _ sql: String) -> Int {
        // SQLite does not report operators; one takes some bytes of the text.
        let values = 1 + policy.mentions + sql.utf8.count / 8
        let length = min(max(memory / values, least), most)
        return policy.callsSlowFunction ? min(length, mostOfSlow) : length
    }
}
