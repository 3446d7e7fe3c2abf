import CoreDataSQL
import SQLiteKit

extension Connection {
    /// Whether this SQLite has the R-tree module; without it, a store has no R-tree indexes.
    var hasRTree: Bool {
        get throws(SQLiteError) { try value("SELECT 1 FROM pragma_module_list WHERE name = 'rtree'") != nil }
    }
}

/// Creates an empty store for a model, as Apple's framework would.
struct StoreCreation {
    let url: URL
    let model: NSManagedObjectModel
    let configuration: String?
    let options: [AnyHashable: Any]

    /// Creates the file with all tables and the metadata, atomically.
    ///
    /// It is first created under a temporary name in the same folder. If another process has created a store at the URL
    /// meanwhile, that store is used.
    /// - Throws: `NSPersistentStoreOpenError` if the file cannot be created.
    func create() throws {
        let placement = FilePlacement(url: url)
        try placement.withTemporaryFile { temporary in
            do {
                let connection = try Connection.open(temporary, OpenOptions(mode: .create))
                defer { connection.close() }
                try fill(connection)
                try StorePragmas(options: options).apply(to: connection)
            }
            try placement.publish(temporary)
        }
    }

    /// Creates the store in an empty database, unless another process has done so meanwhile.
    func fillBlank(_ connection: Connection) throws {
        try connection.transaction(.exclusive) {
            guard try SQLiteStoreOpening.isBlank(connection) else { return }
            try insertSchema(connection)
        }
    }

    func fill(_ connection: Connection) throws {
        try connection.setPragma("page_size", to: .integer(4096))
        try connection.setPragma("auto_vacuum", to: .integer(2))
        // The file is new and temporary, so no journal on disk is needed.
        try connection.setPragma("journal_mode", to: .text("memory"))
        try connection.transaction(.exclusive) { try insertSchema(connection) }
    }

    private func insertSchema(_ connection: Connection) throws {
        let schema = StoreSchema(model: model, configuration: configuration)
        for statement in schema.creationStatements { try connection.execute(statement) }
        if try connection.hasRTree { for tree in schema.treeStatements { try connection.execute(tree) } }
        for row in schema.primaryKeyRows {
            try connection.execute(
                "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
                [.integer(Int64(row.number)), .text(row.name), .integer(Int64(row.superNumber)), .integer(0)])
        }
        // The cached model lets programs open the store without a model; the store is created even if the model cannot
        // be archived.
        if let kept = try? model.cachedModel() {
            try connection.execute("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", [.blob([UInt8](kept))])
        }
        try StoreMetadata.write(
            StoreMetadata.new(for: model, configuration: configuration), identifier: UUID().uuidString,
            to: connection)
    }
}
