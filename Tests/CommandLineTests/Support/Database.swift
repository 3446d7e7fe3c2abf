import CoreData
import SQLiteKit
import Testing

/// Changes to a store's file behind the library's back.
enum Database {
    static func change(_ url: URL, _ statements: String...) throws {
        let connection = try Connection.open(url.path)
        defer { connection.close() }
        for statement in statements { try connection.execute(statement) }
    }

    /// The first value of a question, as a text; and whether the file is whole.
    static func text(_ url: URL, _ question: String) throws -> String? {
        let connection = try Connection.open(url.path)
        defer { connection.close() }
        #expect(try connection.integrityFaults() == [])
        return try connection.value("SELECT CAST((\(question)) AS TEXT)")?.text
    }
}
