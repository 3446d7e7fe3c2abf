import CoreDataSQL
import SQLiteKit

/// A generation is a connection of its own in which a read transaction has begun: with a write-ahead log it goes on seeing
/// what was there then.
extension StoreFile: GenerationKeeping {
    package func keepGeneration() throws -> (any KeptGeneration)? {
        guard let reconnect, try connection.pragma("journal_mode")?.text == "wal" else { return nil }
        return try reporting("be read") {
            let connection = try reconnect()
            do {
                try connection.execute("BEGIN")
                // The transaction begins with its first look at the file.
                _ = try connection.value("SELECT count(*) FROM Z_METADATA")
                let file = try StoreFile(
                    connection: connection, copy: nil, url: url, model: layouts.model, configuration: configuration,
                    store: store, isReadOnly: true)
                return StoreMoment(file)
            } catch {
                connection.close()
                throw error
            }
        }
    }
}

/// A store's file at one moment.
private final class StoreMoment: KeptGeneration {
    private let file: StoreFile

    init(_ file: StoreFile) { self.file = file }

    func release() { file.close() }

    func fetch(_ query: FetchQuery) throws -> FetchedRows { try file.fetch(query) }

    func count(_ query: FetchQuery) throws -> Int { try file.count(query) }

    func rows(of binding: EntityBinding, keys: [Int64]) throws -> [RowRun] { try file.rows(of: binding, keys: keys) }

    func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, key: Int64
    ) throws -> [RowAddress] { try file.members(of: relationship, owner: owner, key: key) }

    func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, keys: [Int64]
    ) throws -> MemberRows { try file.members(of: relationship, owner: owner, keys: keys) }
}
