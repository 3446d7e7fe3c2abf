import CoreDataSQL

/// Moves the files of a complete store, which was made under a temporary name, to their final names.
///
/// The files of large values are moved first, since a store without them is incomplete; moving the database file makes
/// it a store.
struct StorePublication {
    /// The temporary store, in the same folder as `url`; it is not open.
    let temporary: URL
    let url: URL

    /// - Throws: `NSPersistentStoreOpenError` if the final name is already in use; no file is left under it then.
    func run() throws {
        guard FileAccess.size(temporary.path + "-wal") == 0 else {
            throw StoreErrors.unusable(
                url, "the log of the copy could not be moved into its file", hint: "Make room, then try again.")
        }
        let names = try externalNames()
        do {
            try moveExternalFiles(names)
            guard try FilePlacement(url: url).publish(temporary.path) else {
                throw StoreErrors.unusable(url, "something has taken its place meanwhile", hint: "Try again.")
            }
        } catch {
            ExternalFiles.remove(names, of: url)
            throw error
        }
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(temporary.path + suffix) }
        ExternalFiles.remove([], of: temporary)
    }

    private func externalNames() throws -> Set<String> {
        let name = temporary.deletingPathExtension().lastPathComponent
        let folder = temporary.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT/_EXTERNAL_DATA")
            .path
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return Set(try FileManager.default.contentsOfDirectory(atPath: folder))
    }

    private func moveExternalFiles(_ names: Set<String>) throws {
        guard !names.isEmpty else { return }
        let from = try ExternalFolder(store: temporary, makesFolders: false)
        try from.move(names, to: try ExternalFolder(store: url, makesFolders: true))
    }
}
