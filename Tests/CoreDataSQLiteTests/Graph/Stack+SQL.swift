import CoreData
import SQLiteKit
import StoreContract
import Testing

@testable import CoreDataSQLite

extension Stack {
    /// The open file of the stack's store.
    var file: StoreFile {
        guard let file = store.objects as? StoreFile else { preconditionFailure("no file") }
        return file
    }

    /// The statements that a block sends, as texts, on the store's own connection or as one reader.
    func statements(_ body: () throws -> Void) rethrows -> [String] {
        final class Log { var texts: [String] = [] }
        let log = Log()
        let (own, reader) = (file.connection, reader?.connection)
        own.trace = { log.texts.append($0) }
        // What begins and ends a reader's transaction asks nothing.
        reader?.trace = { if !["BEGIN DEFERRED", "ROLLBACK"].contains($0) { log.texts.append($0) } }
        defer {
            own.trace = nil
            reader?.trace = nil
        }
        try body()
        return log.texts
    }

    /// How many statements a block sends, on the store's own connection or as one reader.
    func statementCount(_ body: () throws -> Void) rethrows -> Int { try statements(body).count }

    /// The reader that the next one gets who needs one; nil where the store is read by one thread at a time.
    private var reader: StoreFile? {
        guard case .reader(let reader) = file.pool?.checkOut(for: ReaderUse(.question), waiting: .zero) else {
            return nil
        }
        defer { reader.release() }
        return reader as? StoreFile
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
