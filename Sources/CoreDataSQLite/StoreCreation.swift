import CoreDataSQL
import Glibc
import SQLiteKit

/// Makes an empty store for a model, as Apple's framework would.
struct StoreCreation {
    let url: URL
    let model: NSManagedObjectModel
    let configuration: String?
    let options: [AnyHashable: Any]

    /// Creates the file with all tables and the metadata; it appears whole or not at all.
    ///
    /// It is made under a name of its own in the same folder. When another process has put a store in its place
    /// meanwhile, that one is left there.
    /// - Throws: 134080 when the file cannot be made there.
    func create() throws {
        let folder = url.deletingLastPathComponent()
        try check(folder)
        let draft = folder.appendingPathComponent(".\(UUID().uuidString).creating").path
        defer {
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + suffix) }
        }
        do {
            let connection = try Connection.open(draft, OpenOptions(mode: .create))
            defer { connection.close() }
            try fill(connection)
        }
        try publish(draft, in: folder)
    }

    private func check(_ folder: URL) throws {
        var status = stat()
        guard stat(folder.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw failure(
                "there is no folder '\(folder.path)' to make it in", errno == 0 ? ENOTDIR : errno,
                hint: "Make the folder first.")
        }
        guard access(folder.path, W_OK | X_OK) == 0 else {
            throw failure(
                "the folder '\(folder.path)' cannot be written", errno, hint: "Change the folder's permissions.")
        }
    }

    private func fill(_ connection: Connection) throws {
        try connection.setPragma("page_size", to: .integer(4096))
        try connection.setPragma("auto_vacuum", to: .integer(2))
        // Nobody knows the file yet, so there is nothing to play back.
        try connection.setPragma("journal_mode", to: .text("memory"))
        let schema = StoreSchema(model: model, configuration: configuration)
        try connection.transaction(.exclusive) {
            for statement in schema.creationStatements { try connection.execute(statement) }
            for row in schema.primaryKeyRows {
                try connection.execute(
                    "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
                    [.integer(Int64(row.number)), .text(row.name), .integer(Int64(row.superNumber)), .integer(0)])
            }
            // The model helps whoever opens the store without it; one that cannot be archived is no reason to make none.
            if let kept = try? model.cachedModel() {
                try connection.execute("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", [.blob([UInt8](kept))])
            }
            try StoreMetadata.write(
                StoreMetadata.new(for: model, configuration: configuration), identifier: UUID().uuidString,
                to: connection)
        }
        try StorePragmas(options: options).apply(to: connection)
    }

    /// Gives the finished file its name, unless there is something of that name by now.
    private func publish(_ draft: String, in folder: URL) throws {
        if link(draft, url.path) != 0, errno != EEXIST {
            // File systems without links can still rename.
            guard !FileManager.default.fileExists(atPath: url.path), rename(draft, url.path) == 0 else {
                throw failure("the file cannot be given its name", errno, hint: "Look at the folder's permissions.")
            }
        }
        let descriptor = Glibc.open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private func failure(_ reason: String, _ code: Int32, hint: String) -> NSError {
        StoreErrors.unusable(
            url, reason, hint: hint,
            underlying: NSError(
                domain: NSPOSIXErrorDomain, code: Int(code),
                userInfo: [NSLocalizedDescriptionKey: String(cString: strerror(code))]))
    }
}
