import CoreData

/// What the console is asked.
package struct SQLQuery: Sendable {
    package let sql: String
    /// Texts for the parameters by their names, with or without the character that these begin with.
    package let parameters: [String: String]
    /// The greatest number of rows.
    package let limit: Int
    /// For how long the database may be at it.
    package let time: Duration

    /// The greatest number of rows that a query may request, and the default.
    package static let (mostRows, usualRows) = (100_000, 1_000)
    /// The approximate maximum of bytes of a complete answer.
    static let mostBytes = 16 << 20

    package init(sql: String, parameters: [String: String], limit: Int, time: Duration) {
        self.sql = sql
        self.parameters = parameters
        self.limit = min(max(limit, 1), Self.mostRows)
        self.time = time
    }

    /// The text for a parameter.
    ///
    /// - Throws: `SQLConsoleError` where it is not given.
    func requiredText(for name: String) throws -> String {
        guard let text = parameters[name] ?? parameters[String(name.dropFirst())] else {
            throw SQLConsoleError(.badParameter, "the parameter \(name) has no value", hint: "@null is NULL")
        }
        return text
    }
}
