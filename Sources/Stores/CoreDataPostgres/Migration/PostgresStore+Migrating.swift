import CoreDataSQL
import PostgresKit

extension PostgresStore: SchemaMigrating {
    package static var schemaMigrating: (any SchemaMigrating.Type)? { PostgresStore.self }

    package static func migrateSchema(_ request: SchemaMigrationRequest) throws { try ServerMigration(request).run() }

    package static func planSchemaMigration(_ request: SchemaMigrationRequest) throws -> SchemaMigrationPlan {
        try ServerMigration(request).plan()
    }

    package static var storeExchanging: (any StoreExchanging.Type)? { PostgresStore.self }

    /// Of programs that want to migrate at once, one does: the others wait for its transaction, which does nothing else.
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
            // Where this connection breaks, what the body does in its own transactions is as good.
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
