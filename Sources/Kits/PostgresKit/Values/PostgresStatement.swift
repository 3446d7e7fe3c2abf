/// An SQL statement with the values of its parameters.
package struct PostgresStatement: Sendable {
    package let sql: String
    package let parameters: [PostgresParameter]

    package init(_ sql: String, _ parameters: [PostgresParameter] = []) {
        self.sql = sql
        self.parameters = parameters
    }
}
