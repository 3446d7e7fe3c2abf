import CoreData
import CoreDataPostgres
import Foundation
import PostgresKit
import StoreContract
import TestServers
import Testing

/// A store in a schema of its own that is opened with one version of a model after another; tests set the options before threads.
final class ServerScene: @unchecked Sendable {
    static var automatic: [AnyHashable: Any] {
        [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
    }

    let url: URL
    let server: PostgresServer
    var options = ServerScene.automatic

    /// Makes a store of a version and fills it.
    init(
        _ model: NSManagedObjectModel, options: [AnyHashable: Any] = [:],
        _ fill: (NSManagedObjectContext) throws -> Void = { _ in }
    ) throws {
        server = try PostgresServer.shared.get()
        url = server.makeURL("version")
        try with(model, options: options) { context in
            try fill(context)
            try context.save()
        }
    }

    var schema: String {
        URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == "schema" }?.value ?? ""
    }

    /// Opens the store with a version, migrating it if it is of another, and closes it afterwards.
    @discardableResult
    func with<Result>(
        _ model: NSManagedObjectModel, options: [AnyHashable: Any]? = nil,
        _ body: (NSManagedObjectContext) throws -> Result
    ) throws -> Result {
        let stack = try open(model, options: options)
        defer { try? stack.coordinator.remove(stack.store) }
        return try body(stack.context)
    }

    func open(_ model: NSManagedObjectModel, options: [AnyHashable: Any]? = nil) throws -> Stack {
        try Stack(model, url: url, kind: .postgreSQL, options: options ?? self.options)
    }

    /// A connection to the server, as a role.
    func connect(as user: String = "coredata") throws -> PostgresConnection {
        try PostgresConnection.open(
            ConnectionParameters([("host", server.host), ("user", user), ("dbname", "postgres")]), timeout: .seconds(20)
        )
    }

    /// Asks the server itself, with the store's tables in the path; texts of the first column.
    @discardableResult
    func ask(_ sql: String) throws -> [String] {
        let connection = try connect()
        defer { connection.close() }
        _ = try connection.query("SET search_path = \"\(schema)\"")
        let result = try connection.query(sql)
        return (0..<result.rowCount).map { result.text($0, 0) ?? "" }
    }

    /// All that the schema has: tables with their columns, indexes and constraints, in words.
    func shape() throws -> [String] {
        try ask(
            "SELECT c.table_name || '.' || c.column_name || ' ' || c.data_type || ' ' || coalesce(c.column_default, '') "
                + "FROM information_schema.columns c WHERE c.table_schema = current_schema() "
                + "AND c.column_name NOT LIKE 'z\\_epoch\\_%' "
                + "UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() "
                + "AND indexname NOT LIKE '%\\_pkey%' ORDER BY 1"
        ).map { $0.replacingOccurrences(of: schema + ".", with: "") }
    }

    var epoch: String {
        get throws {
            try ask(
                "SELECT attname::text FROM pg_attribute WHERE attrelid = 'z_metadata'::regclass AND attname LIKE 'z_epoch%'"
            )[0]
        }
    }

    /// A model in a few lines.
    static func model(_ build: (ModelBuilder) -> Void) -> NSManagedObjectModel {
        let builder = ModelBuilder()
        build(builder)
        return builder.model
    }
}
