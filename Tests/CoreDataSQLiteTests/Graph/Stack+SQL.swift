import CoreData
import CoreDataTestSupport
import SQLiteKit
import Testing

@testable import CoreDataSQLite

extension Stack {
    /// The open file of the stack's store.
    var file: StoreFile {
        guard let file = store.objects as? StoreFile else { preconditionFailure("no file") }
        return file
    }

    /// The statements that a block sends, as texts.
    func statements(_ body: () throws -> Void) rethrows -> [String] {
        final class Log { var texts: [String] = [] }
        let log = Log()
        file.connection.trace = { log.texts.append($0) }
        defer { file.connection.trace = nil }
        try body()
        return log.texts
    }

    /// How many statements a block sends.
    func statementCount(_ body: () throws -> Void) rethrows -> Int {
        let before = file.connection.statementCount
        try body()
        return file.connection.statementCount - before
    }

    /// Expects a block to send a number of statements.
    func expectStatements(
        _ expected: Int, _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) rethrows {
        let count = try statementCount(body)
        #expect(count == expected, sourceLocation: location)
    }

    /// What a query finds in the file.
    func rows(_ sql: String, _ values: [Value] = []) throws -> [[Value]] { try file.connection.rows(sql, values) }

    /// Changes the file behind the graph's back.
    func execute(_ sql: String) throws { try file.connection.execute(sql) }

    func integer(_ sql: String) throws -> Int64? { try file.connection.value(sql)?.integer }
}

/// The code of the Cocoa error that a block throws.
func code(_ body: () throws -> Void) -> Int? {
    do { try body() } catch { return (error as NSError).code }
    return nil
}
