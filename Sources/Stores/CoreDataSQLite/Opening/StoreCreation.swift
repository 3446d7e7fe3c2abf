import CoreDataSQL
import SQLiteKit

extension Connection {
    /// Whether this SQLite has the module for R-trees; a store does without their indexes otherwise.
    var hasRTree: Bool {
        get throws(SQLiteError) { try value("SELECT 1 FROM pragma_module_list WHERE name = 'rtree'") != nil }
    }
}

/// Makes an empty store for a model, as Apple's framework would.
struct StoreCreation {
    let url: URL
    let model: NSManagedObjectModel
    let configuration: String?
    let options: [AnyHashable: Any]

    /// Creates the file with all tables and the metadata; it appears completely or not at all.
    ///
    /// It is made under a name of its own in the same folder. When another process has put a store in its place
    /// meanwhile, that one is left there.
    /// - Throws: `NSPersistentStoreOpenError` when the file cannot be made there.
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

    /// Makes the store in a database that has nothing in it, unless another process has done so meanwhile.
    func fillBlank(_ connection: Connection) throws {
        try connection.transaction(.exclusive) {
            guard try SQLiteStoreOpening.isBlank(connection) else { return }
            try insertSchema(connection)
        }
    }

    func fill(_ connection: Connection) throws {
        try connection.setPragma("page_size", to: .integer(4096))
        try connection.setPragma("auto_vacuum", to: .integer(2))
        // The file is new, so a journal for rolling back is not needed.
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
        // The model serves programs that open the store without it; the store is created also where it cannot be archived.
        if let kept = try? model.cachedModel() {
            try connection.execute("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", [.blob([UInt8](kept))])
        }
        try StoreMetadata.write(
            StoreMetadata.new(for: model, configuration: configuration), identifier: UUID().uuidString,
            to: connection)
    }
}
