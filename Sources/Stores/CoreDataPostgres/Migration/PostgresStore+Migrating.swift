import CoreDataSQL
import PostgresKit

extension PostgresStore: SchemaMigrating {
    package static var schemaMigrating: (any SchemaMigrating.Type)? { PostgresStore.self }

    package static func migrateSchema(_ request: SchemaMigrationRequest) throws { try ServerMigration(request).run() }

    package static func planSchemaMigration(_ request: SchemaMigrationRequest) throws -> SchemaMigrationPlan {
        try ServerMigration(request).plan()
    }

    package static var storeExchanging: (any StoreExchanging.Type)? { PostgresStore.self }

    /// Runs `body` while this connection holds the migration lock in a transaction, so that only one program migrates
    /// the store at a time; the others wait.
    package static func migratingAlone(at url: URL, options: [AnyHashable: Any], _ body: () throws -> Void) throws {
        let location = try PostgresLocation(url)
        let connector = PostgresConnector(
            location: location, settings: PostgresSettings(options, hasSeveralHosts: location.hasSeveralHosts))
        do {
            let connection = try connector.reconnect()
            connection.statementTimeout = nil
            defer { connection.close() }
            _ = try connection.pipeline([
                PostgresStatement("BEGIN"), PostgresStatement("SET LOCAL statement_timeout = 0"),
                PostgresStatement("SET LOCAL lock_timeout = 0"),
                PostgresStatement("SET LOCAL idle_in_transaction_session_timeout = 0"), location.lock(.migration),
            ])
            // If this connection breaks, the transactions of `body` are still valid.
            try body()
        } catch let error as PostgresError {
            throw PostgresMigrationErrors.failure(error, location)
        }
    }
}

extension PostgresStore: StoreExchanging {
    package static func exchangeStore(
        _ request: SchemaMigrationRequest, _ make: (StoreExchange) throws -> Void
    ) throws { try ServerExchange(request).run(make) }
}
