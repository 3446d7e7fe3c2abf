import CoreDataSQL
import SQLiteKit

/// Makes an empty store for a model, as Apple's framework would.
struct StoreCreation {
    let url: URL
    let model: NSManagedObjectModel
    let configuration: String?
    let options: [AnyHashable: Any]

    /// Creates the file with all tables and the metadata; it appears whole or not at all.
    ///
    /// - Throws: 134080 when the file cannot be made there.
    func create() throws {
        let connection = try Connection.open(url.path, OpenOptions(mode: .create))
        do {
            try fill(connection)
            connection.close()
        } catch {
            connection.close()
            // Nobody else can have come to rely on a file without its metadata.
            for suffix in ["", "-wal", "-shm", "-journal"] {
                try? FileManager.default.removeItem(atPath: url.path + suffix)
            }
            throw error
        }
    }

    private func fill(_ connection: Connection) throws {
        try connection.setPragma("page_size", to: .integer(4096))
        try connection.setPragma("auto_vacuum", to: .integer(2))
        try StorePragmas(options: options).apply(to: connection)
        let schema = StoreSchema(model: model, configuration: configuration)
        try connection.transaction(.exclusive) {
            for statement in schema.creationStatements { try connection.execute(statement) }
            for row in schema.primaryKeyRows {
                try connection.execute(
                    "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
                    [.integer(Int64(row.number)), .text(row.name), .integer(Int64(row.superNumber)), .integer(0)])
            }
            try StoreMetadata.write(
                StoreMetadata.new(for: model, configuration: configuration), identifier: UUID().uuidString,
                to: connection)
        }
    }
}
