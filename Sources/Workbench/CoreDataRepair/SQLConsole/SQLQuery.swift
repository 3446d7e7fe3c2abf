import CoreData

/// A statement for the SQL console, with its parameters and limits.
package struct SQLQuery: Sendable {
    package let sql: String
    /// The texts of the parameters' values (see `SQLParameterValue`), by parameter name, with or without its first
    /// character, such as `:`.
    package let parameters: [String: String]
    /// The greatest number of rows of the answer.
    package let limit: Int
    /// How long the statement may run before the console stops it.
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

    /// The text that was given for a parameter.
    ///
    /// - Throws: `SQLConsoleError` if none was given.
    func requiredText(for name: String) throws -> String {
        guard let text = parameters[name] ?? parameters[String(name.dropFirst())] else {
            throw SQLConsoleError(.badParameter, "the parameter \(name) has no value", hint: "@null is NULL")
        }
        return text
    }
}
