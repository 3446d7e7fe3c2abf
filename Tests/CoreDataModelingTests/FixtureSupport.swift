import CSQLite
import CoreDataModeling
import TestBasics
import Testing

/// What the tests read from the stores and models beside the project.
enum FixtureSupport {
    /// Every file or folder below the fixtures, by its path from there, in order.
    private static let allPaths: [String] = {
        let root = Fixtures.folder.resolvingSymlinksInPath().path
        guard let all = FileManager.default.enumerator(atPath: root) else { return [] }
        return all.compactMap { $0 as? String }.sorted()
    }()

    static func paths(endingIn suffix: String) -> [String] { allPaths.filter { $0.hasSuffix(suffix) } }

    static var stores: [String] { (paths(endingIn: ".sqlite") + paths(endingIn: ".CDBStore")) }

    /// The metadata and the kept model of a store.
    static func bookkeeping(of store: String) throws -> (metadata: Data, cachedModel: Data?) {
        let copy = try Fixtures.copyOfStore(store)
        defer { try? FileManager.default.removeItem(at: copy.deletingLastPathComponent()) }
        let metadata = try #require(blob("SELECT Z_PLIST FROM Z_METADATA", in: copy))
        return (metadata, blob("SELECT Z_CONTENT FROM Z_MODELCACHE", in: copy))
    }

    private static func blob(_ query: String, in store: URL) -> Data? {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        guard sqlite3_open(store.path, &database) == SQLITE_OK else { return nil }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(database, query, -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW, let bytes = sqlite3_column_blob(statement, 0)
        else { return nil }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, 0)))
    }
}
