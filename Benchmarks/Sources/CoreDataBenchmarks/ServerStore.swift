import CRawPostgres
import CoreData
import CoreDataPostgres
import TestServers

/// A store of items on a private PostgreSQL server, whose first attribute is unique.
///
/// The server is that of the tests: it does not wait for its disk (`fsync=off`), on either side.
struct ServerStore {
    let schema: String
    private let server: PostgresServer

    /// The library makes the store; with `count` C fills it, so that what is read does not depend on how the library writes.
    init(_ bench: Workbench, count: Int = 0, tracksHistory: Bool = false) throws {
        let server = try bench.once("server") { try PostgresServer() }
        self.server = server
        schema = server.makeURL("items").absoluteString.split(separator: "=").last.map(String.init) ?? ""
        try Workbench.close(try open(tracksHistory: tracksHistory))
        guard count > 0 else { return }
        try Self.require(raw_server_copy_items(place, schema, Int64(count), tracksHistory ? 1 : 0))
        try Self.require(raw_server_settle(place, schema, Int64(count)))
    }

    /// Rows about a server, none where none is installed, which standard error says.
    static func rows(_ code: String, _ make: () throws -> [Row]) throws -> [Row] {
        guard PostgresServer.isAvailable else {
            FileHandle.standardError.write(Data("\(code): left out, since there is no PostgreSQL server\n".utf8))
            return []
        }
        return try make()
    }

    /// Where C finds the server.
    var place: String { "host=\(server.host) user=coredata dbname=postgres" }

    /// Opens the store with a coordinator of its own, whose row cache is empty.
    func open(tracksHistory: Bool = false) throws -> NSPersistentContainer {
        let attributes = ItemStore.attributeNames.map { ($0, NSAttributeType.integer64AttributeType) }
        return try Workbench.open(
            server.url(schema: schema), Workbench.model("Item", attributes, unique: [["a0"]]),
            tracksHistory: tracksHistory, type: CoreDataPostgreSQLStoreType)
    }

    func remove() { _ = raw_server_remove(place, schema) }

    /// The sample of some raw work.
    @discardableResult
    static func require(_ result: raw_server_result) throws -> Sample {
        guard result.failed == 0 else {
            throw Failure(
                "the raw work failed: \(withUnsafeBytes(of: result.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })"
            )
        }
        return Sample(seconds: result.seconds)
    }
}
