import CoreData
import SQLiteKit

/// Changes to a store's file behind the library's back.
enum Database {
    static func change(_ url: URL, _ statements: String...) throws {
        let connection = try Connection.open(url.path)
        defer { connection.close() }
        for statement in statements { try connection.execute(statement) }
    }
}
