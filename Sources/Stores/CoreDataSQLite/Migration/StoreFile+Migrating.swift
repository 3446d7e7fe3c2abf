import CoreDataSQL
import SQLiteKit

extension StoreFile: SchemaMigrating {
    package static var schemaMigrating: (any SchemaMigrating.Type)? { StoreFile.self }

    package static func migrateSchema(_ request: SchemaMigrationRequest) throws {
        SQLDebug.install()
        try FileMigration(request).run()
    }

    package static func requireNoOtherConnection(at url: URL, options: [AnyHashable: Any]) throws {
        SQLDebug.install()
        try ExclusiveFile(url: url, options: options).require()
    }

    package static func planSchemaMigration(_ request: SchemaMigrationRequest) throws -> SchemaMigrationPlan {
        SQLDebug.install()
        return try FileMigration(request).plan()
    }
}
